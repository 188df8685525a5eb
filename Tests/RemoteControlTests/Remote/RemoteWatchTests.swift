import HotReload
import StateJSON
import StoreCore
import TestSupport
import Testing

@testable import RemoteControl

@Suite(.timeLimit(.minutes(10)))
struct `A remote control watches` {
  @Test func `a place, and tells it at first and at each change`() async throws {
    let service = try Service(Store(Desk(), reducer: desk, middleware: [DeskControl()]))
    let (store, client) = (service.store, service.client)
    try await client.send(request("watch", #""path":"/count""#))
    #expect(try await client.receive(2) == [result("{}"), state(#""value":0"#, version: 0, #"{"kind":"start"}"#)])
    store.dispatch(.add(1))
    #expect(try await client.receive() == state(#""value":1"#, version: 1, #"{"kind":"action"}"#))
    // Another place, and the same value: nothing to tell.
    store.dispatch(.rename(to: "Fog"))
    store.dispatch(.add(0))
    store.rebase(cause: .instance("4f2a")) { desk, _ in desk.count = 5 }
    let cause = #"{"kind":"instance","instance":"4f2a"}"#
    #expect(try await client.receive() == state(#""value":5"#, version: 4, cause))
    try await client.send(dispatch(#"{"add":{"_0":2}}"#))
    let lines = try await client.receive(2)
    #expect(Set(lines) == [result(#"{"version":"5"}"#), state(#""value":7"#, version: 5, #"{"kind":"action"}"#)])
    try await client.send(request("unwatch", #""path":"/count""#))
    #expect(try await client.receive() == result("{}"))
    store.dispatch(.add(1))
    #expect(try await service.answers(to: request("flush")) == [result("{}")])
  }

  @Test func `with patches that lead from each state that was sent to the next`() async throws {
    let service = try Service(Store(Desk(), reducer: desk, middleware: [DeskControl()]))
    try await service.client.send(request("watch", #""format":"patch""#))
    #expect(try await service.client.receive() == result("{}"))
    for _ in 0..<1_000 { service.store.dispatch(.add(1)) }
    var document = JSONValue.null
    for line in try await service.answers(to: "") {
      guard let patch = try JSONValue(parsing: line)[JSONPointer(["params", "patch"])] else { continue }
      try document.apply(JSONPatch(patch))
    }
    #expect(document[JSONPointer(["count"])] == 1_000)
  }

  @Test func `for a client that doesn't read, and tells it the newest state only`() async throws {
    let title = String(repeating: "x", count: 1 << 20)
    let gates = Gatekeeper()
    let service = try Service(Store(Desk(title: title), reducer: desk, middleware: [DeskControl(), gates]))
    try await service.client.send(request("watch"))
    // Far more than the limit, were each state queued.
    for _ in 0..<100 {
      gates.commits.shut()
      try await service.client.send(dispatch(#"{"add":{"_0":1}}"#))
      // By then it has looked at what came before.
      await gates.commits.arrival()
      gates.commits.open()
    }
    let lines = try await service.answers(to: "")
    let states = try lines.filter { $0.contains("state") }.map { try JSONValue(parsing: $0) }
    #expect(states.last?[JSONPointer(["params", "value", "count"])] == 100)
    #expect(states.count < 10)
  }

  @Test func `a state that can't be encoded, and says so until it can`() async throws {
    let service = try Service(Store(Desk(), reducer: desk, middleware: [DeskControl()]))
    let (store, client) = (service.store, service.client)
    let reason =
      "the state cannot be encoded: at /weight: "
      + "NaN has no JSON form; make the value optional and set it to nil, or keep it finite"
    store.dispatch(.weigh(.nan))
    try await client.send(request("watch", #""path":"/count""#), request("get"))
    #expect(
      try await client.receive(3) == [
        result("{}"), error(-32003, reason, #"{"path":"/weight"}"#),
        notification(
          "problem", #"{"code":"untold","message":"the watched states are not told, as \#(reason)"}"#),
      ])
    store.dispatch(.add(1))
    store.dispatch(.weigh(1))
    #expect(
      try await client.receive(2) == [
        state(#""value":1"#, version: 3, #"{"kind":"start"}"#), notification("resolved", #"{"code":"untold"}"#),
      ])
    #expect(try await service.answers(to: "") == [])
  }

  @Test func `a file, and tells who changed it and what is wrong with it`() async throws {
    let folder = try TemporaryFolder()
    let mirror = HotReload<Desk, DeskAction>(file: folder.path("desk.json"))
    let service = try Service(Store(Desk(), reducer: desk, middleware: [DeskControl(), mirror]))
    let (store, client) = (service.store, service.client)
    try await client.send(request("watch", #""path":"/count""#))
    let own = #"{"kind":"action","instance":"\#(mirror.instance)"}"#
    #expect(try await client.receive(2).contains { $0.contains(#""cause":{"kind":"start"}"#) })
    try await client.send(dispatch(#"{"add":{"_0":1}}"#))
    #expect(try await client.receive(2).contains { $0.contains(#""value":1"#) && $0.contains(own) })
    try folder.save(#"{"count":5,"title":"","weight":0}"#, to: "desk.json")
    let edited = try JSONValue(parsing: try #require(try await client.receive()))
    #expect(edited[JSONPointer(["params", "value"])] == 5)
    #expect(edited[JSONPointer(["params", "cause"])] == ["kind": "edit"])
    try folder.save(#"{"count":6,}"#, to: "desk.json")
    #expect(
      try await client.receive()
        == notification(
          "problem", #"{"code":"invalid-json","message":"expected a key after ','","line":1,"column":12}"#))
    try folder.save(#"{"count":6,"title":"","weight":0}"#, to: "desk.json")
    let lastLines = try await client.receive(2)
    #expect(lastLines.contains(notification("resolved", #"{"code":"invalid-json"}"#)))
    #expect(lastLines.contains { $0.contains(#""value":6"#) && $0.contains(#""cause":{"kind":"edit"}"#) })
    #expect(try await service.answers(to: "") == [])
    try await store.close()
  }

  @Test func `without what is redacted`() async throws {
    let remote = DeskControl(redacting: [.state(\.token, as: "…"), .state(\.weight, as: 0)])
    let service = try Service(Store(Desk(), reducer: desk, middleware: [remote]))
    let value = #"{"count":0,"title":"","token":"…","weight":0}"#
    try await service.client.send(request("watch", #""path":"/token""#))
    _ = try await service.client.receive(2)
    service.store.dispatch(.weigh(.infinity))
    service.store.dispatch(.logIn(token: "secret"))
    let line = try await service.client.receive()
    #expect(
      line == notification("state", #"{"path":"/token","value":"…","version":"2","cause":{"kind":"action"}}"#))
    #expect(try await service.answers(to: request("get")) == [result(#"{"value":\#(value),"version":"2"}"#)])
    #expect(service.store.state.token == "secret")
  }

  @Test func `so many places and no more`() async throws {
    let service = try Service(Store(Desk(), reducer: desk, middleware: [DeskControl()]))
    let path = String(repeating: "x", count: 1_000_000)
    let lines = [
      request("watch", #""path":"/\#(path)""#), request("watch", #""path":"/\#(path)""#),
      request("watch", #""path":"/\#(path)/more""#), request("unwatch", #""path":"/\#(path)""#),
      request("watch", #""path":"/\#(path)/more""#),
    ]
    let answers = try await service.answers(to: lines.joined(separator: "\n")).filter { $0.contains(#""id""#) }
    let done = result("{}")
    #expect(answers == [done, done, error(-32004, "too many places are watched"), done, done])
  }

  private func state(_ content: String, version: Int, _ cause: String) -> String {
    notification("state", #"{"path":"/count",\#(content),"version":"\#(version)","cause":\#(cause)}"#)
  }
}
