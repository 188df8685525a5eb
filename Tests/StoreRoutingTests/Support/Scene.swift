import StoreCore
import StoreRouting
import StoreTesting
import Synchronization

/// What coordinators were asked to do, in order, and what a test wants them to do about it.
final class Scene: Sendable {
  struct Refusal: Error {}

  private struct Core {
    var calls: [String] = []
    var refused: Set<String> = []
    var held: Set<String> = []
    var gates: [String: [CheckedContinuation<Void, Never>]] = [:]
    var waiting: [(call: String, end: @Sendable () -> Void)] = []
    var busy = false
    var kept: [Store<App, Action>] = []
  }

  private let core = Mutex(Core())
  let clock = ManualClock()

  var calls: [String] { core.withLock { $0.calls } }

  /// The calls since this was last asked.
  func take() -> [String] {
    core.withLock { core in
      defer { core.calls = [] }
      return core.calls
    }
  }

  /// A router doesn't keep its store; the scene does.
  func keep(_ store: Store<App, Action>) { core.withLock { $0.kept.append(store) } }

  func refuse(_ call: String) { core.withLock { _ = $0.refused.insert(call) } }
  func isHeld(_ call: String) -> Bool { core.withLock { $0.held.contains(call) } }
  func hold(_ call: String) { core.withLock { _ = $0.held.insert(call) } }

  /// Lets a held call return.
  func release(_ call: String) {
    let gates = core.withLock { core in
      core.held.remove(call)
      return core.gates.removeValue(forKey: call) ?? []
    }
    for gate in gates { gate.resume() }
  }

  /// Waits until a call has been made.
  func wait(for call: String) async {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    let isMade = core.withLock { core in
      core.waiting.append((call, { continuation.finish() }))
      return core.calls.contains(call)
    }
    if isMade { continuation.finish() }
    // Ends with the test, too.
    for await _ in stream {}
  }

  func note(_ call: String) {
    let waiting = core.withLock { core in
      core.calls.append(call)
      return core.waiting.filter { $0.call == call }
    }
    for (_, end) in waiting { end() }
  }

  /// One call to a coordinator: never two at a time.
  func perform(_ call: String) async throws {
    let (isAlone, isRefused) = core.withLock { core in
      defer { core.busy = true }
      return (!core.busy, core.refused.contains(call))
    }
    note(isAlone ? call : "\(call) at the same time as another")
    await withCheckedContinuation { continuation in
      let isHeld = core.withLock { core in
        if core.held.contains(call) { core.gates[call, default: []].append(continuation) }
        return core.held.contains(call)
      }
      if !isHeld { continuation.resume() }
    }
    core.withLock { $0.busy = false }
    if isRefused { throw Refusal() }
  }
}

/// Shows a segment in the scene. Its children are made by the segment; those beginning with `leaf` have none.
actor Actor: Coordinator {
  let scene: Scene
  let segment: String
  nonisolated var name: String { "coordinator of '\(segment)'" }

  init(_ scene: Scene, _ segment: String = "root") {
    self.scene = scene
    self.segment = segment
  }

  func child(for segment: String) async -> (any Coordinator)? {
    if self.segment.hasPrefix("leaf") { return nil }
    let call = "\(self.segment) child \(segment)"
    if scene.isHeld(call) { try? await scene.perform(call) }
    return Actor(scene, segment)
  }

  func prepare(for route: Route) async throws { try await scene.perform("\(segment) prepare \(route)") }
  func start(at route: Route) async { try? await scene.perform("\(segment) start \(route)") }
  func show(_ route: Route) async { try? await scene.perform("\(segment) show \(route)") }
  func stop() async { try? await scene.perform("\(segment) stop") }
}
