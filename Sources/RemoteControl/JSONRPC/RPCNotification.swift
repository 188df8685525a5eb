import HotReload
import StateJSON
import StoreCore

/// What a client is told without having asked.
package enum RPCNotification: Equatable, Sendable {
  /// The state of a watched place.
  case state(JSONPointer, Content, version: String?, Cause)
  /// An action that was reduced, or why it can't be told; the time is in milliseconds since 1970.
  case action(Result<JSONValue, JSONEncodingError>, version: String, Cause, at: Int64)
  /// So many actions were reduced here that aren't told, as too many wait to be read.
  case omitted(Int)
  /// Something is wrong, and work goes on.
  case problem(code: String, message: String, line: Int?, column: Int?)
  /// A problem of this code is over.
  case resolved(code: String)
  /// Something that a person at the file may want to know.
  case notice(Notice)

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

  /// Something is wrong with the file or the system, and work goes on.
  package static func problem(_ problem: Problem) -> RPCNotification {
    .problem(code: "\(problem.code)", message: problem.message, line: problem.line, column: problem.column)
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
    case .action(.success(let action), let version, let cause, let time):
      Self.notification(
        "action", ["action": action, "version": .string(version), "cause": cause.value, "at": JSONValue(time)])
    case .action(.failure(let failure), let version, let cause, let time):
      Self.notification(
        "action",
        [
          "problem": .string("the action cannot be encoded: \(failure)"), "version": .string(version),
          "cause": cause.value, "at": JSONValue(time),
        ])
    case .omitted(let count):
      Self.notification("omitted", ["actions": JSONValue(count)])
    case .problem(let code, let message, let line, let column):
      Self.notification(
        "problem",
        [
          "code": .string(code), "message": .string(message), "line": line.map { JSONValue($0) },
          "column": column.map { JSONValue($0) },
        ])
    case .resolved(let code):
      Self.notification("resolved", ["code": .string(code)])
    case .notice(let notice):
      Self.notification(
        "notice",
        [
          "code": .string("\(notice.code)"), "message": .string(notice.message),
          "paths": .array(notice.pointers.map { .string("\($0)") }),
          "by": .array(notice.authors.map(JSONValue.string)), "version": notice.version.map(JSONValue.string),
        ])
    }
  }

  /// As it is sent, with the line's end.
  package var line: [UInt8] { value.bytes() + [UInt8(ascii: "\n")] }

  private static func notification(_ method: String, _ parameters: KeyValuePairs<String, JSONValue?>) -> JSONValue {
    ["jsonrpc": "2.0", "method": .string(method), "params": .object(JSONObject(present: parameters))]
  }
}
