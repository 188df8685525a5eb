import StoreCore
import Synchronization
import Testing

struct `A store` {
  struct Numbers: Sendable {
    var shared = 0
  }

  struct Mirror<State: Sendable, Action: Sendable, Part: Sendable>: Middleware {
    init(file: String) where Part == State {}
    init(file: String, replicating: WritableKeyPath<State, Part>) {}
  }

  struct Logger<State: Sendable, Action: Sendable>: Middleware {}

  @Test func `infers generic middleware from its state and reducer`() throws {
    let reduce: @Sendable (inout Numbers, Int) -> Void = { $0.shared += $1 }
    let store = try Store(
      Numbers(), reducer: reduce,
      middleware: [Mirror(file: "x"), Mirror(file: "y", replicating: \.shared), Logger()])
    store.dispatch(2)
    #expect(store.state.shared == 2)
    #expect(store.middleware(ofType: Logger<Numbers, Int>.self).count == 1)
    #expect(store.middleware(ofType: Mirror<Numbers, Int, Int>.self).count == 1)
  }

  @Test func `counts its changes and lends its state`() {
    let store = Store([], reducer: appending)
    store.dispatch(1)
    store.dispatch(2)
    let seen = store.withState { state, version in (state.count, version) }
    #expect(seen == (2, 2))
  }

  @Test func `passes on what withState's body throws, with its type`() {
    struct Odd: Error, Equatable {}
    let store = Store([], reducer: appending)
    #expect(throws: Odd()) {
      try store.withState { (_, _) throws(Odd) in throw Odd() }
    }
    store.dispatch(1)
    #expect(store.state == [1])
  }

  /// Copies itself on write, and counts the copies.
  struct Probed: Sendable {
    final class Storage: Sendable {
      let value = Atomic<Int>(0)
    }

    var storage = Storage()
    var copies = 0
    var other = 0

    mutating func bump() {
      if !isKnownUniquelyReferenced(&storage) {
        let copy = Storage()
        copy.value.store(storage.value.load(ordering: .relaxed), ordering: .relaxed)
        storage = copy
        copies += 1
      }
      storage.value.add(1, ordering: .relaxed)
    }
  }

  @Test func `reduces in place`() throws {
    let store = try Store(Probed(), reducer: { state, _ in state.bump() }, middleware: [Logger<Probed, Void>()])
    let whole = store.subscribe { (state: Probed) in _ = state.copies }
    let part = store.subscribe(select: \.other) { (_: Int) in }
    for _ in 0..<100 { store.dispatch(()) }
    store.withState { state, _ in
      #expect(state.storage.value.load(ordering: .relaxed) == 100)
      #expect(state.copies == 0)
    }
    withExtendedLifetime((whole, part)) {}
  }

  @Test func `rebases in place, unless that can throw`() throws {
    let store = Store<Probed, Void>(Probed(), reducer: { state, _ in state.bump() })
    for _ in 0..<10 { store.rebase(cause: .edit) { state, reduce in reduce(&state, ()) } }
    store.withState { state, _ in #expect(state.copies == 0) }
    try store.rebase(cause: .edit) { (state, reduce) throws in reduce(&state, ()) }
    store.withState { state, _ in #expect(state.copies == 1) }
  }

  @Test func `copies for a middleware that wants the state before`() throws {
    let probe = Probe<Probed, Void>(before: true)
    let store = try Store(Probed(), reducer: { state, _ in state.bump() }, middleware: [probe])
    for _ in 0..<10 { store.dispatch(()) }
    store.withState { state, _ in #expect(state.copies == 10) }
  }

  @Test func `lets go of everything when it is closed`() async throws {
    weak var freed: Store<Int, Int>?
    weak var freedRoot: Store<Int, Int>?
    do {
      let (store, root) = (Store(0, reducer: { $0 += $1 }), Store(0, reducer: { $0 += $1 }))
      (freed, freedRoot) = (store, root)
      // Each of these is kept by the store, and keeps it.
      store.effect(toggle: { [store] in keep(store, $0 > 100) }) { [store] _, _ in keep(store, ()) }
      let subscriptions = [
        store.subscribe { [store] (_: Int) in keep(store, ()) },
        store.select { [store] in keep(store, $0) }.subscribe { (_: Int) in },
      ]
      let node = root.map(state: { [root] in keep(root, $0) }).with(0, reducer: Reducer<Int, Int> { $0 += $1 })
      node.dispatch(1)
      try await store.close()
      try await root.close()
      // Who comes now is told what there is, and is not kept either.
      let heard = Journal<Int>()
      let late = store.subscribe { [store] (count: Int) in heard.note(keep(store, count)) }
      store.rebase(cause: .edit) { count, _ in count = 7 }
      #expect(store.state == 7 && heard.entries == [0] && root.state == 1)
      withExtendedLifetime((subscriptions, late, node)) {}
    }
    #expect(freed == nil && freedRoot == nil)
  }

  @Test func `is freed with everything it owns`() throws {
    weak var freed: Store<[Int], Int>?
    weak var freedProbe: Probe<[Int], Int>?
    let kept: Subscription
    let delayed = Journal<@Sendable (Int) -> Void>()
    do {
      let probe = Probe<[Int], Int>(dispatch: { action, next in
        delayed.note(next)
        next(action)
      })
      let store = try Store([], reducer: appending, middleware: [probe])
      freed = store
      freedProbe = probe
      // A handler that captures the store's user, and a user that keeps the subscription.
      kept = store.subscribe { (_: [Int]) in }
      store.dispatch(1)
    }
    #expect(freed == nil)
    #expect(freedProbe == nil)
    // Delayed beyond the life of the store: nothing happens.
    delayed.entries[0](2)
    kept.cancel()
  }
}

/// A value that comes with something it keeps.
private func keep<T>(_ object: AnyObject, _ value: T) -> T {
  withExtendedLifetime(object) { value }
}
