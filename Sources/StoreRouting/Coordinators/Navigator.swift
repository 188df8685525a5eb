import StoreCore
import Synchronization

/// The routes that wait to be gone to, and the one that is under way.
final class Navigator: Sendable {
  struct Destination: Sendable, Equatable {
    var route: Route
    /// The screen is there already.
    var hasHappened = false
  }

  private struct Core {
    var waiting: [Destination] = []
    var current: Destination?
    /// Cancels the preparation that is under way.
    var cancel: (@Sendable () -> Void)?
    var shown: Route?
    var settling: [AsyncStream<Void>.Continuation] = []
    var isEnded = false
    var onEnd: (@Sendable () -> Void)?
  }

  private let core = Mutex(Core())
  private let wake: @Sendable () -> Void

  init(wake: @escaping @Sendable () -> Void) {
    self.wake = wake
  }

  var shown: Route? { core.withLock { $0.shown } }

  /// What is on the screen, or will be once what has happened there was taken note of; nil before there is anything.
  var onScreen: Route? {
    core.withLock { core in
      let noted = core.waiting.last(where: \.hasHappened) ?? core.current.flatMap { $0.hasHappened ? $0 : nil }
      return noted?.route ?? core.shown
    }
  }

  /// Goes to a route, after what is under way. What waits and isn't on the screen yet is overtaken.
  func go(to route: Route) {
    enqueue(Destination(route: route)) { waiting in
      while let last = waiting.last, !last.hasHappened { waiting.removeLast() }
    }
  }

  /// Takes note of a route that is on the screen.
  func note(_ route: Route) {
    enqueue(Destination(route: route, hasHappened: true)) { _ in }
  }

  private func enqueue(_ destination: Destination, _ overtake: (inout [Destination]) -> Void) {
    let cancel = core.withLock { core -> (@Sendable () -> Void)? in
      if core.isEnded || (core.waiting.last ?? core.current) == destination { return nil }
      overtake(&core.waiting)
      core.waiting.append(destination)
      return core.cancel
    }
    cancel?()
    wake()
  }

  /// The next to go to, or nil: then nothing is under way, and those who wait for that are told.
  func next() -> Destination? {
    let (next, settled) = core.withLock { core -> (Destination?, [AsyncStream<Void>.Continuation]) in
      core.current = core.waiting.isEmpty || core.isEnded ? nil : core.waiting.removeFirst()
      if core.current != nil { return (core.current, []) }
      return (nil, core.settling.takeAll())
    }
    for continuation in settled { continuation.finish() }
    return next
  }

  /// Takes the coordinators to a destination. Called by one task only.
  func perform(_ destination: Destination, _ tree: inout CoordinatorTree) async {
    let route = destination.route
    if destination.hasHappened {
      await tree.adopt(route)
    } else {
      if shown == route { return }
      // Begun inside the lock, so that a newer route can cancel it from its first step on.
      let (preparation, isOvertaken) = core.withLock { [tree] core in
        let preparation = Task { await tree.prepare(for: route) }
        core.cancel = { preparation.cancel() }
        return (preparation, !core.waiting.isEmpty || core.isEnded)
      }
      if isOvertaken { preparation.cancel() }
      let plan = await preparation.value
      core.withLock { $0.cancel = nil }
      // From here on it is not interrupted, as half of it would be on the screen.
      guard let plan, !preparation.isCancelled else { return }
      await tree.carryOut(plan)
    }
    core.withLock { $0.shown = route }
  }

  func settle() async {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    let isSettled = core.withLock { core in
      let isSettled = core.isEnded || (core.waiting.isEmpty && core.current == nil)
      if !isSettled { core.settling.append(continuation) }
      return isSettled
    }
    if isSettled { return }
    // Ends with the task that waits, too.
    for await _ in stream {}
  }

  func onEnd(_ body: @escaping @Sendable () -> Void) {
    core.withLock { $0.onEnd = body }
  }

  func end() {
    let (cancel, onEnd, settling) = core.withLock { core in
      core.isEnded = true
      return (core.cancel, core.onEnd, core.settling.takeAll())
    }
    cancel?()
    onEnd?()
    for continuation in settling { continuation.finish() }
  }
}
