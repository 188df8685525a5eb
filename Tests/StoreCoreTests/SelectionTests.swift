import StoreCore
import StoreTesting
import Testing

struct `A selection` {
  struct Both: Sendable, Equatable {
    var left = 0
    var right = 0
  }

  static let step: Store<Both, WritableKeyPath<Both, Int> & Sendable>.Reducer = { $0[keyPath: $1] += 1 }
  static let setting: Store<Int, Int>.Reducer = { $0 = $1 }

  final class Owner: Sendable {
    let heard: Journal<String>
    init(_ heard: Journal<String>) { self.heard = heard }
  }

  @Test func `of a part is woken only when the part changes`() {
    let store = Store(Both(), reducer: Self.step)
    let heard = Journal<String>()
    let subscription = store.select(\.left).subscribe { heard.note("\($0) \($1)") }
    store.dispatch(\.left)
    store.dispatch(\.right)
    store.dispatch(\.left)
    store.rebase(cause: .edit) { state, _ in state.left = 9 }
    #expect(heard.entries == ["0 start", "1 action", "2 action", "9 edit"])
    withExtendedLifetime(subscription) {}
  }

  @Test func `of what can't be compared is woken by every change`() {
    struct Odd: Sendable { var left: Int }
    let store = Store(Both(), reducer: Self.step)
    let heard = Journal<Int>()
    let subscription = store.select { Odd(left: $0.left) }.subscribe { heard.note($0.left) }
    store.dispatch(\.left)
    store.dispatch(\.right)
    #expect(heard.entries == [0, 1, 1])
    withExtendedLifetime(subscription) {}
  }

  @Test func `removes duplicates by a part, by equality or by a closure`() {
    let store = Store(0, reducer: Self.setting)
    let all = store.selection
    let heard = Journal<String>()
    let subscriptions = [
      all.removingDuplicates(by: { $0 / 10 }).subscribe { heard.note("part \($0)") },
      all.removingDuplicates().subscribe { heard.note("equal \($0)") },
      all.removingDuplicates(by: { abs($0 - $1) < 5 }).subscribe { heard.note("near \($0)") },
    ]
    for value in [0, 4, 4, 8, 12] { store.dispatch(value) }
    for (name, values) in [("part", [0, 12]), ("equal", [0, 4, 8, 12]), ("near", [0, 8])] {
      #expect(heard.entries.filter { $0.hasPrefix(name) } == values.map { "\(name) \($0)" })
    }
    withExtendedLifetime(subscriptions) {}
  }

  @Test func `skips, filters and maps, anew for each subscription`() {
    let store = Store(0, reducer: Self.setting)
    let selection = store.select(\.self).skip(2).only(where: { $0 % 2 == 1 }).map { $0 * 100 }
    let heard = Journal<Int>()
    let first = selection.subscribe(heard.note)
    for value in 1...4 { store.dispatch(value) }
    #expect(heard.entries == [300])
    let second = selection.subscribe { value in heard.note(-value) }
    for value in 5...7 { store.dispatch(value) }
    #expect(heard.entries == [300, 500, 700, -700])
    withExtendedLifetime((first, second)) {}
  }

  @Test func `with an owner ends when the owner does, and doesn't keep it`() {
    let store = Store(0, reducer: Self.setting)
    let heard = Journal<String>()
    let asked = Journal<Int>()
    weak var freed: Owner?
    do {
      let owner = Owner(heard)
      freed = owner
      store.select { state in
        asked.note(state)
        return state
      }.subscribe(owner: owner) { owner, value, cause in owner.heard.note("\(value) \(cause)") }
      store.dispatch(1)
    }
    #expect(freed == nil)
    for value in 2...5 { store.dispatch(value) }
    #expect(heard.entries == ["0 start", "1 action"])
    // It ended at the first change that found nobody, whatever the part.
    #expect(asked.entries == [0, 1])
  }

  @Test func `of the whole state may have an owner too`() {
    let store = Store(0, reducer: Self.setting)
    let heard = Journal<String>()
    do {
      let owner = Owner(heard)
      store.subscribe(owner: owner) { owner, state, cause in owner.heard.note("\(state) \(cause)") }
      store.map { $0 / 2 }.subscribe(owner: owner) { owner, half in owner.heard.note("half \(half)") }
      store.dispatch(1)
      store.dispatch(2)
    }
    store.dispatch(4)
    #expect(heard.entries == ["0 start", "half 0", "1 action", "2 action", "half 1"])
  }

  @Test func `with an owner can be cancelled before`() {
    let store = Store(0, reducer: Self.setting)
    let owner = Owner(Journal())
    let subscription = store.select(\.self).subscribe(owner: owner) { owner, value in owner.heard.note("\(value)") }
    store.dispatch(1)
    subscription.cancel()
    store.dispatch(2)
    #expect(owner.heard.entries == ["0", "1"])
  }

  @Test func `ends when cancelled, also from its handler, or freed`() {
    let store = Store(0, reducer: Self.setting)
    let heard = Journal<Int>()
    let own = Shared<Subscription?>(nil)
    own.value.withLock { [own] in
      $0 = store.select(\.self).skip().subscribe { value in
        heard.note(value)
        own.value.withLock { $0 }?.cancel()
      }
    }
    var freed: Subscription? = store.select(\.self).skip().subscribe(heard.note)
    withExtendedLifetime(freed) {}
    freed = nil
    store.dispatch(1)
    store.dispatch(2)
    #expect(heard.entries == [1])
  }

  @Test func `cancelled while a step is at work calls nobody`() {
    let store = Store(0, reducer: Self.setting)
    let heard = Journal<Int>()
    let own = Shared<Subscription?>(nil)
    let subscription = store.selection.map { value in
      if value == 1 { own.value.withLock { $0 }?.cancel() }
      return value
    }.subscribe(heard.note)
    own.value.withLock { $0 = subscription }
    store.dispatch(1)
    #expect(heard.entries == [0])
  }

  @Test func `is freed with its store, whatever its steps`() async {
    final class Canary: Sendable {}
    weak var canary: Canary?
    let clock = ManualClock()
    let ended = Journal<Int>()
    do {
      let held = Canary()
      canary = held
      let store = Store(0, reducer: Self.setting)
      let owner = Owner(Journal())
      // With an owner nobody cancels it: the store alone keeps it.
      store.select(\.self).debounce(for: .seconds(1), clock: clock).throttle(for: .seconds(1), clock: clock)
        .present { $0 }.deliver(on: MainActor.shared).subscribe(owner: owner) { _, value in
          withExtendedLifetime(held) { ended.note(value) }
        }
      store.dispatch(7)
      withExtendedLifetime(owner) {}
      _ = await Task { @MainActor in }.value
    }
    while canary != nil { await Task.yield() }
    #expect(canary == nil)
  }

  @Test func `misses nothing and keeps the order while others come, go and dispatch`() {
    let store = Store(0, reducer: { (state: inout Int, step: Int) in state += step })
    onThreads(4) { thread in
      for _ in 0..<300 {
        if thread % 2 == 0 {
          store.dispatch(1)
        } else {
          let last = Shared<Int?>(nil)
          let subscription = store.selection.removingDuplicates().subscribe { state in
            last.value.withLock { last in
              precondition(last == nil || state == last! + 1)
              last = state
            }
          }
          store.dispatch(1)
          subscription.cancel()
        }
      }
    }
    #expect(store.state == 1200)
  }
}
