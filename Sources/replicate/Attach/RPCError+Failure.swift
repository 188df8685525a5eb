import RemoteControl
import StateJSON

extension RPCError {
  /// What the command would have ended with: −32000 minus the exit code.
  init(_ failure: Failure) {
    self.init(
      code: -32000 - Int(failure.code.rawValue), message: failure.message,
      data: JSONObject(present: [
        "path": failure.pointer.map(JSONValue.string), "line": (failure.place?.line).map { JSONValue($0) },
        "column": (failure.place?.column).map { JSONValue($0) }, "errno": failure.errno.map { JSONValue($0) },
      ]))
  }
}
