import Synchronization

/// Says whether the caller runs inside the store's lock, so that it gets a sentence, or a queue, instead of a deadlock.
///
/// The lock itself can't tell: it knows only that somebody holds it. The caller's identity is a task-local value, which
/// works in synchronous code and on plain threads as well, and costs less than twenty nanoseconds a turn. It is looked
/// at only while somebody holds the lock, else one relaxed load is all.
///
/// A `Task` started inside a turn inherits the value. The number tells it from later turns, and the identity of the
/// task from the same turn. A reducer's turn goes without the second: what a reducer starts has no business here.
@usableFromInline
final class Turn: Sendable {
  @usableFromInline
  enum Phase: UInt64, Sendable {
    case reducing = 1
    case rebasing
    case changing
    case reading
  }

  /// The number of the turn that the caller is inside of, or of an older one, or 0.
  @usableFromInline let seat = TaskLocal<UInt64>(wrappedValue: 0)
  /// The number of the turn that is on, and in the low bits its phase; 0 if none is.
  @usableFromInline let current = Atomic<UInt64>(0)
  /// The identity of the holder's task; 0 outside of tasks.
  @usableFromInline let task = Atomic<Int>(0)
  /// Changed by the holder of the lock only.
  @usableFromInline let count = Atomic<UInt64>(0)

  private init() {}

  /// Turns of freed stores, to be used again.
  ///
  /// A turn is never freed, as a task may inherit its value for as long as it likes, and would take another
  /// task-local at the same address for it. The numbers go on from store to store, so an old value means nothing.
  private static let spare = Mutex<[Turn]>([])

  @usableFromInline
  static func borrow() -> Turn {
    spare.withLock { $0.popLast() } ?? Turn()
  }

  @usableFromInline
  func giveBack() {
    Turn.spare.withLock { $0.append(self) }
  }

  /// What the caller is inside of, or nil.
  @inlinable
  var phase: Phase? {
    current.load(ordering: .relaxed) == 0 ? nil : phaseWhileTaken
  }

  @usableFromInline
  var phaseWhileTaken: Phase? {
    let current = current.load(ordering: .acquiring)
    guard current != 0, seat.get() == current >> 3, let phase = Phase(rawValue: current & 7) else { return nil }
    guard phase == .reducing || task.load(ordering: .relaxed) == Turn.currentTask else { return nil }
    return phase
  }

  /// Runs `body` as a turn. The caller holds the lock.
  @inlinable
  func take(_ phase: Phase, _ body: () -> Void) {
    let number = count.load(ordering: .relaxed) + 1
    count.store(number, ordering: .relaxed)
    if phase != .reducing { task.store(Turn.currentTask, ordering: .relaxed) }
    current.store(number << 3 | phase.rawValue, ordering: .releasing)
    seat.withValue(number, operation: body)
    current.store(0, ordering: .releasing)
  }

  /// Goes on from reducing to telling the middleware, inside `take`.
  @usableFromInline
  func tellMiddleware() {
    task.store(Turn.currentTask, ordering: .relaxed)
    current.store(count.load(ordering: .relaxed) << 3 | Phase.changing.rawValue, ordering: .releasing)
  }

  /// Traps if the caller is inside of a turn.
  @inlinable
  func refuse(_ call: StaticString) {
    if let phase { Turn.trap(call, inside: phase) }
  }

  @usableFromInline
  static func trap(_ call: StaticString, inside phase: Phase) -> Never {
    let sentence =
      switch phase {
      case .reducing: "a reducer; a reducer may only use the state and the action it is given"
      case .rebasing: "rebase(cause:_:); use the state it passes, and call this when it has returned"
      case .changing: "a middleware's changed(_:state:); use the state it is given"
      case .reading: "withState(_:); use the state it passes, and call this when it has returned"
      }
    fatalError("\(call) from inside \(sentence)")
  }

  @usableFromInline
  static var currentTask: Int {
    withUnsafeCurrentTask { $0?.hashValue ?? 0 }
  }
}
