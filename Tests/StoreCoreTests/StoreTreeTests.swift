import StoreCore
import StoreTesting
import TestThreads
import Testing

@Suite(.ownThreads) struct `A tree of stores` {
  typealias Node = Store<NodeState<[Int], [Int]>, Int>

  let root = Store([], reducer: appending)

  @Test func `sends actions up to the root and the state down`() {
    let feature = root.with([10]) { (local: inout [Int], action: Int) in local.append(-action) }
    let leaf = feature.with("") { (local: inout String, action: Int) in local += "\(action)" }
    leaf.dispatch(1)
    #expect(root.state == [1])
    #expect(feature.state == NodeState(parent: [1], local: [10, -1]))
    #expect(leaf.state == NodeState(parent: NodeState(parent: [1], local: [10, -1]), local: "1"))
    feature.dispatch(2)
    #expect(root.state == [1, 2])
    #expect(leaf.state.parent.local == [10, -1, -2])
    #expect(leaf.state.local == "1")
    root.dispatch(3)
    #expect(leaf.state.parent.parent == [1, 2, 3])
    #expect(feature.state.local == [10, -1, -2])
  }

  @Test func `tells a node of the parent's changes with their cause`() {
    let node = root.with(0) { (local: inout Int, action: Int) in local += action }
    let heard = Journal<String>()
    let subscription = node.subscribe(skipFirst: true) { state, cause in
      heard.note("\(state.parent) \(state.local) \(cause)")
    }
    node.dispatch(1)
    root.rebase(cause: .instance("4f2a")) { state, _ in state = [7] }
    #expect(heard.entries == ["[1] 1 action", "[7] 1 instance 4f2a"])
    withExtendedLifetime(subscription) {}
  }

  @Test func `hears of an action once, when all have reduced it`() {
    let counting: @Sendable (inout Int, Int) -> Void = { count, step in count += step }
    let root = Store(0, reducer: counting)
    let upper = root.with(0, reducer: counting)
    let beside = root.with(0, reducer: counting)
    let leaf = upper.with(0, reducer: counting)
    let heard = Journal<String>()
    let now: @Sendable (Cause) -> String = { cause in
      "\(cause) \(root.state) \(upper.state.local) \(leaf.state.parent.parent) \(leaf.state.parent.local) \(leaf.state.local)"
    }
    let subscriptions = [
      root.subscribe(skipFirst: true) { _, cause in heard.note("root \(now(cause))") },
      upper.subscribe(skipFirst: true) { _, cause in heard.note("upper \(now(cause))") },
      beside.subscribe(skipFirst: true) { state, cause in heard.note("beside \(cause) \(state.parent) \(state.local)")
      },
      leaf.subscribe(skipFirst: true) { _, cause in heard.note("leaf \(now(cause))") },
    ]
    leaf.dispatch(1)
    #expect(
      heard.entries == [
        "root action 1 1 1 1 1", "upper action 1 1 1 1 1", "beside action 1 0", "leaf action 1 1 1 1 1",
      ])
    #expect(leaf.withState { _, version in version } == 1)
    withExtendedLifetime(subscriptions) {}
  }

  @Test(arguments: [false, true])
  func `reduces at once what a middleware above drops or holds back`(isHeld: Bool) throws {
    let held = Journal<@Sendable () -> Void>()
    let probe = Probe<NodeState<[Int], [Int]>, Int>(dispatch: { action, next in
      if action == 1 { held.note { next(10) } } else { next(action) }
    })
    let upper = try root.with([], reducer: Reducer(appending), middleware: [probe])
    let lower = upper.with([], reducer: appending)
    let leaf = lower.with([], reducer: appending)
    let heard = Journal<[[Int]]>()
    let subscription = leaf.subscribe(skipFirst: true) { leaf, _ in
      heard.note([leaf.parent.parent.parent, leaf.parent.parent.local, leaf.parent.local, leaf.local])
    }
    leaf.dispatch(1)
    leaf.dispatch(2)
    if isHeld {
      // Twice, as the middleware may.
      held.entries[0]()
      held.entries[0]()
    }
    #expect(
      heard.entries == [[[], [], [1], [1]], [[2], [2], [1, 2], [1, 2]]]
        + (isHeld ? [[[2, 10], [2, 10], [1, 2], [1, 2]], [[2, 10, 10], [2, 10, 10], [1, 2], [1, 2]]] : []))
    withExtendedLifetime(subscription) {}
  }

  @Test func `ignores actions where it is closed, also for those above, and not for those below`() async throws {
    let upper = root.with([], reducer: appending)
    let leaf = upper.with([], reducer: appending)
    leaf.dispatch(1)
    try await upper.close()
    leaf.dispatch(2)
    root.dispatch(3)
    #expect(root.state == [1, 3])
    #expect(leaf.state == NodeState(parent: NodeState(parent: [1], local: [1]), local: [1, 2]))
    let other = root.with([], reducer: appending)
    try await root.close()
    other.dispatch(4)
    // A closed store has let go of those below.
    #expect(other.state == NodeState(parent: [1, 3], local: []))
  }

  @Test func `lets no two stores disagree, whoever dispatches where`() {
    let upper = root.with([], reducer: appending)
    let leaves = (0..<3).map { _ in upper.with([], reducer: appending) }
    let subscriptions = leaves.map { leaf in
      leaf.subscribe { state in
        let (all, upper) = (state.parent.parent, state.parent.local)
        precondition(all.filter { $0 >= 0 } == upper, "the root and the node below: \(all), \(upper)")
        precondition(
          state.local == upper.filter { state.local.contains($0) }, "the same order: \(upper), \(state.local)")
      }
    }
    onThreads(4) { thread in
      for number in 0..<60 {
        if thread == 3 { root.dispatch(-1) } else { leaves[thread].dispatch(thread * 60 + number) }
      }
    }
    #expect(leaves.map(\.state.local.count) == [60, 60, 60])
    withExtendedLifetime(subscriptions) {}
  }

  @Test func `refuses the use of a store of the tree inside of another's turn`() async throws {
    let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let root = Store(0, reducer: { (count: inout Int, step: Int) in count += step })
      root.with(0) { (_: inout Int, _: Int) in _ = root.state }.dispatch(1)
    }
    let sentence = "state was read from inside a reducer; a reducer may only use the state and the action it is given"
    #expect(String(decoding: result.standardErrorContent, as: UTF8.self).contains("Fatal error: \(sentence)\n"))
  }

  @Test func `takes as long for each store, however deep it is`() {
    func time(_ depth: Int) -> Double {
      let root = Store(0, reducer: { (count: inout Int, step: Int) in count += step })
      var leaf = root.map(state: { $0 })
      for _ in 0..<depth {
        leaf = leaf.with(0) { (count: inout Int, step: Int) in count += step }.map(state: { $0.parent + $0.local })
      }
      let subscription = leaf.subscribe { (_: Int) in }
      let start = ContinuousClock.now
      for _ in 0..<(8_000 / depth) { leaf.dispatch(1) }
      withExtendedLifetime(subscription) {}
      return (ContinuousClock.now - start) / .seconds(1)
    }
    // If each took as long as there are others, it would be 40 times as long.
    let ratios = (0..<5).map { _ in time(800) / time(20) }
    #expect(ratios.contains { $0 < 8 }, "\(ratios)")
  }

  @Test func `may have actions of its own, some of which stay below`() {
    let node = root.with(
      "", reducer: Reducer<String, String> { $0 += $1 }, action: { (text: String) in Int(text) })
    node.dispatch("a")
    node.dispatch("5")
    #expect(root.state == [5])
    #expect(node.state == NodeState(parent: [5], local: "a5"))
  }

  @Test(arguments: [false, true])
  func `drops what an effect has sent once that is cancelled, also above`(isCancelled: Bool) async throws {
    let delayed = Journal<@Sendable () -> Void>()
    let hold = Probe<NodeState<[Int], Bool>, Int>(dispatch: { action, next in
      if action < 10 { return next(action) }
      delayed.note { next(action) }
    })
    let node = try root.with(false, reducer: Reducer { local, action in local = action == 1 }, middleware: [hold])
    node.effect(toggle: \.local) { _, send in send(10) }
    node.dispatch(1)
    let held = await delayed.entries(1)
    if isCancelled { node.dispatch(2) }
    held[0]()
    #expect(root.state == (isCancelled ? [1, 2] : [1, 10]))
  }

  @Test func `drops it also where a view is between, or the root holds it`() async throws {
    let delayed = Journal<@Sendable () -> Void>()
    let hold = Probe<[Int], Int>(dispatch: { action, next in
      if action < 10 { return next(action) }
      delayed.note { next(action) }
    })
    let root = try Store([], reducer: appending, middleware: [hold])
    let node = root.map(state: \.count).with(false, reducer: Reducer { local, action in local = action == 1 })
    node.effect(toggle: \.local) { _, send in send(10) }
    node.dispatch(1)
    let held = await delayed.entries(1)
    node.dispatch(2)
    held[0]()
    #expect(root.state == [1, 2])
  }

  @Test func `reduces the action by which an effect ends itself in the root`() async {
    let root = Store(true, reducer: Reducer<Bool, Int> { isOn, action in if action == 7 { isOn = false } })
    let node = root.with([], reducer: Reducer<[Int], Int> { seen, action in seen.append(action) })
    node.effect(toggle: \.parent) { _, send in send(7) }
    for await seen in node.values(of: \.local) where !seen.isEmpty { break }
    #expect(node.state == NodeState(parent: false, local: [7]))
  }

  @Test func `commits the root with a node, which has its dependencies`() async throws {
    let steps = Journal<String>()
    let clock = ManualClock()
    let root = try withDependencies {
      $0.clock = clock
    } operation: {
      try Store([], reducer: appending, middleware: [Probe("root", steps: steps)])
    }
    let node = root.map(state: \.count).with(0, reducer: Reducer<Int, Int> { $0 += $1 })
    try await node.commit()
    #expect(steps.entries == ["root start", "root flush"])
    #expect(node.dependencies.clock as? ManualClock === clock)
  }

  @Test func `reduces where the root does, and after it`() async throws {
    let steps = Journal<String>()
    let root = Store(
      [], reducer: Reducer<[Int], Int> { _, action in steps.note("root \(action)") }, reducing: .inBackground())
    let node = root.map(state: \.count).with(0, reducer: Reducer { _, action in steps.note("node \(action)") })
    for action in 1...100 { node.dispatch(action) }
    try await node.commit()
    #expect(steps.entries == (1...100).flatMap { ["root \($0)", "node \($0)"] })
  }

  @Test func `reduces elsewhere than the root where it is told to`() async throws {
    let root = Store([], reducer: Reducer<[Int], Int> { $0.append($1) }, reducing: .inBackground())
    let node = try root.with(0, reducer: Reducer<Int, Int> { $0 += $1 }, reducing: .onCaller, middleware: [])
    node.dispatch(5)
    #expect(node.state.local == 5)
    try await node.commit()
    #expect(root.state == [5])
  }

  @Test func `grows from a view, which only wakes it for its part`() {
    let count = root.map(state: { $0.count / 2 })
    let node = count.with(0, reducer: Reducer<Int, Int> { $0 += $1 })
    for number in 1...4 { root.dispatch(number) }
    node.dispatch(5)
    #expect(root.state == [1, 2, 3, 4, 5])
    #expect(node.withState { state, version in "\(state.parent) \(state.local) \(version)" } == "2 5 3")
  }

  @Test func `has middleware in each node, that sees an action before it goes up`() throws {
    let steps = Journal<String>()
    let heard = Journal<String>()
    let upper = Probe<[Int], Int>(dispatch: { action, next in
      heard.note("root \(action)")
      next(action)
    })
    let root = try Store([], reducer: appending, middleware: [upper])
    let lower = Probe<NodeState<[Int], [Int]>, Int>(
      "node", steps: steps,
      dispatch: { action, next in
        heard.note("node \(action)")
        if action > 0 { next(action + 1) }
      }, changed: { change, state in heard.note("changed \(state.parent) \(state.local) \(change.cause)") })
    do {
      let node = try root.with([], reducer: Reducer(appending), middleware: [lower])
      node.dispatch(1)
      node.dispatch(-1)
    }
    #expect(
      heard.entries == ["node 1", "root 2", "changed [2] [2] action", "node -1"])
    #expect(steps.entries == ["node start", "node abandon"])
  }

  @Test func `closes a node without its parent`() async throws {
    let node = root.with([]) { (local: inout [Int], action: Int) in local.append(action) }
    node.dispatch(1)
    try await node.close()
    node.dispatch(2)
    root.dispatch(3)
    #expect(root.state == [1, 3])
    #expect(node.state == NodeState(parent: [1], local: [1]))
  }

  @Test func `keeps the parent of a node, and frees a node without its parent`() {
    weak var freedNode: Node?
    weak var freedRoot: Store<[Int], Int>?
    do {
      let node: Node
      do {
        let root = Store([], reducer: appending)
        freedRoot = root
        node = root.with([], reducer: appending)
        _ = root.with([], reducer: appending)
      }
      freedNode = node
      node.dispatch(1)
      #expect(freedRoot?.state == [1])
    }
    #expect(freedNode == nil)
    #expect(freedRoot == nil)
  }

  @Test func `may be dispatched to from a node's changed, from its subscribers and from the parent's`() throws {
    let root = root
    let probe = Probe<NodeState<[Int], [Int]>, Int>(changed: { change, _ in
      if change.action == 1 { root.dispatch(2) }
    })
    let node = try root.with([], reducer: Reducer(appending), middleware: [probe])
    let below = node.subscribe { [weak node] state in if state.parent.last == 2 { node?.dispatch(3) } }
    let above = root.subscribe { [weak node] state in if state.last == 3 { node?.dispatch(4) } }
    node.dispatch(1)
    #expect(root.state == [1, 2, 3, 4])
    #expect(node.state == NodeState(parent: [1, 2, 3, 4], local: [1, 3, 4]))
    withExtendedLifetime((below, above)) {}
  }

  @Test func `lets a delayed action go from inside changed`() throws {
    let delayed = Journal<@Sendable () -> Void>()
    let probe = Probe<NodeState<[Int], [Int]>, Int>(
      dispatch: { action, next in
        if action == 1 { delayed.note { next(action) } } else { next(action) }
      }, changed: { change, _ in if change.action == 2 { delayed.entries[0]() } })
    let node = try root.with([], reducer: Reducer(appending), middleware: [probe])
    node.dispatch(1)
    node.dispatch(2)
    #expect(root.state == [2, 1])
    #expect(node.state == NodeState(parent: [2, 1], local: [2, 1]))
  }

  @Test func `never takes a node back, whatever number of threads dispatch while nodes come and go`() {
    onThreads(4) { thread in
      for number in 0..<100 {
        let node = root.with([], reducer: appending)
        let last = Shared(NodeState<Int, Int>(parent: 0, local: 0))
        let subscription = node.subscribe { state in
          last.value.withLock { last in
            precondition(state.parent.count >= last.parent && state.local.count >= last.local)
            last = NodeState(parent: state.parent.count, local: state.local.count)
          }
        }
        node.dispatch(thread * 100 + number)
        root.dispatch(-1)
        withExtendedLifetime(subscription) {}
      }
    }
    #expect(root.state.count == 800)
    #expect(root.state.filter { $0 >= 0 }.sorted() == Array(0..<400))
  }

  @Test func `delivers everything to a node in the end`() {
    let nodes = (0..<3).map { _ in root.with([], reducer: appending) }
    onThreads(4) { thread in
      for number in 0..<200 { (thread == 3 ? nodes[0] : nodes[thread]).dispatch(thread * 200 + number) }
    }
    for node in nodes { #expect(node.state.parent == root.state) }
    #expect(nodes.map { $0.state.local.count } == [400, 200, 200])
  }
}
