import StoreCore
import Testing

struct `A subscription` {
  struct Both: Sendable, Equatable {
    var left = 0
    var right = 0
  }

  static let step: Store<Both, WritableKeyPath<Both, Int> & Sendable>.Reducer = { $0[keyPath: $1] += 1 }

  @Test func `starts with the current state, or with the next change`() {
    let store = Store([], reducer: appending)
    store.dispatch(1)
    let all = Journal<String>()
    let changes = Journal<[Int]>()
    let first = store.subscribe { state, cause in all.note("\(state) \(cause)") }
    let second = store.subscribe(skipFirst: true, changes.note)
    store.dispatch(2)
    #expect(all.entries == ["[1] start", "[1, 2] action"])
    #expect(changes.entries == [[1, 2]])
    withExtendedLifetime((first, second)) {}
  }

  @Test func `to a part is woken only when the part changes`() {
    let store = Store(Both(), reducer: Self.step)
    let lefts = Journal<Int>()
    let rights = Journal<String>()
    let left = store.subscribe(select: \.left, lefts.note)
    let right = store.subscribe(select: { $0.right * 10 }, skipFirst: true) { rights.note("\($0) \($1)") }
    store.dispatch(\.left)
    store.dispatch(\.right)
    store.dispatch(\.left)
    #expect(lefts.entries == [0, 1, 2])
    #expect(rights.entries == ["10 action"])
    withExtendedLifetime((left, right)) {}
  }

  @Test func `compares with what was last told`() {
    let store = Store(Both(), reducer: Self.step)
    let told = Journal<Int>()
    let every = Journal<Int>()
    let coarse = store.subscribe(select: \.left, removingDuplicates: { abs($0 - $1) < 3 }, told.note)
    let all = store.subscribe(select: \.left, removingDuplicates: { _, _ in false }, every.note)
    for _ in 0..<7 { store.dispatch(\.left) }
    #expect(told.entries == [0, 3, 6])
    #expect(every.entries == Array(0...7))
    withExtendedLifetime((coarse, all)) {}
  }

  @Test func `ends when cancelled or freed`() {
    let store = Store([], reducer: appending)
    let heard = Journal<[Int]>()
    let cancelled = store.subscribe(heard.note)
    var freed: Subscription? = store.subscribe(heard.note)
    #expect(heard.entries == [[], []])
    cancelled.cancel()
    cancelled.cancel()
    withExtendedLifetime(freed) {}
    freed = nil
    store.dispatch(1)
    #expect(heard.entries == [[], []])
  }

  @Test func `cancelled by an earlier subscriber hears nothing of the same change`() {
    let store = Store([], reducer: appending)
    let later = Shared<Subscription?>(nil)
    let heard = Journal<[Int]>()
    let first = store.subscribe(skipFirst: true) { _ in later.value.withLock { $0 }?.cancel() }
    let second = store.subscribe(skipFirst: true, heard.note)
    later.value.withLock { $0 = second }
    store.dispatch(1)
    #expect(heard.entries == [])
    withExtendedLifetime(first) {}
  }

  @Test func `made inside a handler starts in its turn`() {
    let store = Store([], reducer: appending)
    let heard = Journal<String>()
    let inner = Journal<Subscription>()
    let outer = store.subscribe(skipFirst: true) { [weak store] state in
      heard.note("outer \(state)")
      guard state == [1], let store else { return }
      store.dispatch(2)
      inner.note(store.subscribe { state, cause in heard.note("inner \(state) \(cause)") })
      store.dispatch(3)
    }
    store.dispatch(1)
    #expect(
      heard.entries == [
        "outer [1]", "outer [1, 2]", "inner [1, 2] start", "outer [1, 2, 3]", "inner [1, 2, 3] action",
      ])
    withExtendedLifetime(outer) {}
  }

  @Test func `may be cancelled inside changed`() throws {
    let kept = Shared<Subscription?>(nil)
    let probe = Probe<[Int], Int>(changed: { _, _ in kept.value.withLock { $0 }?.cancel() })
    let store = try Store([], reducer: appending, middleware: [probe])
    let heard = Journal<[Int]>()
    kept.value.withLock { $0 = store.subscribe(skipFirst: true, heard.note) }
    store.dispatch(1)
    #expect(heard.entries == [])
  }

  @Test func `lets go of its handler, which may call the store as it goes`() {
    final class Owner: Sendable {
      let store: Store<[Int], Int>
      let subscription = Shared<Subscription?>(nil)
      init(_ store: Store<[Int], Int>) { self.store = store }
      deinit { store.dispatch(9) }
    }
    let store = Store([], reducer: appending)
    weak var freed: Owner?
    do {
      let owner = Owner(store)
      freed = owner
      owner.subscription.value.withLock { $0 = store.subscribe(skipFirst: true) { _ in _ = owner } }
      owner.subscription.value.withLock { $0 }?.cancel()
    }
    #expect(freed == nil)
    #expect(store.state == [9])
  }

  @Test func `comes and goes on many threads while others dispatch`() {
    let store = Store(0, reducer: { (state: inout Int, step: Int) in state += step })
    onThreads(4) { thread in
      for _ in 0..<500 {
        if thread % 2 == 0 {
          store.dispatch(1)
        } else {
          let last = Shared(-1)
          let subscription = store.subscribe { state in
            last.value.withLock { last in
              precondition(state > last)
              last = state
            }
          }
          subscription.cancel()
        }
      }
    }
    #expect(store.state == 1000)
  }
}
