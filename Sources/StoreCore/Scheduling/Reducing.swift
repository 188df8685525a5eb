/// Where a store reduces actions.
public struct Reducing: Sendable {
  @usableFromInline let worker: SerialWorker?

  @usableFromInline var isOnCaller: Bool { worker == nil }

  /// On the thread that dispatches: on return the action has been reduced.
  public static var onCaller: Reducing { Reducing(worker: nil) }

  /// One after another in the background, in the order in which they were dispatched: `dispatch` returns at once, and
  /// `Store.commit()` waits until all were reduced.
  ///
  /// What a subscriber or a middleware dispatches there, when it hears of a change, is reduced at once, as on the caller.
  /// A store isn't freed before it has reduced what was dispatched. Stores that are made with the same value reduce one
  /// after another, too: so a node of a tree follows the store above, whose value it is made with.
  ///
  /// - Parameter priority: How urgent it is; nil is the default.
  /// - Returns: what a store is made with.
  public static func inBackground(priority: TaskPriority? = nil) -> Reducing {
    Reducing(worker: SerialWorker(priority: priority))
  }
}

extension Store {
  /// Where this store reduces actions.
  public var reducing: Reducing { worker.map(Reducing.init) ?? link?.reducing ?? .onCaller }
}
