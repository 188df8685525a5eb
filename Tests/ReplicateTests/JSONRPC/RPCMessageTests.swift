import RemoteControl
import StateJSON
import Testing

@testable import replicate

@Suite struct RPCMessageTests {
  @Test(
    arguments: [
      (#"{"jsonrpc":"2.0","id":1,"method":"get"}"#, .state(.get(.root))),
      (#"{"jsonrpc":"2.0","id":1,"method":"get","params":{"path":"/a"}}"#, .state(.get(a))),
      (
        #"{"jsonrpc":"2.0","id":1,"method":"set","params":{"value":[1],"path":"/a"}}"#,
        .write(.set([1], at: a, makingParents: false))
      ),
      (
        #"{"jsonrpc":"2.0","id":1,"method":"set","params":{"value":null,"path":""}}"#,
        .write(.set(.null, at: .root, makingParents: false))
      ),
      (#"{"jsonrpc":"2.0","id":1,"method":"remove","params":{"path":"/a"}}"#, .write(.remove(at: a))),
      (
        #"{"jsonrpc":"2.0","id":1,"method":"increment","params":{"path":"/a"}}"#,
        .write(.increment(at: a, by: JSONNumber(1), makingParents: false))
      ),
      (
        #"{"jsonrpc":"2.0","id":1,"method":"increment","params":{"path":"/a","by":-2}}"#,
        .write(.increment(at: a, by: JSONNumber(-2), makingParents: false))
      ),
      (
        #"{"jsonrpc":"2.0","id":1,"method":"patch","params":{"operations":[{"op":"remove","path":"/a"}]}}"#,
        .write(.patch(JSONPatch([.remove(at: a)])))
      ),
      (#"{"jsonrpc":"2.0","id":1,"method":"merge","params":{"document":{"a":null}}}"#, .write(.merge(["a": .null]))),
      (#"{"jsonrpc":"2.0","id":1,"method":"flush","params":{}}"#, .state(.flush)),
      (#"{"jsonrpc":"2.0","id":1,"method":"watch"}"#, .state(.watch(.root, .json))),
      (
        #"{"jsonrpc":"2.0","id":1,"method":"watch","params":{"path":"/a","format":"patch"}}"#, .state(.watch(a, .patch))
      ),
      (#"{"jsonrpc":"2.0","id":1,"method":"unwatch","params":{"path":"/a"}}"#, .state(.unwatch(a))),
      (#" {"method":"info", "jsonrpc":"2.0", "id":1, "more": true} "#, .state(.info)),
    ] as [(String, DocumentMethod)])
  func `a request is read`(line: String, method: DocumentMethod) throws {
    let request = try single(line)
    #expect(request.identifier == .number(JSONNumber(1)))
    #expect(request.method == .success(method))
  }

  @Test(
    arguments: [
      (#"{"jsonrpc":"2.0","method":"get","id":"x"}"#, .string("x")),
      (#"{"jsonrpc":"2.0","method":"get","id":null}"#, .null),
      (#"{"jsonrpc":"2.0","method":"get"}"#, nil),
      // A notification stays one, whatever is wrong with it.
      (#"{"jsonrpc":"2.0","method":"frobnicate"}"#, nil),
      (#"{"jsonrpc":"2.0","method":"get","params":{"x":1}}"#, nil),
    ] as [(String, RPCIdentifier?)])
  func `a request without an identifier is a notification`(line: String, identifier: RPCIdentifier?) throws {
    #expect(try single(line).identifier == identifier)
  }

  @Test(arguments: [
    (
      "{",
      #"{"code":-32700,"message":"parse error: unexpected end of input; expected a key or '}'","data":{"column":2}}"#,
      RPCIdentifier.null
    ),
    ("", #"{"code":-32700,"message":"parse error: the text is empty; expected a value","data":{"column":1}}"#, .null),
    ("1", #"{"code":-32600,"message":"invalid request: it must be an object"}"#, .null),
    ("[]", #"{"code":-32600,"message":"invalid request: a batch can't be empty"}"#, .null),
    (
      #"{"id":1,"method":"get"}"#, #"{"code":-32600,"message":"invalid request: 'jsonrpc' must be \"2.0\""}"#,
      .number(JSONNumber(1))
    ),
    (
      #"{"jsonrpc":"2.0","method":1}"#, #"{"code":-32600,"message":"invalid request: 'method' must be a string"}"#,
      .null
    ),
    (
      #"{"jsonrpc":"2.0","id":[],"method":"get"}"#,
      #"{"code":-32600,"message":"invalid request: 'id' must be a string, a number or null"}"#, .null
    ),
    (request("gte"), #"{"code":-32601,"message":"method not found: 'gte'; did you mean 'get'?"}"#, one),
    (request("undo"), #"{"code":-32601,"message":"method not found: 'undo'"}"#, one),
    (
      request("get", "[\"/a\"]"),
      #"{"code":-32602,"message":"invalid params: 'params' must be an object: parameters go by name"}"#, one
    ),
    (
      request("get", #"{"pth":"/a"}"#),
      #"{"code":-32602,"message":"invalid params: unknown parameter 'pth'; did you mean 'path'?"}"#, one
    ),
    (request("flush", #"{"x":1}"#), #"{"code":-32602,"message":"invalid params: unknown parameter 'x'"}"#, one),
    (request("get", #"{"path":1}"#), #"{"code":-32602,"message":"invalid params: 'path' must be a string"}"#, one),
    (
      request("get", #"{"path":"a"}"#),
      #"{"code":-32602,"message":"invalid params: 'a' is not a JSON pointer: it must be empty or start with '/'","#
        + #""data":{"path":"a"}}"#, one
    ),
    (request("set", #"{"path":"/a"}"#), #"{"code":-32602,"message":"invalid params: 'value' is missing"}"#, one),
    (request("set", #"{"value":1}"#), #"{"code":-32602,"message":"invalid params: 'path' is missing"}"#, one),
    (
      request("remove", #"{"path":""}"#),
      #"{"code":-32602,"message":"invalid params: the root can't be removed; 'set' replaces it","data":{"path":""}}"#,
      one
    ),
    (
      request("increment", #"{"path":"/a","by":"1"}"#),
      #"{"code":-32602,"message":"invalid params: 'by' must be a number"}"#, one
    ),
    (
      request("patch", #"{"operations":{}}"#),
      #"{"code":-32602,"message":"invalid params: a patch must be an array of operations"}"#, one
    ),
    (
      request("watch", #"{"format":"pretty"}"#),
      #"{"code":-32602,"message":"invalid params: 'format' must be \"json\" or \"patch\""}"#, one
    ),
  ])
  func `what is wrong with a request is answered`(line: String, error: String, identifier: RPCIdentifier) throws {
    let request = try single(line)
    #expect(request.identifier == identifier)
    guard case .failure(let rejection) = request.method else {
      Issue.record("\(request)")
      return
    }
    #expect(rejection.value.description == error)
  }

  @Test func `a line that is too long is answered as one that can't be read`() {
    let error = RPCError(code: -32700, message: "parse error: the line is too long")
    #expect(RPCMessage<DocumentMethod>(.tooLong) == .single(RPCRequest(rejected: error)))
  }

  @Test func `each request of a batch is read on its own`() {
    let line = #"[{"jsonrpc":"2.0","id":"a","method":"info"},2,{"jsonrpc":"2.0","method":"flush"}]"#
    guard case .batch(let requests) = RPCMessage<DocumentMethod>(.text(Array(line.utf8))) else {
      Issue.record("not read as a batch")
      return
    }
    #expect(requests.map(\.identifier) == [.string("a"), .null, nil])
    #expect(requests[0].method == .success(.state(.info)))
    #expect(requests[1].method == .failure(.invalidRequest("it must be an object")))
    #expect(requests[2].method == .success(.state(.flush)))
  }

  private func single(_ line: String) throws -> RPCRequest<DocumentMethod> {
    guard case .single(let request) = RPCMessage<DocumentMethod>(.text(Array(line.utf8))) else { throw NotSingle() }
    return request
  }

  private struct NotSingle: Error {}
}

private let a = JSONPointer(["a"])
private let one = RPCIdentifier.number(JSONNumber(1))

private func request(_ method: String, _ parameters: String = "{}") -> String {
  #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(parameters)}"#
}
