/// The coordinators of the route that is shown, from the root inwards.
struct CoordinatorTree: Sendable {
  struct Branch: Sendable {
    /// The segment it is for; empty for the root.
    let segment: String
    let coordinator: any Coordinator
  }

  /// What is to be done to get to a route, all of it prepared.
  struct Plan: Sendable {
    var route: Route
    var branches: [Branch]
    /// How many of the branches are there already.
    var kept: Int
  }

  private let root: any Coordinator
  private let watch: Watch
  private var branches: [Branch] = []
  private var route = Route()

  init(_ root: any Coordinator, _ watch: Watch) {
    self.root = root
    self.watch = watch
  }

  /// Finds and prepares the coordinators of a route. Nil if one refused it, which is reported, or the task is cancelled.
  func prepare(for route: Route) async -> Plan? {
    var plan = plan(for: route)
    for depth in 0...route.segments.count {
      if depth == plan.branches.count, await !extend(&plan) { break }
      let coordinator = plan.branches[depth].coordinator
      let rest = route.dropFirst(depth)
      if depth < plan.kept && rest == self.route.dropFirst(depth) { continue }
      do {
        if Task.isCancelled { return nil }
        try await watch.during(.prepare, of: coordinator, whole: route) { try await coordinator.prepare(for: rest) }
      } catch {
        if !Task.isCancelled { watch.report(.refused(coordinator: coordinator.name, route: route, error: error)) }
        return nil
      }
    }
    return plan
  }

  /// Shows what was prepared.
  mutating func carryOut(_ plan: Plan) async {
    for branch in branches.dropFirst(plan.kept).reversed() {
      await watch.during(.stop, of: branch.coordinator, whole: plan.route) { await branch.coordinator.stop() }
    }
    for (depth, branch) in plan.branches.enumerated().dropFirst(plan.kept) {
      let rest = plan.route.dropFirst(depth)
      await watch.during(.start, of: branch.coordinator, whole: plan.route) { await branch.coordinator.start(at: rest) }
    }
    if plan.kept == plan.branches.count, let innermost = plan.branches.last {
      let rest = plan.route.dropFirst(plan.branches.count - 1)
      await watch.during(.show, of: innermost.coordinator, whole: plan.route) { await innermost.coordinator.show(rest) }
    }
    (branches, route) = (plan.branches, plan.route)
  }

  /// Takes a route for shown.
  mutating func adopt(_ route: Route) async {
    var plan = plan(for: route)
    while plan.branches.count <= route.segments.count, await extend(&plan) {}
    (branches, self.route) = (plan.branches, route)
  }

  private func plan(for route: Route) -> Plan {
    let kept = branches.isEmpty ? 0 : 1 + zip(branches.dropFirst(), route.segments).prefix { $0.segment == $1 }.count
    return Plan(route: route, branches: Array(branches.prefix(kept)), kept: kept)
  }

  /// Adds the coordinator of the next segment, if there is one.
  private func extend(_ plan: inout Plan) async -> Bool {
    guard let parent = plan.branches.last?.coordinator else {
      plan.branches.append(Branch(segment: "", coordinator: root))
      return true
    }
    let segment = plan.route.segments[plan.branches.count - 1]
    let child = await watch.during(.child, of: parent, whole: plan.route) { await parent.child(for: segment) }
    guard let child else { return false }
    plan.branches.append(Branch(segment: segment, coordinator: child))
    return true
  }
}

/// Reports who takes long.
struct Watch: Sendable {
  let patience: Duration
  let clock: any Clock<Duration>
  let report: @Sendable (RoutingProblem) -> Void

  /// Does something, and reports it once if it hasn't ended when the patience is at an end.
  func during<R: Sendable>(
    _ step: RoutingProblem.Step, of coordinator: any Coordinator, whole route: Route, _ body: () async throws -> R
  ) async rethrows -> R {
    let alarm = Task { [self, name = coordinator.name] in
      guard (try? await clock.sleep(for: patience)) != nil else { return }  // Cut short, as it has ended.
      report(.stuck(coordinator: name, step: step, route: route, after: patience))
    }
    defer { alarm.cancel() }
    return try await body()
  }
}
