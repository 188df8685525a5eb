import StateJSON

/// An error as JSON-RPC 2.0 (section 5.1) answers it.
struct RPCError: Error, Equatable, Sendable {
  let code: Int
  let message: String
  /// `path`, `line`, `column` and `errno`, as far as they are known.
  var data = JSONObject()

  static func parseError(_ reason: String, column: Int? = nil) -> RPCError {
    var error = RPCError(code: -32700, message: "parse error: \(reason)")
    if let column { error.data["column"] = JSONValue(column) }
    return error
  }

  static func invalidRequest(_ reason: String) -> RPCError {
    RPCError(code: -32600, message: "invalid request: \(reason)")
  }

  static func methodNotFound(_ method: String) -> RPCError {
    let near = Suggestion.nearest(to: method, among: RPCMethod.Name.allCases.map(\.rawValue))
    return RPCError(
      code: -32601, message: "method not found: '\(method)'" + (near.map { "; did you mean '\($0)'?" } ?? ""))
  }

  static func invalidParameters(_ reason: String, path: String? = nil) -> RPCError {
    var error = RPCError(code: -32602, message: "invalid params: \(reason)")
    if let path { error.data["path"] = .string(path) }
    return error
  }

  static func == (left: Self, right: Self) -> Bool {
    left.code == right.code && left.message == right.message && JSONValue.object(left.data) == .object(right.data)
  }

  /// The error object of a response.
  var value: JSONValue {
    .object(
      JSONObject(present: [
        "code": JSONValue(code), "message": .string(message), "data": data.isEmpty ? nil : .object(data),
      ]))
  }
}

extension RPCError {
  /// What the command would have ended with: −32000 minus the exit code.
  init(_ failure: Failure) {
    code = -32000 - Int(failure.code.rawValue)
    message = failure.message
    data = JSONObject(present: [
      "path": failure.pointer.map(JSONValue.string), "line": (failure.place?.line).map(JSONValue.init),
      "column": (failure.place?.column).map(JSONValue.init), "errno": failure.errno.map(JSONValue.init),
    ])
  }
}
