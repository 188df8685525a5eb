import Synchronization

/// Says whether the caller runs inside the store's lock, so that it gets a sentence, or a queue, instead of a deadlock.
///
/// The lock itself can't tell: it knows only that somebody holds it. Here stands which thread does. A thread that finds itself has
/// written that itself, and not taken it back yet; for one that finds another, or nobody, it makes no difference how old that is.
/// So no ordering is needed, and two plain stores a turn are all that it costs.
@usableFromInline
final class Turn: Sendable {
  @usableFromInline
  enum Phase: UInt, Sendable {
    case reducing = 1
    case rebasing
    case changing
    case reading
  }

  /// The thread that is inside of a turn, and in the low bits the turn's phase; 0 if none is.
  @usableFromInline let current = Atomic<UInt>(0)
  /// What can't be done inside of the turn, and whether there is any. Free of races: changed and looked at inside of it only.
  private nonisolated(unsafe) var deferred: [Work] = []
  @usableFromInline let hasDeferred = Atomic<Bool>(false)
  /// The nodes that follow in the turn, and those that have. Free of races as well.
  @usableFromInline nonisolated(unsafe) var following: [(Cause) -> Void] = []
  @usableFromInline nonisolated(unsafe) var followed: [() -> Void] = []

  @usableFromInline
  init() {}

  /// What the caller is inside of, or nil.
  @inlinable
  var phase: Phase? {
    let current = current.load(ordering: .relaxed)
    return current == 0 || current & ~7 != CurrentThread.identity ? nil : Phase(rawValue: current & 7)
  }

  /// Goes on to another phase of the turn that the caller is inside of.
  @inlinable
  func goOn(to phase: Phase) {
    current.store(current.load(ordering: .relaxed) & ~7 | phase.rawValue, ordering: .relaxed)
  }

  /// Runs `body` as a turn. The caller holds the lock.
  ///
  /// - Returns: What was put off in it; nil is nothing.
  @inlinable
  func take(_ phase: Phase, _ body: () -> Void) -> [Work]? {
    current.store(CurrentThread.identity | phase.rawValue, ordering: .relaxed)
    body()
    current.store(0, ordering: .relaxed)
    return hasDeferred.load(ordering: .relaxed) ? takeDeferred() : nil
  }

  /// Puts off what can't be done inside of the turn, such as a dispatch, which only a middleware may ask for there.
  @usableFromInline
  func postpone(inside phase: Phase, _ work: @escaping Work) {
    guard phase == .changing else { Turn.trap("dispatch was called", inside: phase) }
    deferred.append(work)
    hasDeferred.store(true, ordering: .relaxed)
  }

  @usableFromInline
  func takeDeferred() -> [Work] {
    hasDeferred.store(false, ordering: .relaxed)
    return deferred.takeAll()
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
}
