import Synchronization
import Testing

@testable import StoreCore

/// Subscriptions that come and go in number.
@Suite struct CancellationTests {
  private static func makeStore() -> Store<Int, Int> { Store(0, reducer: { $0 += $1 }) }

  @Test func `those who stay hear of everything, in the order in which they came`() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<100 {
      let store = Self.makeStore()
      let heard = Mutex<[Int]>([])
      var subscriptions: [(number: Int, subscription: Subscription)] = []
      for number in 0..<60 {
        subscriptions.append(
          (number, store.subscribe(skipFirst: true) { (_: Int) in heard.withLock { $0.append(number) } }))
        while Bool.random(using: &random), let index = subscriptions.indices.randomElement(using: &random) {
          subscriptions.remove(at: index).subscription.cancel()
        }
        heard.withLock { $0 = [] }
        store.dispatch(1)
        #expect(heard.withLock { $0 } == subscriptions.map(\.number))
      }
    }
  }

  @Test func `what a handler holds is freed when it is cancelled`() {
    final class Held: Sendable {}
    let store = Self.makeStore()
    let others = (0..<10).map { _ in store.subscribe { (_: Int) in } }
    var held: Held? = Held()
    weak let weakly = held
    let subscription = store.subscribe { [held] (_: Int) in withExtendedLifetime(held) {} }
    held = nil
    #expect(weakly != nil)
    subscription.cancel()
    #expect(weakly == nil)
    withExtendedLifetime(others) {}
  }

  @Test func `one that is cancelled inside a turn is out with the next`() {
    final class Held: Sendable {}
    let kept = Mutex<Subscription?>(nil)
    let store = Store<Int, Int>(
      0,
      reducer: { (state: inout Int, action: Int) in
        state += action
        if action == 7 { kept.withLock { $0 }?.cancel() }
      })
    var held: Held? = Held()
    weak let weakly = held
    let heard = Mutex(0)
    let first = store.subscribe(skipFirst: true) { [held] (_: Int) in
      withExtendedLifetime(held) { heard.withLock { $0 += 1 } }
    }
    held = nil
    kept.withLock { $0 = first }
    let others = (0..<10).map { _ in store.subscribe { (_: Int) in } }
    store.dispatch(7)
    #expect(heard.withLock { $0 } == 0)
    others[3].cancel()
    #expect(weakly == nil)
  }

  @Test func `from all threads none is taken for another`() async {
    let store = Self.makeStore()
    final class Heard: Sendable { let count = Atomic<Int>(0) }
    let heard = Heard()
    var rest: [Subscription] = []
    await withTaskGroup(of: [Subscription].self) { group in
      for _ in 0..<8 {
        group.addTask {
          var own: [Subscription] = []
          for number in 0..<2_000 {
            own.append(store.subscribe(skipFirst: true) { (_: Int) in heard.count.add(1, ordering: .relaxed) })
            if number % 30 > 0 { own.remove(at: number % own.count).cancel() }
          }
          return own
        }
      }
      for await own in group { rest += own }
    }
    store.dispatch(1)
    #expect(rest.count == 8 * 67 && heard.count.load(ordering: .relaxed) == rest.count)
  }

  @Test func `who was taken out meanwhile with all who were cancelled takes out nobody else`() {
    let (gone, other) = (Cancellation(), Cancellation())
    var roster = Roster<Int>()
    roster.add(1, gone)
    roster.add(2, other)
    #expect(gone.cancel())
    #expect(roster.removeCancelled() == [1, 2])
    #expect(roster.remove(gone, leaving: 0) == [])
    #expect(roster.members == [2])
  }

  @Test(arguments: [true, false])
  func `effects are given and cancelled as fast, whatever number of them there is`(isCancelling: Bool) {
    func time(_ count: Int) -> Double {
      let store = Self.makeStore()
      func give() -> [EffectRegistration] { (0..<count).map { _ in store.effect(toggle: { $0 < 0 }) { _, _ in } } }
      var start = ContinuousClock.now
      let effects = give()
      if isCancelling {
        start = .now
        for effect in effects { effect.cancel() }
      }
      return (ContinuousClock.now - start) / .seconds(1) / Double(count)
    }
    let ratios = (0..<5).map { _ in time(8_000) / time(250) }
    #expect(ratios.contains { $0 < 10 }, "\(ratios)")
  }

  @Test func `whoever is cancelled inside of a turn hears nothing more, and is out of it afterwards`() async {
    let (began, ended) = (Journal<Int>(), Journal<Int>())
    let cancel = Journal<@Sendable () -> Void>()
    let gate = Gate()
    let store = Store(
      0,
      reducer: { (count: inout Int, step: Int) in
        count += step
        if step == 2 { cancel.entries.forEach { $0() } }
      })
    let effect = store.effect(toggle: { $0 == 1 || $0 == 4 }, owner: .local, id: "effect") { _, _ in
      await withTaskCancellationHandler {
        began.note(1)
        await gate.pass()
      } onCancel: {
        // It would be a deadlock inside of the lock.
        ended.note(store.state)
      }
    }
    let subscription = store.subscribe(skipFirst: true) { (count: Int) in began.note(count) }
    cancel.note { effect.cancel() }
    cancel.note { subscription.cancel() }
    store.dispatch(1)
    #expect(await began.entries(2).sorted() == [1, 1])
    store.dispatch(2)
    #expect(ended.entries == [3])
    store.dispatch(1)
    gate.open()
    #expect(store.state == 4 && began.entries == [1, 1])
  }

  @Test func `replacing many takes as long each as replacing few`() {
    func replacing(_ count: Int) -> Double {
      let store = Self.makeStore()
      var subscriptions = (0..<count).map { _ in store.subscribe(skipFirst: true) { (_: Int) in } }
      let start = ContinuousClock.now
      for index in 0..<count { subscriptions[index] = store.subscribe(skipFirst: true) { (_: Int) in } }
      return (ContinuousClock.now - start) / .seconds(1) / Double(count)
    }
    // Linear in all: the same each. If each took as long as there are others, it would be 32 times as long.
    let ratios = (0..<5).map { _ in replacing(16_000) / replacing(500) }
    #expect(ratios.contains { $0 < 10 }, "\(ratios)")
  }
}
