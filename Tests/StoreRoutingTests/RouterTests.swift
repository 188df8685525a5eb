import StoreCore
import StoreRouting
import StoreTesting
import Testing

@Suite(.timeLimit(.minutes(10)))
struct `A router` {
  private let scene = Scene()

  @Test func `begins with the route that is there, from the root inwards`() async throws {
    let store = scene.makeStore("/a/b")
    let router = scene.makeRouter(store)
    await router.settle()
    #expect(router.shown == "/a/b")
    #expect(
      scene.calls == [
        "root prepare /a/b", "a prepare /b", "b prepare /", "root start /a/b", "a start /b", "b start /",
      ])
  }

  @Test func `prepares all, stops the old from the innermost outwards, and starts the new`() async throws {
    let router = scene.makeRouter(scene.makeStore("/a/b/c"))
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
    let store = scene.makeStore()
    let router = scene.makeRouter(store)
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
    let router = scene.makeRouter(scene.makeStore())
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
    let router = scene.makeRouter(scene.makeStore())
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
    let store = scene.makeStore()
    let router = Router(
      store, route: \.route, action: Action.route, root: Patient(scene), clock: scene.clock,
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

  /// Whatever is done from wherever: one call at a time, and in the end the route of the state is the one shown.
  @Test(arguments: 1...4) func `comes to the route of the state`(round: Int) async throws {
    let store = scene.makeStore()
    let router = scene.makeRouter(store)
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
