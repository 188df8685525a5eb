import HotReload
import StateJSON

/// An error as JSON-RPC 2.0 (section 5.1) answers it.
package struct RPCError: Error, Equatable, Sendable {
  package let code: Int
  package let message: String
  /// `path`, `line`, `column` and `errno`, as far as they are known.
  package var data = JSONObject()

  package init(code: Int, message: String, data: JSONObject = JSONObject()) {
    self.code = code
    self.message = message
    self.data = data
  }

  static func parseError(_ reason: String, column: Int? = nil) -> RPCError {
    var error = RPCError(code: -32700, message: "parse error: \(reason)")
    if let column { error.data["column"] = JSONValue(column) }
    return error
  }

  package static func invalidRequest(_ reason: String) -> RPCError {
    RPCError(code: -32600, message: "invalid request: \(reason)")
  }

  /// No method of this name is among those that there are.
  package static func methodNotFound(_ method: String, among names: [String]) -> RPCError {
    let near = Suggestion.nearest(to: method, among: names)
    return RPCError(
      code: -32601, message: "method not found: '\(method)'" + (near.map { "; did you mean '\($0)'?" } ?? ""))
  }

  package static func invalidParameters(_ reason: String, path: String? = nil) -> RPCError {
    var error = RPCError(code: -32602, message: "invalid params: \(reason)")
    if let path { error.data["path"] = .string(path) }
    return error
  }

  /// What was asked for can't be done as things are: the pointer leads nowhere.
  static func refused(_ reason: String, path: String) -> RPCError {
    RPCError(code: -32001, message: reason, data: JSONObject(present: ["path": .string(path)]))
  }

  /// What there is can't be told.
  static func invalid(_ reason: String, path: String) -> RPCError {
    RPCError(code: -32003, message: reason, data: JSONObject(present: ["path": .string(path)]))
  }

  /// The system said no, or not in time.
  static func system(_ reason: String) -> RPCError { RPCError(code: -32004, message: reason) }

  package static func == (left: Self, right: Self) -> Bool {
    left.code == right.code && left.message == right.message && JSONValue.object(left.data) == .object(right.data)
  }

  /// The error object of a response.
  package var value: JSONValue {
    .object(
      JSONObject(present: [
        "code": JSONValue(code), "message": .string(message), "data": data.isEmpty ? nil : .object(data),
      ]))
  }
}
