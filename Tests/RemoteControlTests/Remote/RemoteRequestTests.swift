import StateJSON
import StoreCore
import Testing

@testable import RemoteControl

@Suite(.timeLimit(.minutes(10)))
struct `A remote control is asked` {
  @Test(arguments: [
    (request("get"), result(#"{"value":{"count":7,"title":"Fog","weight":0},"version":"0"}"#)),
    (request("get", #""path":"/title""#), result(#"{"value":"Fog","version":"0"}"#)),
    (
      request("get", #""path":"/x""#),
      error(-32001, #"'/x' leads nowhere: the root has no member \"x\""#, #"{"path":"/x"}"#)
    ),
    (dispatch(#"{"add":{"_0":5}}"#), result(#"{"version":"1"}"#)),
    (dispatch(#"{"rename":{"to":"Foghorn"}}"#) + "\r", result(#"{"version":"1"}"#)),
    (
      dispatch(#"{"add":{"_0":"5"}}"#),
      error(
        -32602,
        "invalid params: the action cannot be decoded: at /add/_0: "
          + #"expected an integer of 64 bits, found the string \"5\""#,
        #"{"path":"/add/_0"}"#)
    ),
    (
      dispatch(#"{"rename":{}}"#),
      error(
        -32602, #"invalid params: the action cannot be decoded: at /rename/to: missing; expected a string"#,
        #"{"path":"/rename/to"}"#)
    ),
    (
      dispatch(#"{"rename":{"to":""},"add":{"_0":1}}"#),
      error(
        -32602,
        "invalid params: the action cannot be decoded: at the root: invalid number of keys found, expected one",
        #"{"path":""}"#)
    ),
    (request("dispatch"), error(-32602, "invalid params: 'action' is missing")),
    (
      request("dispatch", #""acton":1"#),
      error(-32602, "invalid params: unknown parameter 'acton'; did you mean 'action'?")
    ),
    (request("flush"), result("{}")),
    (request("unwatch"), result("{}")),
    (request("actions", #""on":1"#), error(-32602, "invalid params: 'on' must be true or false")),
    (
      request("watch", #""format":"pretty""#),
      error(-32602, #"invalid params: 'format' must be \"json\" or \"patch\""#)
    ),
    (
      request("set", #""path":"/count","value":1"#),
      error(-32601, "method not found: 'set'; this program accepts actions only, by 'dispatch'")
    ),
    (request("dispach"), error(-32601, "method not found: 'dispach'; did you mean 'dispatch'?")),
    (
      "{",
      #"{"jsonrpc":"2.0","error":{"code":-32700,"message":"parse error: unexpected end of input; "#
        + #"expected a key or '}'","data":{"column":2}},"id":null}"#
    ),
    (
      "[\(dispatch(#"{"add":{"_0":5}}"#)),1,\(request("info", #""x":1"#))]",
      #"[{"jsonrpc":"2.0","error":{"code":-32600,"message":"invalid request: it must be an object"},"id":null},"#
        + error(-32602, "invalid params: unknown parameter 'x'") + "," + result(#"{"version":"1"}"#) + "]"
    ),
  ])
  func `and answers`(line: String, answer: String) async throws {
    let service = try serve()
    // Without a final newline: the last line counts nevertheless.
    #expect(try await service.answers(to: line) == [answer])
    try await service.store.close()
  }

  @Test(arguments: [
    #"{"jsonrpc":"2.0","method":"dispatch","params":{"action":{"add":{"_0":5}}}}"#,
    #"[{"jsonrpc":"2.0","method":"dispatch","params":{"action":{"add":{"_0":5}}}}]"#,
  ])
  func `without an identifier and does it without an answer`(line: String) async throws {
    let service = try serve()
    #expect(try await service.answers(to: line) == [])
    #expect(service.store.state.count == 12)
  }

  @Test func `who it is`() async throws {
    let service = try serve(DeskControl(name: "desk", version: "1.2"))
    let methods = #"["get","flush","watch","unwatch","notices","info","dispatch","actions"]"#
    #expect(
      try await service.answers(to: request("info")) == [
        result(#"{"name":"desk","version":"1.2","protocol":1,"methods":\#(methods)}"#)
      ])
  }

  @Test func `by the name it was started by`() async throws {
    let service = try serve()
    let answer = try JSONValue(parsing: try #require(try await service.answers(to: request("info")).first))
    let name = try #require(CommandLine.arguments[0].split(separator: "/").last)
    #expect(answer[JSONPointer(["result", "name"])] == .string(String(name)))
  }

  @Test func `ten thousand times by a client that reads nothing until it has written everything`() async throws {
    let count = 10_000
    let service = try serve()
    let lines = (1...count).map { dispatch(#"{"add":{"_0":1}}"#, id: $0) + "\n" + request("get", id: -$0) + "\n" }
    let answers = try await service.answers(to: lines.joined())
    #expect(service.store.state.count == 7 + count)
    let identifiers = try answers.map { answer in
      guard case .number(let number) = try JSONValue(parsing: answer)[JSONPointer(["id"])] else { return 0 }
      return number.exactly(Int.self) ?? 0
    }
    // Dispatches are answered in order; other answers overtake them.
    #expect(identifiers.filter { $0 > 0 } == Array(1...count))
    #expect(identifiers.filter { $0 < 0 } == (1...count).map(-))
  }

  @Test func `where reducers run in the background and answers when they have`() async throws {
    let store = try Store(Desk(), reducer: desk, reducing: .inBackground(), middleware: [DeskControl()])
    let lines = (1...100).map { dispatch(#"{"add":{"_0":1}}"#, id: $0) + "\n" }.joined()
    let answers = try await Service(store).answers(to: lines)
    #expect(answers.last == result(#"{"version":"100"}"#, id: 100))
    #expect(store.state.count == 100)
  }

  @Test func `with nonsense and goes on`() async throws {
    let service = try serve()
    let deep = String(repeating: "[", count: 100_000)
    let nonsense = [
      "", "\0", "[[[[1]]]]", "\"", deep, dispatch(deep), dispatch("null"), dispatch("1e999999999"),
      dispatch(#"{"add":{"_0":9223372036854775808}}"#), request(String(repeating: "x", count: 1 << 20)),
    ]
    try await service.client.send(text: nonsense.joined(separator: "\n") + "\n")
    try await service.client.send(bytes: [0xff, 0xfe, 0x0a])
    let answers = try await service.answers(to: dispatch(#"{"add":{"_0":1}}"#, id: 2))
    #expect(answers.count == nonsense.count + 2)
    #expect(answers.dropLast().allSatisfy { $0.contains(#""error":{"code":-32"#) })
    #expect(answers.last == result(#"{"version":"1"}"#, id: 2))
    #expect(service.store.state.count == 8)
  }

  private func serve(_ remote: DeskControl = DeskControl()) throws -> Service<Desk, DeskAction> {
    try Service(Store(Desk(count: 7, title: "Fog"), reducer: desk, middleware: [remote]))
  }
}
