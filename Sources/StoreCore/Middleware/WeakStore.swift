import Synchronization

/// The store of a middleware, which must not keep it, and serves one at a time.
package final class WeakStore<State: Sendable, Action: Sendable>: Sendable {
  private struct Reference: Sendable {
    weak var store: Store<State, Action>?
  }

  private let reference = Mutex(Reference())

  package init() {}

  package var store: Store<State, Action>? { reference.withLock { $0.store } }

  package func set(_ store: Store<State, Action>) {
    let isFree = reference.withLock { reference in
      let isFree = reference.store == nil || reference.store === store
      if isFree { reference.store = store }
      return isFree
    }
    precondition(isFree, "a middleware serves one store; make another one for another store")
  }

  func forget() {
    reference.withLock { $0.store = nil }
  }
}
