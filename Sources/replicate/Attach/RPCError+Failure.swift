import RemoteControl
import StateJSON

extension RPCError {
  /// What the command would have ended with: −32000 minus the exit code.
  init(_ failure: Failure) {
    self.init(
      code: -32000 - Int(failure.code.rawValue), message: failure.message,
      data: JSONObject(present: [
        "path": failure.pointer.map(JSONValue.string), "line": (failure.place?.line).map(JSONValue.init),
        "column": (failure.place?.column).map(JSONValue.init), "errno": failure.errno.map(JSONValue.init),
      ]))
  }
}
