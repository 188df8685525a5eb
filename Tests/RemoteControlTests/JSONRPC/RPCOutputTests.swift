import HotReload
import StateJSON
import StoreCore
import Testing

@testable import RemoteControl

@Suite struct RPCOutputTests {
  private static let version = "\(ContentHash(Array("{}".utf8)))"

  @Test(arguments: [
    (
      RPCResponse(identifier: .number(JSONNumber(7)), result: .success(RPCResponse.committed(version))),
      #"{"jsonrpc":"2.0","result":{"version":"\#(version)"},"id":7}"#
    ),
    (
      RPCResponse(identifier: .string("x"), result: .success(RPCResponse.committed(version, value: 3))),
      #"{"jsonrpc":"2.0","result":{"version":"\#(version)","value":3},"id":"x"}"#
    ),
    (
      RPCResponse(identifier: .number(JSONNumber(1)), result: .success(RPCResponse.value(.null, version: nil))),
      #"{"jsonrpc":"2.0","result":{"value":null,"version":null},"id":1}"#
    ),
    (
      RPCResponse(identifier: .null, result: .failure(.parseError("the line is too long"))),
      #"{"jsonrpc":"2.0","error":{"code":-32700,"message":"parse error: the line is too long"},"id":null}"#
    ),
  ])
  func `a response is written`(response: RPCResponse, text: String) {
    #expect(response.value.description == text)
  }

  @Test(arguments: [
    (
      RPCNotification.state(JSONPointer(["a"]), .value(1), version: version, Cause(.start)),
      #"{"jsonrpc":"2.0","method":"state","params":{"path":"/a","value":1,"version":"\#(version)","#
        + #""cause":{"kind":"start"}}}"#
    ),
    (
      .state(
        .root, .patch(JSONPatch([.remove(at: JSONPointer(["a"]))])), version: nil,
        Cause(.instance, instance: "7f")),
      #"{"jsonrpc":"2.0","method":"state","params":{"path":"","patch":[{"op":"remove","path":"/a"}],"version":null,"#
        + #""cause":{"kind":"instance","instance":"7f"}}}"#
    ),
    (
      .state(.root, .absent, version: nil, Cause(.edit)),
      #"{"jsonrpc":"2.0","method":"state","params":{"path":"","version":null,"cause":{"kind":"edit"}}}"#
    ),
    (
      .action(.success(["add": 1]), version: "7", Cause(.action, instance: "7f"), at: 1_795_356_701_152),
      #"{"jsonrpc":"2.0","method":"action","params":{"action":{"add":1},"version":"7","#
        + #""cause":{"kind":"action","instance":"7f"},"at":1795356701152}}"#
    ),
    (
      .notice(
        Notice(
          code: .kept, file: "f", message: "kept", pointers: [JSONPointer(["n"])], authors: ["7f", "edit"],
          version: "0c8c4b12")),
      #"{"jsonrpc":"2.0","method":"notice","params":{"code":"kept","message":"kept","paths":["/n"],"#
        + #""by":["7f","edit"],"version":"0c8c4b12"}}"#
    ),
    (.omitted(3), #"{"jsonrpc":"2.0","method":"omitted","params":{"actions":3}}"#),
    (
      .problem(
        Problem(.invalidJSON, file: "f", message: "expected a value", line: 2, column: 3)),
      #"{"jsonrpc":"2.0","method":"problem","params":{"code":"invalid-json","message":"expected a value","line":2,"column":3}}"#
    ),
    (.resolved(code: "invalid"), #"{"jsonrpc":"2.0","method":"resolved","params":{"code":"invalid"}}"#),
  ])
  func `a notification is written`(notification: RPCNotification, text: String) {
    #expect(notification.value.description == text)
  }
}
