import StateJSON
import StoreCore
import Synchronization
import Testing

@testable import RemoteControl

@Suite(.timeLimit(.minutes(10)))
struct `A remote control reports actions` {
  @Test func `once it is asked to, by whomever they are dispatched`() async throws {
    let service = try Service(Store(Desk(), reducer: desk, middleware: [DeskControl()]))
    let (store, client) = (service.store, service.client)
    store.dispatch(.add(1))
    try await client.send(request("actions"))
    #expect(try await client.receive() == result("{}"))
    store.dispatch(.add(2))
    #expect(try timeless(await client.receive()) == action(#""action":{"add":{"_0":2}}"#, version: 2))
    store.rebase(cause: .edit) { desk, _ in desk.count = 5 }
    try await client.send(dispatch(#"{"rename":{"to":"Fog"}}"#))
    let lines = try await client.receive(2).map { try timeless($0) }
    #expect(
      Set(lines) == [result(#"{"version":"4"}"#), action(#""action":{"rename":{"to":"Fog"}}"#, version: 4)])
    try await client.send(request("actions", #""on":false"#))
    #expect(try await client.receive() == result("{}"))
    store.dispatch(.add(2))
    #expect(try await service.answers(to: "") == [])
  }

  @Test func `in order, none skipped, from many threads at once`() async throws {
    let (threads, count) = (4, 1_000)
    let service = try Service(Store(Desk(), reducer: desk, middleware: [DeskControl()]))
    try await service.client.send(request("actions"))
    #expect(try await service.client.receive() == result("{}"))
    async let reports = service.client.receive(threads * count)
    try await withThrowingTaskGroup { group in
      for _ in 0..<threads {
        group.addTask { try await onThread { for _ in 0..<count { service.store.dispatch(.add(1)) } } }
      }
      try await group.waitForAll()
    }
    let lines = try await reports
    #expect(try lines.map { try timeless($0) } == (1...threads * count).map { addition(version: $0) })
    #expect(try await service.answers(to: "") == [])
  }

  @Test func `and what is left out while a client doesn't read is counted`() async throws {
    let count = 5_000
    var limits = RemoteLimits()
    limits.unreadActions = 10_000
    let service = try Service(Store(Desk(), reducer: desk, middleware: [DeskControl()]), limits: limits)
    try await service.client.send(request("actions"))
    #expect(try await service.client.receive() == result("{}"))
    // The pipe takes some as well.
    for _ in 0..<count { service.store.dispatch(.add(1)) }
    var version = 0
    var omissions = 0
    for line in try await service.answers(to: "") {
      let message = try JSONValue(parsing: line)
      if case .number(let number) = message[JSONPointer(["params", "actions"])] {
        let omitted = try #require(number.exactly(Int.self))
        #expect(line == notification("omitted", #"{"actions":\#(omitted)}"#))
        version += omitted
        omissions += 1
      } else {
        version += 1
        #expect(try timeless(line) == addition(version: version))
      }
    }
    #expect(version == count)
    #expect(omissions > 0)
  }

  @Test func `that can't be encoded as such`() async throws {
    let service = try Service(Store(Desk(), reducer: desk, middleware: [DeskControl()]))
    try await service.client.send(request("actions"))
    #expect(try await service.client.receive() == result("{}"))
    service.store.dispatch(.weigh(-.infinity))
    let reason =
      "at /weigh/_0: -infinity has no JSON form; make the value optional and set it to nil, or keep it finite"
    let lines = try await service.answers(to: "").map { try timeless($0) }
    #expect(lines == [action(#""problem":"the action cannot be encoded: \#(reason)""#, version: 1)])
  }

  @Test func `without what is redacted`() async throws {
    let remote = DeskControl(
      redacting: [.actions { if case .logIn = $0 { .logIn(token: "…") } else { $0 } }])
    let service = try Service(Store(Desk(), reducer: desk, middleware: [remote]))
    try await service.client.send(request("actions"))
    #expect(try await service.client.receive() == result("{}"))
    service.store.dispatch(.logIn(token: "secret"))
    let lines = try await service.answers(to: "").map { try timeless($0) }
    #expect(lines == [action(#""action":{"logIn":{"token":"…"}}"#, version: 1)])
  }

  @Test func `and encodes nothing for nobody`() async throws {
    let store = try Store(
      Counted(), reducer: { (_: inout Counted, _: Counted) in }, middleware: [RemoteControl<Counted, Counted>()])
    store.dispatch(Counted())
    let service = try Service(store)
    store.dispatch(Counted())
    try await service.client.send(request("info"), request("flush"))
    _ = try await service.client.receive(2)
    store.dispatch(Counted())
    #expect(try await service.answers(to: "") == [])
    store.dispatch(Counted())
    #expect(Counted.encodings.load(ordering: .relaxed) == 0)
  }

  /// A state and an action that counts how often it is encoded.
  private struct Counted: Codable {
    static let encodings = Atomic<Int>(0)

    init() {}
    init(from decoder: any Decoder) throws {}
    func encode(to encoder: any Encoder) throws {
      Self.encodings.add(1, ordering: .relaxed)
      var container = encoder.singleValueContainer()
      try container.encode(0)
    }
  }

  private func action(_ content: String, version: Int) -> String {
    notification("action", #"{\#(content),"version":"\#(version)","cause":{"kind":"action"}}"#)
  }

  private func addition(version: Int) -> String { action(#""action":{"add":{"_0":1}}"#, version: version) }

  /// A message without the time that it tells, which must be one of these days.
  private func timeless(_ line: String?) throws -> String {
    var message = try JSONValue(parsing: try #require(line))
    let place = JSONPointer(["params", "at"])
    guard case .number(let number) = message[place] else { return message.description }
    #expect(try #require(number.exactly(Int64.self)) > 1_763_000_000_000)
    try message.remove(at: place)
    return message.description
  }
}
