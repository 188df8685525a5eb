import HotReload
import StateJSON
import StoreCore

/// What an instance shows, and what is done in it.
///
/// Sendable, since only the thread that has the baton of the simulation is at it.
final class View: ReplicaView, @unchecked Sendable {
  typealias Model = SimulatedModel

  let name: String
  private unowned let world: World
  private(set) var shown = SimulatedModel.initial
  private var queue: [SimulatedModel.Action] = []
  /// Drained, and not acknowledged yet.
  private var unacknowledged: [SimulatedModel.Action] = []

  init(_ name: String, in world: World) { (self.name, self.world) = (name, world) }

  private var appliesActions: Bool { world.plan.viewsApply }

  func submit(_ action: SimulatedModel.Action) {
    world.note(name, "is given \(action.token)")
    world.judge.submitted(action)
    queue.append(action)
    if appliesActions { world.model.apply(action, to: &shown) }
  }

  var submittedCount: Int { queue.count }

  func drain(over found: FoundDocument?) -> (actions: [SimulatedModel.Action], state: JSONValue?) {
    defer { queue = [] }
    unacknowledged += queue
    return (queue, appliesActions ? shown : nil)
  }

  func publish(_ state: JSONValue, cause: Cause, version: ContentHash?) { show(state) }

  func acknowledge(_ count: Int, outcomes: [Void], state: JSONValue, version: ContentHash) {
    let tokens = unacknowledged.prefix(count).map(\.token)
    world.note(name, "acknowledges \(tokens.joined(separator: " "))")
    for token in tokens { world.judge.acknowledged(token) }
    unacknowledged.removeFirst(count)
    // A view that applies actions itself shows them already.
    if !appliesActions { show(state) }
  }

  private func show(_ state: JSONValue) {
    world.judge.shown(state, by: name)
    shown = state
    guard appliesActions else { return }
    for action in queue { world.model.apply(action, to: &shown) }
  }

  func report(_ event: ProblemEvent) { world.note(name, "reports \(event)") }
  func notify(_ notice: Notice) { world.note(name, "tells: \(notice.message)") }
}
