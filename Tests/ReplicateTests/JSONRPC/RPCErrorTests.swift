import RemoteControl
import Testing

@testable import replicate

@Suite struct RPCErrorTests {
  @Test(arguments: [
    (
      Failure(.no, "'/a' leads nowhere", pointer: "/a"),
      #"{"code":-32001,"message":"'/a' leads nowhere","data":{"path":"/a"}}"#
    ),
    (
      Failure(.invalid, "expected a value", place: .init(source: "f", line: 2, column: 3)),
      #"{"code":-32003,"message":"expected a value","data":{"line":2,"column":3}}"#
    ),
    (
      Failure(.system, "cannot write 'f': no space left on device", errno: 28),
      #"{"code":-32004,"message":"cannot write 'f': no space left on device","data":{"errno":28}}"#
    ),
  ])
  func `a failure's code is that of the exit code`(failure: Failure, text: String) {
    #expect(RPCError(failure).value.description == text)
  }
}
