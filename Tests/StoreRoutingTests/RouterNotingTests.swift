import StoreCore
import StoreTesting
import Testing

@testable import StoreRouting

@Suite(.timeLimit(.minutes(10)))
struct `A router that is told what has happened` {
  private let scene = Scene()

  @Test func `takes note of what has happened already, and calls nobody`() async throws {
    let store = scene.makeStore("/a/b")
    let router = scene.makeRouter(store)
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
    let store = scene.makeStore()
    let router = scene.makeRouter(store)
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

  @Test func `begins with what is on the screen, which the state may be ahead of`() async throws {
    let store = scene.makeStore("/a/b")
    let router = scene.makeRouter(store)
    await router.settle()
    scene.hold("root prepare /a/b/c")
    router.route(.push("/c"))
    await scene.wait(for: "root prepare /a/b/c")
    router.setRoute(.pop("/b"))
    scene.release("root prepare /a/b/c")
    await router.settle()
    #expect((store.state.route, router.shown) == ("/a", "/a"))
    // Twice in a row, before the first has been reduced.
    let slow = scene.makeStore("/a/b/c", middleware: [DebounceActions(for: .seconds(1), clock: scene.clock) { _ in 0 }])
    let other = scene.makeRouter(slow)
    await other.settle()
    for _ in 1...2 { other.setRoute(.pop()) }
    try await slow.commit()
    await other.settle()
    #expect((slow.state.route, other.shown) == ("/a", "/a"))
  }

  @Test func `knows what is on the screen also while it takes note of it`() async throws {
    let navigator = Navigator {}
    navigator.note("/a/b")
    #expect(navigator.onScreen == "/a/b")
    // The coordinators are being taken there.
    #expect(navigator.next()?.route == "/a/b")
    #expect(navigator.shown == nil)
    #expect(navigator.onScreen == "/a/b")
    navigator.go(to: "/c")
    #expect(navigator.onScreen == "/a/b")
    navigator.note("/a")
    #expect(navigator.onScreen == "/a")
  }

  @Test func `is silent also where the action is held back`() async throws {
    let store = scene.makeStore("/a/b", middleware: [DebounceActions(for: .seconds(1), clock: scene.clock) { _ in 0 }])
    let router = scene.makeRouter(store)
    await router.settle()
    _ = scene.take()
    router.setRoute(.pop())
    await router.settle()
    #expect((store.state.route, router.shown) == ("/a/b", "/a"))
    try await store.commit()
    await router.settle()
    #expect((store.state.route, router.shown) == ("/a", "/a"))
    #expect(scene.take() == [])
  }

  @Test func `goes where the state went, if that isn't what has happened`() async throws {
    let store = scene.makeStore("/a/b")
    let router = scene.makeRouter(store)
    await router.settle()
    store.dispatch(.lock)
    _ = scene.take()
    router.setRoute(.pop())
    await router.settle()
    #expect(scene.take() == ["root prepare /a/b", "a prepare /b", "b prepare /", "b start /"])
    #expect((store.state.route, router.shown) == ("/a/b", "/a/b"))
  }
}
