import StoreCore

/// What changed while somebody looked on, by its place: for a moment it glows, and later it can be asked for.
struct Marks: Equatable, Sendable {
  struct Mark: Equatable, Sendable {
    var change: TreeChanges.Change
    var cause: Cause
    /// When it was seen, in nanoseconds of the monotonic clock.
    var moment: UInt64
    /// The same as text: `14:03:27`.
    var time: String
  }

  /// How much a change stands out.
  enum Glow: Comparable, Sendable { case none, weak, strong }

  /// For how long a change stands out, in nanoseconds.
  static let strong: UInt64 = 1_500_000_000
  static let weak: UInt64 = 8_000_000_000

  /// More of them nobody can remember; those that go are the oldest.
  static let limit = 20_000

  private var marks: [Place: Mark] = [:]
  /// The moment of the last of them; 0 if there are none.
  private(set) var newest: UInt64 = 0

  /// The last place that changed, if any did.
  private(set) var newestPlace: Place?

  subscript(place: Place) -> Mark? { marks[place] }

  mutating func add(_ changes: TreeChanges, cause: Cause, moment: UInt64, time: String) {
    for change in changes.all {
      marks[change.place] = Mark(change: change, cause: cause, moment: moment, time: time)
    }
    newest = max(newest, changes.all.isEmpty ? 0 : moment)
    newestPlace = changes.all.first?.place ?? newestPlace
    if marks.count > Self.limit {
      let moments = marks.values.map(\.moment).sorted()
      let oldest = moments[moments.count - Self.limit / 2]
      marks = marks.filter { $0.value.moment >= oldest }
    }
  }

  /// How much what is at a place stands out at a moment, as it was changed itself, or is in something new.
  func glow(_ place: Place, at moment: UInt64) -> Glow {
    guard newest + Self.weak > moment else { return .none }
    var place: Place? = place
    var isSelf = true
    while let one = place {
      if let mark = marks[one], isSelf || mark.change.kind != .shrunken { return Self.glow(mark, at: moment) }
      place = one.parent
      isSelf = false
    }
    return .none
  }

  private static func glow(_ mark: Mark, at moment: UInt64) -> Glow {
    let age = moment > mark.moment ? moment - mark.moment : 0
    return age < strong ? .strong : age < weak ? .weak : .none
  }

  /// When the looks of something change next; `nil` if nothing stands out.
  func nextChange(after moment: UInt64) -> UInt64? {
    guard newest > 0, newest + Self.weak > moment else { return nil }
    return newest + (newest + Self.strong > moment ? Self.strong : Self.weak)
  }
}
