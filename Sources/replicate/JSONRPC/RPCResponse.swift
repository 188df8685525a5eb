import StateJSON

/// An answer to a request.
struct RPCResponse: Equatable, Sendable {
  let identifier: RPCIdentifier
  let result: Result<JSONValue, RPCError>

  /// The response object, as JSON-RPC 2.0, section 5, has it.
  var value: JSONValue {
    switch result {
    case .success(let value): ["jsonrpc": "2.0", "result": value, "id": identifier.value]
    case .failure(let error): ["jsonrpc": "2.0", "error": error.value, "id": identifier.value]
    }
  }

  // MARK: Results

  /// The answer to `get`; the version is `nil` while the value includes writes that are not committed.
  static func value(_ value: JSONValue, version: ContentHash?) -> JSONValue {
    ["value": value, "version": version.map { .string($0.description) } ?? .null]
  }

  /// The answer to a committed write; `value` is what an increment came to.
  static func committed(_ version: ContentHash, value: JSONValue? = nil) -> JSONValue {
    .object(JSONObject(present: ["version": .string(version.description), "value": value]))
  }

  /// The answer to `info`.
  static func info(instance: String) -> JSONValue {
    [
      "name": .string(CommandTable.name), "version": .string(CommandTable.version), "protocol": 1,
      "instance": .string(instance),
    ]
  }
}
