/// Instants at which something is to be done, each under the name of what that is, in nanoseconds of `MonotonicClock`.
struct Deadlines<Name: Hashable> {
  private var instants: [Name: UInt64] = [:]

  /// When something is to be done; nothing where it isn't.
  subscript(name: Name) -> UInt64? {
    get { instants[name] }
    set { instants[name] = newValue }
  }

  /// The first of all.
  var next: UInt64 { instants.values.reduce(.max, min) }

  /// Whether the instant for something has come.
  func isDue(_ name: Name, at now: UInt64) -> Bool { instants[name].map { $0 <= now } ?? false }

  /// All whose instants have come.
  func due(at now: UInt64) -> [Name: UInt64] { instants.filter { $0.value <= now } }

  /// Has something done at an instant, or before that, if it is to be done earlier.
  mutating func bringForward(_ name: Name, to instant: UInt64) { instants[name] = min(instants[name] ?? .max, instant) }
}

extension Driver {
  /// What the driver does once its time has come.
  enum Deadline: Hashable {
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
