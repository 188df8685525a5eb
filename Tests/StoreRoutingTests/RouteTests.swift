import Foundation
import StoreCore
import StoreRouting
import Testing

struct `A route` {
  @Test(arguments: [
    ("/", []), ("/episodes/42", ["episodes", "42"]), ("/a%2Fb/%E9%9B%AA", ["a/b", "雪"]), ("/100%25", ["100%"]),
  ])
  func `is written as a path, and read from one`(path: String, segments: [String]) throws {
    #expect(Route(segments).description == path)
    #expect(try #require(Route(path)).segments == segments)
  }

  @Test(arguments: ["/%", "/%4", "/%zz", "/%ff", "/a/%c3"])
  func `is none where the encoding is wrong`(path: String) {
    #expect(Route(path) == nil)
  }

  @Test func `leaves out empty segments, and may be a literal`() {
    let route: Route = "//episodes//42/"
    #expect(route == ["episodes", "42"])
    #expect(Route("") == .root)
    #expect((Route.root.isRoot, route.isRoot) == (true, false))
    #expect((route.hasPrefix("/episodes"), route.hasSuffix("/42"), route.hasSuffix("/9")) == (true, true, false))
    #expect(route.dropFirst() + "/x" == "/42/x")
  }

  @Test func `is encoded as its segments, whole numbers as numbers`() throws {
    let route: Route = ["episodes", "1104", "007", "-1", "-0", "1.5", "99999999999999999999", ""]
    let text = #"["episodes",1104,"007",-1,"-0","1.5","99999999999999999999",""]"#
    #expect(String(decoding: try JSONEncoder().encode(route), as: UTF8.self) == text)
    #expect(try JSONDecoder().decode(Route.self, from: Data(text.utf8)) == route)
    #expect(try JSONDecoder().decode(Route.self, from: Data(#"["1104"]"#.utf8)) == ["1104"])
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(Route.self, from: Data("[[]]".utf8)) }
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(Route.self, from: Data("[null]".utf8)) }
  }

  @Test(
    arguments: [
      ("/a/b", .goto("/c"), "/c"), ("/a", .push("/b/c"), "/a/b/c"), ("/a/b", .pop(), "/a"), ("/", .pop(), "/"),
      ("/a/b/c", .pop("/b/c"), "/a"), ("/a/b", .pop("/c"), "/a/b"), ("/a", .pop("/x/a"), "/a"),
      ("/a/b", .replace(with: "/c/d"), "/a/c/d"), ("/", .replace(with: "/c"), "/"),
      ("/a/b", .replace("/b", with: "/c"), "/a/c"), ("/a/b", .replace("/x", with: "/c"), "/a/b"),
    ] as [(Route, RouteAction, Route)])
  func `is changed by actions`(before: Route, action: RouteAction, after: Route) {
    let store = Store(before, reducer: Route.reduce)
    store.dispatch(action)
    #expect(store.state == after)
  }

  @Test(
    arguments: [
      (.goto("/a/7"), #"{"goto":["a",7]}"#, "goto /a/7"), (.set("/a"), #"{"set":["a"]}"#, "set /a"),
      (.push("/b"), #"{"push":["b"]}"#, "push /b"),
      (.pop(), #"{"pop":null}"#, "pop"), (.pop("/b"), #"{"pop":["b"]}"#, "pop /b"),
      (.replace(with: "/c"), #"{"replace":null,"with":["c"]}"#, "replace with /c"),
      (.replace("/b", with: "/c"), #"{"replace":["b"],"with":["c"]}"#, "replace /b with /c"),
    ] as [(RouteAction, String, String)])
  func `has actions that are encoded`(action: RouteAction, text: String, description: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(String(decoding: try encoder.encode(action), as: UTF8.self) == text)
    #expect(try JSONDecoder().decode(RouteAction.self, from: Data(text.utf8)) == action)
    #expect("\(action)" == description)
  }

  @Test func `has no other actions`() {
    #expect {
      try JSONDecoder().decode(RouteAction.self, from: Data(#"{"jump":[]}"#.utf8))
    } throws: { error in
      guard case DecodingError.dataCorrupted(let context) = error else { return false }
      return context.debugDescription == "expected 'goto', 'set', 'push', 'pop' or 'replace'"
    }
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(RouteAction.self, from: Data(#"{"replace":["a"]}"#.utf8))
    }
  }
}

struct `A route log` {
  private struct App: Sendable {
    var route = Route()
    var count = 0
  }

  private final class Screen: Coordinator {
    func child(for segment: String) async -> (any Coordinator)? { Screen() }
  }

  @Test func `remembers the last routes, and where they came from`() throws {
    let log = RouteLog<App, RouteAction?>(\.route, action: \.self, limit: 3)
    let store = try Store(
      App(),
      reducer: { app, action in
        if let action { app.route.reduce(action) } else { app.count += 1 }
      }, middleware: [log])
    #expect("\(log)" == "0 start: /")
    store.dispatch(.goto("/a"))
    store.dispatch(nil)
    store.rebase(cause: .edit) { app, _ in app.route = "/b" }
    #expect("\(log)" == "0 start: /\n1 action goto /a: /a\n3 edit: /b")
    for number in 1...1000 { store.dispatch(.push(["\(number)"])) }
    #expect(log.entries.map(\.version) == [1001, 1002, 1003])
    #expect(log.entries.last?.route.segments.count == 1001)
  }

  @Test func `tells the router's steps, what happened on the screen, and what a reducer did`() async throws {
    let log = RouteLog<App, RouteAction?>(\.route, action: \.self)
    let store = try Store(
      App(),
      reducer: { app, action in
        if let action { app.route.reduce(action) } else { app.route = "/welcome" }
      }, middleware: [log])
    let router = Router(store, route: \.route, action: { $0 }, root: Screen())
    router.route(.push("/a"))
    await router.settle()
    router.setRoute(.pop())
    store.dispatch(nil)
    #expect("\(log)" == "0 start: /\n1 action push /a: /a\n2 action set /: /\n3 action: /welcome")
    await router.close()
  }
}
