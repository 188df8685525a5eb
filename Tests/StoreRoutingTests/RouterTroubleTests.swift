import StoreCore
import StoreRouting
import StoreTesting
import Testing

@Suite(.timeLimit(.minutes(10)))
struct `A router in trouble, or at its end` {
  private let scene = Scene()

  @Test func `reports who refuses a route, and leaves everything as it was`() async throws {
    let router = scene.makeRouter(scene.makeStore("/a")) { [scene] in scene.note("\($0)") }
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
    let router = scene.makeRouter(scene.makeStore("/a")) { [scene] in scene.note("\($0)") }
    await router.settle()
    scene.hold(call)
    router.route(.goto("/b"))
    await scene.wait(for: call)
    try await scene.clock.advance(by: .milliseconds(2999))
    #expect(!scene.calls.contains { $0.contains("has been") })
    try await scene.clock.advance(by: .milliseconds(1))
    await scene.wait(for: warning + " for 3.0 seconds, and the router waits for it")
    scene.release(call)
    await router.settle()
    #expect(router.shown == "/b")
    #expect(scene.calls.filter { $0.contains("has been") }.count == 1)
    #expect(scene.clock.deadlines.isEmpty)
  }

  @Test func `ends when it is closed or freed, and keeps no store`() async throws {
    weak var freed: Store<App, Action>?
    let router: Router
    do {
      let store = scene.makeStore(isKept: false)
      freed = store
      router = scene.makeRouter(store)
      await router.settle()
      do {
        let second = scene.makeRouter(store)
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
    let router = scene.makeRouter(scene.makeStore())
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
}
