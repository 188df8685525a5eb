import StoreCore
import StoreRouting
import StoreTesting
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `A router` {
  private struct App: Sendable {
    var route = Route()
    var isLocked = false
  }

  private enum Action: Sendable {
    case route(RouteAction)
    case lock
  }

  private let scene = Scene()
  private let clock = ManualClock()
  private let stores = Kept()

  private final class Kept: Sendable {
    private let stores = Mutex<[Store<App, Action>]>([])

    func keep(_ store: Store<App, Action>) { stores.withLock { $0.append(store) } }
  }

  private func makeStore(_ route: Route = .root, isKept: Bool = true) -> Store<App, Action> {
    let store = Store(
      App(route: route),
      reducer: { (app: inout App, action: Action) in
        switch action {
        case .route(let action): if !app.isLocked { app.route.reduce(action) }
        case .lock: app.isLocked = true
        }
      })
    // A router doesn't keep its store.
    if isKept { stores.keep(store) }
    return store
  }

  private func makeRouter(_ store: Store<App, Action>, report: @escaping @Sendable (RoutingProblem) -> Void = { _ in })
    -> Router
  {
    Router(store, route: \.route, action: Action.route, root: Actor(scene), clock: clock, report: report)
  }

  @Test func `begins with the route that is there, from the root inwards`() async throws {
    let store = makeStore("/a/b")
    let router = makeRouter(store)
    await router.settle()
    #expect(router.shown == "/a/b")
    #expect(
      scene.calls == [
        "root prepare /a/b", "a prepare /b", "b prepare /", "root start /a/b", "a start /b", "b start /",
      ])
  }

  @Test func `prepares all, stops the old from the innermost outwards, and starts the new`() async throws {
    let router = makeRouter(makeStore("/a/b/c"))
    await router.settle()
    _ = scene.take()
    router.route(.goto("/a/x/y"))
    await router.settle()
    #expect(
      scene.take() == [
        "root prepare /a/x/y", "a prepare /x/y", "x prepare /y", "y prepare /", "c stop", "b stop", "x start /y",
        "y start /",
      ])
    router.route(.pop())
    await router.settle()
    #expect(scene.take() == ["root prepare /a/x", "a prepare /x", "x prepare /", "y stop", "x show /"])
    router.route(.push("/leaf/1"))
    await router.settle()
    #expect(
      scene.take() == [
        "root prepare /a/x/leaf/1", "a prepare /x/leaf/1", "x prepare /leaf/1", "leaf prepare /1", "leaf start /1",
      ])
    router.route(.replace(with: "/2"))
    await router.settle()
    #expect(scene.take().suffix(2) == ["leaf prepare /2", "leaf show /2"])
    #expect(router.shown == "/a/x/leaf/2")
  }

  @Test func `follows the state wherever it was changed`() async throws {
    let store = makeStore()
    let router = makeRouter(store)
    store.rebase(cause: .edit) { app, _ in app.route = "/edited" }
    await router.settle()
    #expect(router.shown == "/edited")
    let before = scene.take().count
    store.dispatch(.lock)
    store.rebase(cause: .instance("b")) { _, _ in }
    await router.settle()
    #expect((before > 0, scene.take()) == (true, []))
  }

  @Test func `goes to one after another, and only to the newest of those that wait`() async throws {
    let router = makeRouter(makeStore())
    await router.settle()
    _ = scene.take()
    scene.hold("a start /")
    router.route(.goto("/a"))
    await scene.wait(for: "a start /")
    // It is too late to turn back, and two of these are overtaken.
    for name in ["b", "c", "d"] { router.route(.goto([name])) }
    #expect(router.shown == .root)
    scene.release("a start /")
    await router.settle()
    #expect(
      scene.calls == [
        "root prepare /a", "a prepare /", "a start /", "root prepare /d", "d prepare /", "a stop", "d start /",
      ])
  }

  @Test func `cancels the preparation for a route that is overtaken, and waits for it`() async throws {
    let router = makeRouter(makeStore())
    await router.settle()
    _ = scene.take()
    scene.hold("a prepare /deeper")
    router.route(.goto("/a/deeper"))
    await scene.wait(for: "a prepare /deeper")
    router.route(.goto("/b"))
    scene.release("a prepare /deeper")
    await router.settle()
    #expect(
      scene.calls == ["root prepare /a/deeper", "a prepare /deeper", "root prepare /b", "b prepare /", "b start /"])
    #expect(router.shown == "/b")
  }

  /// Waits in its preparation until that is cancelled.
  private final class Patient: Coordinator {
    let scene: Scene
    init(_ scene: Scene) { self.scene = scene }

    func prepare(for route: Route) async throws {
      guard route == "/slow" else { return scene.note("prepare \(route)") }
      scene.note("waiting")
      do {
        try await ManualClock().sleep(for: .seconds(1))
      } catch {
        scene.note("cancelled")
        throw error
      }
    }
    func show(_ route: Route) async { scene.note("show \(route)") }
  }

  @Test func `cancels the task of the preparation, which is no refusal`() async throws {
    let store = makeStore()
    let router = Router(
      store, route: \.route, action: Action.route, root: Patient(scene), clock: clock,
      report: { [scene] in scene.note("\($0)") })
    await router.settle()
    router.route(.goto("/slow"))
    await scene.wait(for: "waiting")
    router.route(.goto("/b"))
    await router.settle()
    #expect(scene.take().suffix(3) == ["cancelled", "prepare /b", "show /b"])
    router.route(.goto("/slow"))
    await scene.wait(for: "waiting")
    await router.close()
    #expect(scene.calls.last == "cancelled")
    router.route(.goto("/c"))
    await router.settle()
    #expect(scene.calls.last == "cancelled")
    #expect(store.state.route == "/c")
    #expect(router.shown == "/b")
  }

  @Test func `takes note of what has happened already, and calls nobody`() async throws {
    let store = makeStore("/a/b")
    let router = makeRouter(store)
    await router.settle()
    _ = scene.take()
    router.setRoute(.pop())
    #expect(store.state.route == "/a")
    await router.settle()
    #expect((scene.take(), router.shown) == ([], "/a"))
    router.setRoute(.push("/c"))
    await router.settle()
    #expect((scene.take(), router.shown) == ([], "/a/c"))
    router.route(.goto("/a/d"))
    await router.settle()
    // The one for b is gone, and the one for c is there, though neither was told.
    #expect(
      scene.take() == ["root prepare /a/d", "a prepare /d", "d prepare /", "c stop", "d start /"])
  }

  @Test func `notes what has happened after what is under way`() async throws {
    let store = makeStore()
    let router = makeRouter(store)
    await router.settle()
    scene.hold("a start /")
    router.route(.goto("/a"))
    await scene.wait(for: "a start /")
    router.setRoute(.goto("/b"))
    router.route(.push("/c"))
    router.route(.push("/d"))
    _ = scene.take()
    scene.release("a start /")
    await router.settle()
    // What is on the screen isn't skipped, or a would be stopped, and b started.
    #expect(
      scene.calls == [
        "root prepare /b/c/d", "b prepare /c/d", "c prepare /d", "d prepare /", "c start /d", "d start /",
      ])
  }

  @Test func `goes where the state went, if that isn't what has happened`() async throws {
    let store = makeStore("/a/b")
    let router = makeRouter(store)
    await router.settle()
    store.dispatch(.lock)
    _ = scene.take()
    router.setRoute(.pop())
    await router.settle()
    #expect(scene.take() == ["root prepare /a/b", "a prepare /b", "b prepare /", "b start /"])
    #expect((store.state.route, router.shown) == ("/a/b", "/a/b"))
  }

  @Test func `reports who refuses a route, and leaves everything as it was`() async throws {
    let router = makeRouter(makeStore("/a")) { [scene] in scene.note("\($0)") }
    await router.settle()
    _ = scene.take()
    scene.refuse("b prepare /c")
    router.route(.goto("/b/c"))
    await router.settle()
    #expect(
      scene.take() == ["root prepare /b/c", "b prepare /c", "coordinator of 'b' refused /b/c: Refusal()"])
    #expect(router.shown == "/a")
    router.route(.goto("/c"))
    await router.settle()
    #expect(scene.take() == ["root prepare /c", "c prepare /", "a stop", "c start /"])
  }

  @Test(arguments: [
    ("root child b", "coordinator of 'root' has been finding its child for /b"),
    ("root prepare /b", "coordinator of 'root' has been preparing for /b"),
    ("b prepare /", "coordinator of 'b' has been preparing for /b"),
    ("a stop", "coordinator of 'a' has been stopping for /b"),
    ("b start /", "coordinator of 'b' has been starting for /b"),
  ])
  func `warns of who is stuck`(call: String, warning: String) async throws {
    let router = makeRouter(makeStore("/a")) { [scene] in scene.note("\($0)") }
    await router.settle()
    scene.hold(call)
    router.route(.goto("/b"))
    await scene.wait(for: call)
    try await clock.advance(by: .milliseconds(2999))
    #expect(!scene.calls.contains { $0.contains("has been") })
    try await clock.advance(by: .milliseconds(1))
    await scene.wait(for: warning + " for 3.0 seconds, and the router waits for it")
    scene.release(call)
    await router.settle()
    #expect(router.shown == "/b")
    #expect(scene.calls.filter { $0.contains("has been") }.count == 1)
    #expect(clock.deadlines.isEmpty)
  }

  @Test func `ends when it is closed or freed, and keeps no store`() async throws {
    weak var freed: Store<App, Action>?
    let router: Router
    do {
      let store = makeStore(isKept: false)
      freed = store
      router = makeRouter(store)
      await router.settle()
      do {
        let second = makeRouter(store)
        await second.settle()
      }
      await router.close()
      _ = scene.take()
      store.dispatch(.route(.goto("/a")))
      await router.settle()
    }
    #expect(freed == nil)
    router.route(.goto("/b"))
    router.setRoute(.goto("/c"))
    await router.settle()
    #expect(scene.calls == [])
    #expect(router.shown == .root)
  }

  @Test func `finishes what it has begun to show before it is closed`() async throws {
    let router = makeRouter(makeStore())
    await router.settle()
    scene.hold("a start /b")
    router.route(.goto("/a/b"))
    await scene.wait(for: "a start /b")
    let closing = Task { await router.close() }
    scene.release("a start /b")
    await closing.value
    #expect(scene.calls.last == "b start /")
    #expect(router.shown == "/a/b")
  }

  /// Whatever is done from wherever: one call at a time, and in the end the route of the state is the one shown.
  @Test(arguments: 1...4) func `comes to the route of the state`(round: Int) async throws {
    let store = makeStore()
    let router = makeRouter(store)
    await withTaskGroup { group in
      for number in 0..<8 {
        group.addTask {
          for step in 0..<20 {
            switch (number + step * round) % 4 {
            case 0: router.route(.goto(["\(number)", "\(step)"]))
            case 1: router.setRoute(.pop())
            case 2: router.route(.push(["\(step)"]))
            default: store.rebase(cause: .edit) { app, _ in app.route = ["leaf", "\(number)"] }
            }
          }
        }
      }
    }
    await router.settle()
    #expect(router.shown == store.state.route)
    #expect(!scene.calls.contains { $0.contains("at the same time") })
  }
}
