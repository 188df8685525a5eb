import Foundation
import StoreCore

/// What is nested as deep as an app ever could, on stacks as small as a thread of the pool has, or the main thread.
enum Depths {
  static func measure() {
    measure("1,000,000 actions, each sent by the effect of the one before", stack: 512 << 10) {
      let store = Store(0) { (count: inout Int, left: Int) -> Effect<Int> in
        count += 1
        return left == 0 ? .none : .send(left - 1)
      }
      store.dispatch(999_999)
      check(store.state == 1_000_000, "\(store.state) actions were reduced")
    }
    measure("1,000,000 actions, each dispatched from changed", stack: 512 << 10) {
      let countdown = Countdown()
      guard let store = try? Store(0, reducer: { (count: inout Int, _: Int) in count += 1 }, middleware: [countdown])
      else {
        fail("a middleware that can't throw did")
      }
      store.dispatch(999_999)
      check(store.state == 1_000_000, "\(store.state) actions were reduced")
    }
    measure("100,000 stores, each below the one before", stack: 8 << 20) {
      let root = Store(0) { (count: inout Int, step: Int) in count += step }
      var leaf = root.map(state: { $0 })
      for _ in 0..<100_000 {
        leaf = leaf.with(0) { (count: inout Int, step: Int) in count += step }.map(state: { $0.parent + $0.local })
      }
      leaf.dispatch(1)
      check(leaf.state == 100_001, "\(leaf.state) stores have reduced an action")
    }
    measure("100,000 views, each of the one before", stack: 8 << 20) {
      let root = Store(0) { (count: inout Int, step: Int) in count += step }
      var view = root.map(state: { $0 })
      for _ in 0..<100_000 { view = view.scope(state: { $0 + 1 }, action: { $0 }) }
      view.dispatch(1)
      check(view.state == 100_001, "\(view.state) views were looked through")
    }
    measure("100,000 effects, each merged into the one before", stack: 8 << 20) {
      let store = Store(0) { (count: inout Int, depth: Int) -> Effect<Int> in
        count += 1
        if depth == 0 { return .none }
        var effect = Effect<Int>.send(0)
        for number in 0..<depth { effect = number % 2 == 0 ? .merge(effect, .none) : .merge(.none, effect) }
        return effect.map { $0 }
      }
      store.dispatch(100_000)
      check(store.state == 2, "\(store.state) actions were reduced")
    }
  }

  private static func measure(_ name: String, stack: Int, _ body: @escaping @Sendable () -> Void) {
    let isOver = DispatchSemaphore(value: 0)
    let thread = Thread {
      let time = ContinuousClock().measure(body)
      print("\(name): \(time)")
      isOver.signal()
    }
    thread.stackSize = stack
    thread.start()
    isOver.wait()
  }
}

private final class Countdown: Middleware {
  private let store = WeakStore<Int, Int>()

  func start(_ store: Store<Int, Int>) { self.store.set(store) }

  func changed(_ change: Change<Int, Int>, state: borrowing Int) {
    if let action = change.action, action > 0 { store.store?.dispatch(action - 1) }
  }
}

/// What a search for leaks must find.
enum Leak {
  private final class Knot {
    var knot: Knot?
  }

  static func leave() {
    let knot = Knot()
    knot.knot = knot
  }
}
