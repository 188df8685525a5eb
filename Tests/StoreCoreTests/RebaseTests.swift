import StoreCore
import Testing

struct `A rebase` {
  @Test func `replays actions, and is heard of once, with its cause`() {
    let store = Store([], reducer: appending)
    let heard = Journal<String>()
    let subscription = store.subscribe { state, cause in heard.note("\(state) \(cause)") }
    store.dispatch(1)
    store.rebase(cause: .instance("4f2a")) { state, reduce in
      state = [100]
      reduce(&state, 1)
      reduce(&state, 2)
    }
    #expect(heard.entries == ["[] start", "[1] action", "[100, 1, 2] instance 4f2a"])
    #expect(store.withState { $1 } == 2)
    withExtendedLifetime(subscription) {}
  }

  @Test func `that throws leaves everything as it was`() {
    struct Unreadable: Error, Equatable {}
    let store = Store([], reducer: appending)
    store.dispatch(1)
    let heard = Journal<[Int]>()
    let subscription = store.subscribe(skipFirst: true, heard.note)
    #expect(throws: Unreadable()) {
      try store.rebase(cause: .edit) { (state, _) throws(Unreadable) in
        state = []
        throw Unreadable()
      }
    }
    #expect(store.state == [1])
    #expect(store.withState { $1 } == 1)
    #expect(heard.entries == [])
    withExtendedLifetime(subscription) {}
  }

  /// As the replicator does it: what was dispatched since the last agreement is replayed over what came from outside.
  @Test func `that replays the pending actions never loses one to a racing dispatch`() throws {
    let pending = Shared<[Int]>([])
    let recorder = Probe<[Int], Int>(changed: { change, _ in
      if let action = change.action { pending.value.withLock { $0.append(action) } }
    })
    let store = try Store([], reducer: appending, middleware: [recorder])
    let confirmed = Shared<[Int]>([])
    let versions = Journal<Int>()
    let subscription = store.subscribe(skipFirst: true) { state in versions.note(state.count) }
    let foreign = 500
    let sync: @Sendable (Int?) -> Void = { other in
      store.rebase(cause: .instance("other")) { state, reduce in
        var agreed = confirmed.value.withLock { $0 }
        if let other { agreed.append(other) }
        state = agreed
        let tail = pending.value.withLock { pending in
          defer { pending = [] }
          return pending
        }
        for action in tail { reduce(&state, action) }
        let result = state
        confirmed.value.withLock { $0 = result }
      }
    }
    onThreads(5) { thread in
      for number in 1...foreign {
        if thread == 0 { sync(-number) } else { store.dispatch(thread * 10_000 + number) }
      }
    }
    sync(nil)
    let state = store.state
    #expect(state == confirmed.value.withLock { $0 })
    #expect(state.filter { $0 < 0 } == (1...foreign).map { -$0 })
    for thread in 1...4 {
      #expect(state.filter { $0 / 10_000 == thread } == (1...foreign).map { thread * 10_000 + $0 })
    }
    // Nothing shrank on the way: subscribers saw results only.
    #expect(versions.entries == versions.entries.sorted())
    withExtendedLifetime(subscription) {}
  }
}
