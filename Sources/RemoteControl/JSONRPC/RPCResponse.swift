import StateJSON

/// An answer to a request.
package struct RPCResponse: Equatable, Sendable {
  package let identifier: RPCIdentifier
  package let result: Result<JSONValue, RPCError>

  package init(identifier: RPCIdentifier, result: Result<JSONValue, RPCError>) {
    self.identifier = identifier
    self.result = result
  }

  /// The response object, as JSON-RPC 2.0, section 5, has it.
  package var value: JSONValue {
    switch result {
    case .success(let value): ["jsonrpc": "2.0", "result": value, "id": identifier.value]
    case .failure(let error): ["jsonrpc": "2.0", "error": error.value, "id": identifier.value]
    }
  }

  // MARK: Results

  /// The answer to `get`; the version is `nil` while the value includes writes that are not committed.
  package static func value(_ value: JSONValue, version: String?) -> JSONValue {
    ["value": value, "version": version.map(JSONValue.string) ?? .null]
  }

  /// The answer to a committed write; `value` is what an increment came to.
  package static func committed(_ version: String, value: JSONValue? = nil) -> JSONValue {
    .object(JSONObject(present: ["version": .string(version), "value": value]))
  }

  /// The answer to `info`; the methods are named by those that don't offer all of a document.
  package static func info(
    name: String, version: String, instance: String?, methods: [String]? = nil
  ) -> JSONValue {
    .object(
      JSONObject(present: [
        "name": .string(name), "version": .string(version), "protocol": 1, "instance": instance.map(JSONValue.string),
        "methods": methods.map { .array($0.map(JSONValue.string)) },
      ]))
  }
}
