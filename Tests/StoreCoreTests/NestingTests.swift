import Foundation
import StoreCore
import Testing

/// What leads to one another without end takes no stack.
struct `Nested as deep as you like` {
  @Test func `effects send one action after another`() {
    let store = Store(0) { (count: inout Int, left: Int) -> Effect<Int> in
      count += 1
      return left == 0 ? .none : .send(left - 1)
    }
    onThread(stack: 512 << 10) { store.dispatch(200_000) }
    #expect(store.state == 200_001)
  }

  @Test func `a middleware dispatches from changed`() throws {
    let countdown = Countdown()
    let store = try Store(0, reducer: { (count: inout Int, _: Int) in count += 1 }, middleware: [countdown, Passing()])
    onThread(stack: 512 << 10) { store.dispatch(200_000) }
    #expect(store.state == 200_001)
  }

  @Test(arguments: [false, true])
  func `effects are merged with others, or follow others`(isInOrder: Bool) {
    let store = Store(
      0,
      effects: EffectReducer<Int, Int> { count, action in
        count += 1
        guard action > 0 else { return .none }
        let join = { (effects: [Effect<Int>]) in isInOrder ? Effect.concatenate(effects) : .merge(effects) }
        var effect = Effect<Int>.send(0)
        for number in 0..<action { effect = number % 2 == 0 ? join([effect, .none]) : join([.none, effect]) }
        return .merge(effect.cancellable(id: 1).map { $0 }, .send(0))
      })
    onThread(stack: 512 << 10) { store.dispatch(100_000) }
    #expect(store.state == 3)
  }

  @Test func `a store grows below another`() {
    onThread(stack: 512 << 10) {
      let root = Store(0) { (count: inout Int, step: Int) in count += step }
      weak let freed = root
      var leaf = root.map(state: { [$0] })
      for depth in 0..<Self.depth {
        let node = leaf.with(0) { (count: inout Int, step: Int) in count += step }
        leaf = node.map(state: { [$0.parent[0], $0.local + depth] })
      }
      let heard = Journal<[Int]>()
      let subscription = leaf.subscribe(skipFirst: true) { heard.note($0) }
      leaf.dispatch(1)
      root.dispatch(1)
      #expect(heard.entries == [[1, Self.depth], [2, Self.depth]])
      subscription.cancel()
      leaf = root.map(state: { [$0] })
      leaf = Store([0]) { (_: inout [Int], _: Int) in }.map(state: \.self)
      _ = consume root
      #expect(freed == nil)
    }
  }

  @Test func `a view is one of another`() async throws {
    let root = Store(0) { (count: inout Int, step: Int) in count += step }
    onThread(stack: 512 << 10) {
      var view = root.map(state: { $0 + 1 })
      for _ in 1..<Self.depth { view = view.scope(state: { $0 + 1 }, action: { $0 + 1 }) }
      let heard = Journal<Int>()
      let subscription = view.subscribe { heard.note($0) }
      view.dispatch(7 - Self.depth + 1)
      #expect(view.state == 7 + Self.depth)
      #expect(heard.entries == [Self.depth, 7 + Self.depth])
      withExtendedLifetime(subscription) {}
    }
    #expect(root.state == 7)
  }

  /// As deep as a release build, which takes a tenth of the time, can be: see the stress.
  private static let depth = 20_000

  @Test func `what comes of an action is dispatched before what comes of the next`() {
    let store = Store([]) { (heard: inout [String], action: String) -> Effect<String> in
      heard.append(action)
      return action.count > 2 ? .none : .merge(.send(action + "a"), .send(action + "b"))
    }
    store.dispatch("")
    let tree = ["", "a", "aa", "aaa", "aab", "ab", "aba", "abb", "b", "ba", "baa", "bab", "bb", "bba", "bbb"]
    #expect(store.state == tree)
  }
}

private final class Countdown: Middleware {
  private let reference = WeakStore<Int, Int>()

  func start(_ store: Store<Int, Int>) { reference.set(store) }

  func changed(_ change: Change<Int, Int>, state: borrowing Int) {
    if let action = change.action, action > 0 { reference.store?.dispatch(action - 1) }
  }
}

private struct Passing: Middleware {
  func dispatch(_ action: Int, next: @escaping @Sendable (Int) -> Void) { next(action) }
  func changed(_ change: Change<Int, Int>, state: borrowing Int) {}
}

/// Runs the body on a thread whose stack has so many bytes.
private func onThread(stack size: Int, _ body: @escaping @Sendable () -> Void) {
  let isOver = DispatchSemaphore(value: 0)
  let thread = Thread {
    body()
    isOver.signal()
  }
  thread.stackSize = size
  thread.start()
  isOver.wait()
}
