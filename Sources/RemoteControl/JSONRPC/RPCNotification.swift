import HotReload
import StateJSON
import StoreCore

/// What a client is told without having asked.
package enum RPCNotification: Equatable, Sendable {
  /// The state of a watched place.
  case state(JSONPointer, Content, version: String?, Cause)
  /// Something is wrong with the file or the system, and work goes on.
  case problem(Problem)
  /// A problem of this code is over.
  case resolved(code: String)

  package enum Content: Equatable, Sendable {
    case value(JSONValue)
    /// From the last state that was sent.
    case patch(JSONPatch)
    /// The place is not there: neither a value nor a patch is sent.
    case absent

    fileprivate var key: String { if case .patch = self { "patch" } else { "value" } }

    fileprivate var value: JSONValue? {
      switch self {
      case .value(let value): value
      case .patch(let patch): patch.value
      case .absent: nil
      }
    }
  }

  /// The notification object, as JSON-RPC 2.0, section 4.1, has it.
  package var value: JSONValue {
    switch self {
    case .state(let pointer, let content, let version, let cause):
      Self.notification(
        "state",
        [
          "path": .string(pointer.description), content.key: content.value,
          "version": version.map(JSONValue.string) ?? .null, "cause": cause.value,
        ])
    case .problem(let problem):
      Self.notification(
        "problem",
        [
          "code": .string("\(problem.code)"), "message": .string(problem.message),
          "line": problem.line.map { JSONValue($0) }, "column": problem.column.map { JSONValue($0) },
        ])
    case .resolved(let code):
      Self.notification("resolved", ["code": .string(code)])
    }
  }

  private static func notification(_ method: String, _ parameters: KeyValuePairs<String, JSONValue?>) -> JSONValue {
    ["jsonrpc": "2.0", "method": .string(method), "params": .object(JSONObject(present: parameters))]
  }
}
