import StateJSON

/// The recent versions of the file, of which one is chosen.
struct TimelinePane: Equatable, Sendable {
  /// A version, as it is listed.
  struct Moment: Equatable, Sendable {
    /// The hash of its bytes, in hexadecimal digits; a version that comes back has it again.
    var version: String
    /// In milliseconds since 1970.
    var moment: Int64
    /// The same as text: `14:03:27`.
    var time: String
    var cause: String
    var author: String
    /// What it changed, a line each, and what a merge kept or lost; at most ``limit``.
    var changes: [String]
    var changeCount: Int

    /// More lines of one version nobody reads here.
    static let limit = 500

    /// Whether it is the same version.
    func isSame(as other: Moment) -> Bool { version == other.version && moment == other.moment }
  }

  /// Newest first.
  private(set) var moments: [Moment]
  private(set) var chosen = 0
  /// The version that another one is to be compared with.
  private(set) var marked: Moment?

  init(_ moments: [Moment]) { self.moments = moments }

  var choice: Moment? { moments.indices.contains(chosen) ? moments[chosen] : nil }

  /// Takes in what has come, with the same version chosen; the newest stays the newest.
  mutating func update(_ moments: [Moment]) {
    let former = choice
    self.moments = moments
    if chosen == 0 { return }
    chosen =
      former.flatMap { former in moments.firstIndex { $0.isSame(as: former) } }
      ?? min(chosen, max(0, moments.count - 1))
  }

  mutating func choose(_ index: Int) { chosen = min(max(0, index), max(0, moments.count - 1)) }

  mutating func mark() { marked = marked.map { $0.isSame(as: choice ?? $0) } == true ? nil : choice }
}

/// An earlier version, which is looked at in the place of the newest.
struct Past: Sendable {
  var moment: TimelinePane.Moment
  var document: TreeDocument
  /// What it changed in the version before it.
  var marks: Marks
}
