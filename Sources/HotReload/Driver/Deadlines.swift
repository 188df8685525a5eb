/// Instants at which something is to be done, each under the name of what that is, in nanoseconds of `MonotonicClock`.
struct Deadlines<Name: Equatable> {
  /// Seldom more than three: faster looked through than hashed.
  private var instants: [(name: Name, instant: UInt64)] = []

  /// When something is to be done; nothing where it isn't.
  subscript(name: Name) -> UInt64? {
    get { instants.first { $0.name == name }?.instant }
    set {
      let index = instants.firstIndex { $0.name == name }
      switch (index, newValue) {
      case (let index?, let instant?): instants[index].instant = instant
      case (let index?, nil): instants.remove(at: index)
      case (nil, let instant?): instants.append((name, instant))
      case (nil, nil): break
      }
    }
  }

  /// The first of all.
  var next: UInt64 { instants.reduce(.max) { min($0, $1.instant) } }

  /// Whether the instant for something has come.
  func isDue(_ name: Name, at now: UInt64) -> Bool { self[name].map { $0 <= now } ?? false }

  /// All whose instants have come.
  func due(at now: UInt64) -> [(name: Name, instant: UInt64)] { instants.filter { $0.instant <= now } }

  /// Has something done at an instant, or before that, if it is to be done earlier.
  mutating func bringForward(_ name: Name, to instant: UInt64) { self[name] = min(self[name] ?? .max, instant) }
}

extension Driver {
  /// The names of what the driver does once its time has come.
  enum Deadline: Equatable {
    /// Looks whether a notification was missed.
    case tick
    /// Reads a file that somebody has written to, and not closed: see ``Writes``.
    case quiet
    /// Looks at what another instance has changed, unless this one has the lock before that.
    case look
    /// Looks after displaced files and unflushed writes.
    case housekeeping
    /// Has the replica get a state of its own: see ``separate()``.
    case separation
    case replica(Brain.Timer)
  }

  /// The first and the last of the writes that have not been followed by a close.
  struct Writes {
    let first: UInt64
    var last: UInt64

    /// When the file is read although it may be written to again.
    var end: UInt64 { min(last + FileWatcher.quiet, first + FileWatcher.quietLimit) }
  }

  /// How often the file was looked at by itself.
  struct Pulse {
    var ticks = 0
    /// At which of them what the replica reduced by itself is compared with what the view shows.
    var comparison: Int?
  }
}
