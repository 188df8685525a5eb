import HotReload
import StateJSON
import StoreCore
import TestSupport
import TestThreads
import Testing

@testable import RemoteControl

@Suite(.ownThreads, .timeLimit(.minutes(10)))
struct `A remote control ends` {
  let folder: TemporaryFolder
  private var path: String { folder.path("desk.json") }

  init() throws { folder = try TemporaryFolder() }

  private func mirrored(timeout: Duration = .seconds(60)) throws -> DeskStore {
    try Store(
      Desk(), reducer: desk, middleware: [DeskControl(), HotReload(file: path, timeout: timeout)])
  }

  private func count(in text: String) throws -> JSONValue? { try JSONValue(parsing: text)[JSONPointer(["count"])] }

  @Test func `nothing: an action that is answered is in the file`() async throws {
    let service = try Service(mirrored())
    for number in 1...100 {
      try await service.client.send(dispatch(#"{"add":{"_0":1}}"#))
      #expect(try await service.client.receive()?.contains("version") == true)
      #expect(try count(in: folder.text(of: "desk.json")) == JSONValue(number))
    }
    #expect(try await service.answers(to: "") == [])
    try await service.store.close()
  }

  @Test func `with the input, and then everything that was dispatched is in the file`() async throws {
    let service = try Service(mirrored())
    service.store.dispatch(.add(1))
    let answers = try await service.answers(to: dispatch(#"{"add":{"_0":2}}"#))
    #expect(answers.count == 1)
    #expect(try count(in: folder.text(of: "desk.json")) == 3)
    try await service.store.close()
    #expect(try folder.names == ["desk.json"])
  }

  @Test func `with an error if not everything is in the file`() async throws {
    try folder.save(#"{"count":0,}"#, to: "desk.json")
    let service = try Service(mirrored(timeout: .milliseconds(50)))
    let problem = notification(
      "problem", #"{"code":"invalid-json","message":"expected a key after ','","line":1,"column":12}"#)
    #expect(try await service.client.receive() == problem)
    try await service.client.send(
      dispatch(#"{"add":{"_0":2}}"#), #"{"jsonrpc":"2.0","method":"dispatch","params":{"action":{"add":{"_0":2}}}}"#)
    let reason = "not in '\(path)': \(path):1:12: expected a key after ','"
    let answer = try #require(try await service.client.receive())
    let message = try JSONValue(parsing: answer)[JSONPointer(["error", "message"])]
    let messages = ["1 action is", "2 actions are"].map {
      JSONValue.string("the action was reduced, but is not committed: \($0) \(reason)")
    }
    #expect(messages.contains { $0 == message })
    #expect(answer.contains(#""code":-32004"#))
    service.client.closeOutput()
    #expect(try await service.client.receiveAll() == [])
    let failure = RemoteControlError(.uncommitted, "2 actions are \(reason)")
    await #expect(throws: failure) { try await service.value() }
    try folder.save(#"{"count":0,"title":"","weight":0}"#, to: "desk.json")
    try await service.store.close()
    #expect(try count(in: folder.text(of: "desk.json")) == 4)
  }

  @Test func `quietly when nobody reads, and what was asked for is done`() async throws {
    let service = try Service(mirrored())
    service.client.closeInput()
    try await service.client.send(dispatch(#"{"add":{"_0":2}}"#))
    try await service.value()
    #expect(try count(in: folder.text(of: "desk.json")) == 2)
    try await service.store.close()
  }

  @Test func `when too many answers wait to be read, and what was asked for is done`() async throws {
    let title = String(repeating: "x", count: 1 << 20)
    let service = try Service(Store(Desk(title: title), reducer: desk, middleware: [DeskControl()]))
    try await service.client.send(dispatch(#"{"add":{"_0":2}}"#))
    for _ in 0..<80 { try await service.client.send(request("get")) }
    let failure = RemoteControlError(.unread, "more than 64 MiB of answers wait to be read from <output>")
    await #expect(throws: failure) { try await service.value() }
    #expect(service.store.state.count == 2)
  }

  @Test func `when its task is cancelled, also with a client that doesn't read`() async throws {
    let title = String(repeating: "x", count: 1 << 20)
    let service = try Service(Store(Desk(title: title), reducer: desk, middleware: [DeskControl()]))
    try await service.client.send(request("get"), dispatch(#"{"add":{"_0":2}}"#))
    // The answer has begun.
    try await service.client.waitForInput()
    service.cancel()
    try await service.value()
    // What the pipe held, and then its end: nothing is written any more.
    let bytes = try await service.client.rest()
    #expect(bytes.count <= 1 << 16)
    #expect(bytes.starts(with: Array(#"{"jsonrpc":"2.0","result":{"value":{"count":"#.utf8)))
  }

  @Test func `when the store is closed`() async throws {
    let service = try Service(mirrored())
    try await service.client.send(dispatch(#"{"add":{"_0":2}}"#))
    #expect(try await service.client.receive()?.contains("version") == true)
    try await service.store.close()
    #expect(try await service.client.receiveAll() == [])
    try await service.value()
    #expect(try count(in: folder.text(of: "desk.json")) == 2)
  }

  @Test func `and begins anew with another client`() async throws {
    let store = try mirrored()
    for number in 1...3 {
      let answers = try await Service(store).answers(to: dispatch(#"{"add":{"_0":1}}"#))
      #expect(answers.count == 1)
      #expect(store.state.count == number)
    }
    try await store.close()
    #expect(try await Service(store).client.receiveAll() == [])
  }

  @Test func `with a sentence where there is nothing to serve`() async throws {
    let early = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try await DeskControl().serve()
    }
    #expect(
      early.message.contains("a RemoteControl serves the store that it was given to: make that before, and keep it"))
    let twice = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let store = try Store(Desk(), reducer: desk, middleware: [DeskControl()])
      let services = [try Service(store), try Service(store)]
      for service in services { try await service.value() }
    }
    #expect(twice.message.contains("a RemoteControl serves one client at a time"))
  }
}

extension ExitTest.Result {
  fileprivate var message: String { String(decoding: standardErrorContent, as: UTF8.self) }
}
