import StateJSON

/// The recent versions of the file, or the moments of a recording, of which one is chosen.
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
  /// The recording whose moments they are; `nil` for those of the file's own log.
  let recording: String?
  private(set) var playing: Playing?

  /// How one moment is shown after another.
  struct Playing: Equatable, Sendable {
    /// How many times as fast as it happened.
    var speed = 1
    /// When the next one is due, in nanoseconds of the monotonic clock.
    var due: UInt64 = 0

    /// Nobody waits longer for one, in milliseconds.
    static let longest: Int64 = 2_000
    static let fastest = 64
  }

  init(_ moments: [Moment], of recording: String? = nil) {
    self.moments = moments
    self.recording = recording
  }

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

  /// Chooses a moment, or the nearest one that there is. Who chooses doesn't want to be taken on.
  mutating func choose(_ choice: InspectorAction.Choice) {
    switch choice {
    case .by(let count): choose(.at(chosen + count))
    case .at(let index): (chosen, playing) = (min(max(0, index), max(0, moments.count - 1)), nil)
    case .mark: marked = marked.map { $0.isSame(as: self.choice ?? $0) } == true ? nil : self.choice
    }
  }

  /// Begins to play from the chosen moment, or from the first if it is the last one; or ends that.
  mutating func play(now: UInt64) {
    if playing != nil { return playing = nil }
    if chosen == 0 { choose(.at(.max)) }
    playing = Playing()
    schedule(now: now)
  }

  /// Plays faster or slower, by powers of two.
  mutating func pace(isFaster: Bool) {
    guard let speed = playing?.speed else { return }
    playing?.speed = isFaster ? min(speed * 2, Playing.fastest) : max(speed / 2, 1)
  }

  /// Whether the next moment is to be shown.
  func isDue(at now: UInt64) -> Bool { playing.map { $0.due <= now } ?? false }

  /// Goes on to the next moment; at the last one it ends.
  mutating func step(now: UInt64) {
    if chosen > 0 { chosen -= 1 }
    schedule(now: now)
  }

  private mutating func schedule(now: UInt64) {
    guard chosen > 0, let speed = playing?.speed else { return playing = nil }
    let pause = moments[chosen - 1].moment - moments[chosen].moment
    playing?.due = now + UInt64(min(max(0, pause), Playing.longest)) * 1_000_000 / UInt64(speed)
  }
}

/// An earlier version, which is looked at in the place of the newest.
struct Past: Sendable {
  var moment: TimelinePane.Moment
  var document: TreeDocument
  /// What it changed in the version before it.
  var marks: Marks
}
