import StoreCore
import Synchronization
import TestSupport

/// One of the threads: what it has made, and what it does next.
struct Actor {
  private let stage: Stage
  private var random: SplitMix64
  private var subscriptions: [Subscription] = []
  private var effects: [EffectRegistration] = []
  private var nodes: [Upper] = []

  init(_ stage: Stage, seed: UInt64) {
    self.stage = stage
    random = SplitMix64(seed: seed)
  }

  mutating func takeStep() {
    switch Int.random(in: 0..<16, using: &random) {
    case 0, 1: add(1) { stage.root.dispatch(.add) }
    case 2, 3: addThroughLeaf()
    case 4: stage.root.dispatch(.chain(Int.random(in: 0..<40, using: &random)))
    case 5: stage.root.dispatch(.toggle)
    case 6: stage.root.dispatch(.start(id: Int.random(in: 0..<6, using: &random)))
    case 7: stage.root.dispatch(.cancel(id: Int.random(in: 0..<6, using: &random)))
    case 8: subscribe()
    case 9: cancelSubscription()
    case 10: changeEffects()
    case 11: growNode()
    case 12: lookThroughViews()
    case 13: startAsyncAction()
    case 14: rebase()
    default: read()
    }
  }

  private func add(_ count: Int, _ dispatch: () -> Void) {
    stage.added.increment(by: count)
    dispatch()
  }

  private mutating func addThroughLeaf() {
    let number = Int.random(in: stage.leaves.indices, using: &random)
    stage.own[number].increment()
    add(1) { stage.leaves[number].dispatch(.add) }
  }

  /// Hears of a leaf, or of the root; sometimes it dispatches, cancels itself, or subscribes once more.
  private mutating func subscribe() {
    let (stage, kind) = (stage, Int.random(in: 0..<4, using: &random))
    let last = Mutex(0)
    let once = Atomic<Bool>(false)
    if kind == 0 {
      subscriptions.append(
        stage.leaves[0].subscribe { state, _ in
          last.withLock { last in
            check(state.parent.parent.count >= last, "a leaf went back to \(state.parent.parent.count)")
            last = state.parent.parent.count
          }
          check(state.parent.local <= state.parent.parent.count, "the root is behind the store below")
          check(state.local <= state.parent.local, "a store is behind the leaf below")
        })
      return
    }
    let held = Mutex<Subscription?>(nil)
    let subscription = stage.root.select(\.count).subscribe { count, cause in
      if cause == .start || once.exchange(true, ordering: .relaxed) { return }
      switch kind {
      case 1:
        stage.added.increment()
        stage.root.dispatch(.add)
      case 2: held.withLock { $0 }?.cancel()
      default: stage.upper.subscribe { (_: NodeState<App, Int>) in }.cancel()
      }
    }
    if kind == 2 { held.withLock { $0 = subscription } }
    subscriptions.append(subscription)
  }

  private mutating func cancelSubscription() {
    guard let number = subscriptions.indices.randomElement(using: &random) else { return }
    subscriptions.remove(at: number).cancel()
    // A thread of its own cancels another.
    if subscriptions.count > 30 { subscriptions.removeAll() }
  }

  private mutating func changeEffects() {
    if effects.count > 5, let number = effects.indices.randomElement(using: &random) {
      effects.remove(at: number).cancel()
    } else {
      effects.append(stage.root.effect(toggle: \.isOn, owner: .local, id: "on") { _, _ in await Task.yield() })
    }
  }

  private mutating func growNode() {
    let node = stage.root.with(0, reducer: Reducer { count, action in if action == .add { count += 1 } })
    add(1) { node.dispatch(.add) }
    check(node.state.local == 1, "a node has reduced \(node.state.local) of 1 action")
    if Bool.random(using: &random) { nodes.append(node) }
    if nodes.count > 4 { nodes.remove(at: 0) }
  }

  private func lookThroughViews() {
    let view = stage.leaves[1].map(state: \.parent).map(state: \.parent.count).scope(
      state: { $0 / 2 }, action: { (_: Int) in AppAction.add })
    let before = view.state
    add(1) { view.dispatch(1) }
    stage.own[1].increment()
    check(view.state >= before, "a view went back to \(view.state)")
  }

  private func startAsyncAction() {
    let stage = stage
    stage.added.increment(by: 2)
    stage.root.dispatch(
      Thunk { (context: AsyncActionContext<App, AppAction>) in
        context.dispatch(.add)
        await Task.yield()
        context.dispatch(.add)
      })
  }

  private func rebase() {
    stage.root.rebase(cause: .edit) { app, reducer in
      app.count += 1
      app.count -= 1
      _ = reducer
    }
  }

  private func read() {
    let count = stage.root.withState { app, _ in app.count }
    check(stage.leaves[2].state.parent.parent.count >= 0 && count >= 0, "there is less than nothing")
  }
}
