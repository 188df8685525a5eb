import HotReload
import StateJSON
import StoreCore
import Synchronization

/// What happens in a program, kept for the thread that talks to its client.
final class RemoteNews: Sendable {
  struct Contents: Sendable {
    /// Whether the state changed since the news were taken.
    var isChanged = false
    /// Where the newest change came from.
    var cause = Cause.start
    /// What came of the commit that is on.
    var commit: Result<Void, any Error>?
    var problems: [ProblemEvent] = []
    var notices: [Notice] = []
    /// Whether the program doesn't want to serve any more.
    var isRevoked = false
  }

  private struct Guarded {
    var contents = Contents()
    var actions: ActionFeed
    var wantsStates = false
    var wantsActions = false
    /// Whether the waker was woken and the news were not taken since.
    var isNew = false
  }

  let waker: Waker
  /// The store's instance, if it mirrors a file.
  let instance: String?
  private let guarded: Mutex<Guarded>

  /// Makes news of a store with an instance, if it mirrors a file; so many bytes of actions may wait to be read.
  init(instance: String?, actionLimit: Int) throws(SystemError) {
    waker = try Waker()
    self.instance = instance
    guarded = Mutex(Guarded(actions: ActionFeed(limit: actionLimit)))
  }

  /// Adds something.
  func add(_ body: (inout Contents) -> Void) {
    update { guarded in
      body(&guarded.contents)
      return true
    }
  }

  /// Hears of a change of the store, and of its action, if it was one, as it is told; called inside the store's lock.
  func note(_ cause: Cause, version: UInt64, action: (() -> Result<JSONValue, JSONEncodingError>)?) {
    update { guarded in
      if guarded.wantsActions, let action {
        guarded.actions.add { .action(action(), version: "\(version)", named(cause), at: WallClock.now()) }
      }
      if guarded.wantsStates {
        guarded.contents.isChanged = true
        guarded.contents.cause = cause
      }
      return guarded.wantsStates || guarded.wantsActions && action != nil
    }
  }

  /// Says what is to be told from now on. To be called inside the store's lock, so that it falls between two changes.
  func want(states: Bool? = nil, actions: Bool? = nil) {
    guarded.withLock { guarded in
      guarded.wantsStates = states ?? guarded.wantsStates
      guarded.wantsActions = actions ?? guarded.wantsActions
    }
  }

  /// Where the newest change came from. Inside the store's lock it goes with the state.
  var cause: Cause { guarded.withLock { named($0.contents.cause) } }

  /// Hands over everything since the last time.
  func take() -> Contents {
    guarded.withLock { guarded in
      defer {
        guarded.contents = Contents(cause: guarded.contents.cause)
        guarded.isNew = false
      }
      return guarded.contents
    }
  }

  /// Lets somebody work on what is to be told of actions.
  func withActions<R>(_ body: (inout ActionFeed) -> R) -> R { guarded.withLock { body(&$0.actions) } }

  /// A cause as a client is told it: what was dispatched here was dispatched in this instance.
  private func named(_ cause: Cause) -> Cause {
    cause == .action ? Cause(.action, instance: instance) : cause
  }

  private func update(_ body: (inout Guarded) -> Bool) {
    let isFirst = guarded.withLock { guarded in
      guard body(&guarded), !guarded.isNew else { return false }
      guarded.isNew = true
      return true
    }
    if isFirst { waker.wake() }
  }
}
