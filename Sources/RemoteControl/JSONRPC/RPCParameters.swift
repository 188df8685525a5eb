import HotReload
import StateJSON

/// The parameters of a request, by name; each accessor throws what the client did wrong.
package struct RPCParameters {
  private let object: JSONObject

  /// Takes what stands in `params`; `nil` if it is left out.
  package init(_ value: JSONValue?) throws(RPCError) {
    switch value {
    case nil: object = JSONObject()
    case .object(let object): self.object = object
    default: throw .invalidParameters("'params' must be an object: parameters go by name")
    }
  }

  /// Refuses any other parameter.
  package func allow(_ names: [String]) throws(RPCError) {
    for member in object.members where !names.contains(member.key) {
      let near = Suggestion.nearest(to: member.key, among: names)
      throw .invalidParameters(
        "unknown parameter '\(member.key)'" + (near.map { "; did you mean '\($0)'?" } ?? ""))
    }
  }

  package func value(_ name: String) throws(RPCError) -> JSONValue {
    guard let value = object[name] else { throw .invalidParameters("'\(name)' is missing") }
    return value
  }

  package func pointer(_ name: String) throws(RPCError) -> JSONPointer {
    guard case .string(let text) = try value(name) else { throw wrongType(name, "a string") }
    do { return try JSONPointer(parsing: text) } catch { throw .invalidParameters(error.message, path: text) }
  }

  func optionalPointer(_ name: String) throws(RPCError) -> JSONPointer? {
    object[name] == nil ? nil : try pointer(name)
  }

  package func optionalNumber(_ name: String) throws(RPCError) -> JSONNumber? {
    guard let value = object[name] else { return nil }
    guard case .number(let number) = value else { throw wrongType(name, "a number") }
    return number
  }

  func optionalBool(_ name: String) throws(RPCError) -> Bool? {
    guard let value = object[name] else { return nil }
    guard case .bool(let bool) = value else { throw wrongType(name, "true or false") }
    return bool
  }

  package func patch(_ name: String) throws(RPCError) -> JSONPatch {
    let value = try value(name)
    do { return try JSONPatch(value) } catch { throw .invalidParameters(error.message) }
  }

  func optionalWord<Word: RawRepresentable<String>>(
    _ name: String, among words: [Word]
  ) throws(RPCError) -> Word? {
    guard let value = object[name] else { return nil }
    guard case .string(let text) = value, let word = words.first(where: { $0.rawValue == text }) else {
      throw .invalidParameters("'\(name)' must be \(words.map { "\"\($0.rawValue)\"" }.joined(separator: " or "))")
    }
    return word
  }

  private func wrongType(_ name: String, _ expected: String) -> RPCError {
    .invalidParameters("'\(name)' must be \(expected)")
  }
}
