extension JSONPatch {
  /// Reads a patch from its JSON representation, an array of objects. Members that the RFC does not define are ignored.
  ///
  /// - Throws: An error of code `syntax` that names the operation's index, from 0, such as
  ///   `operation 2: 'path' is missing`.
  public init(_ value: JSONValue) throws(JSONPatchError) {
    guard case .array(let elements) = value else { throw .syntax(nil, "a patch must be an array of operations") }
    operations = []
    operations.reserveCapacity(elements.count)
    for (index, element) in elements.enumerated() {
      operations.append(try Members(of: element, index: index).operation())
    }
  }

  /// The JSON representation, members in the order of the RFC's examples.
  public var value: JSONValue { .array(operations.map(\.value)) }

  /// The members of one operation.
  private struct Members {
    let object: JSONObject
    let index: Int

    init(of element: JSONValue, index: Int) throws(JSONPatchError) {
      guard case .object(let object) = element else { throw .syntax(index, "it must be an object") }
      self.object = object
      self.index = index
    }

    func operation() throws(JSONPatchError) -> Operation {
      let name = try string("op")
      switch name {
      case "add": return .add(try member("value"), at: try pointer("path"))
      case "remove": return .remove(at: try pointer("path"))
      case "replace": return .replace(at: try pointer("path"), with: try member("value"))
      case "move": return .move(from: try pointer("from"), to: try pointer("path"))
      case "copy": return .copy(from: try pointer("from"), to: try pointer("path"))
      case "test": return .test(at: try pointer("path"), try member("value"))
      default: throw .syntax(index, "unknown 'op' \(JSONValue.string(name))")
      }
    }

    private func member(_ key: String) throws(JSONPatchError) -> JSONValue {
      guard let value = object[key] else { throw .syntax(index, "'\(key)' is missing") }
      return value
    }

    private func string(_ key: String) throws(JSONPatchError) -> String {
      guard case .string(let string) = try member(key) else { throw .syntax(index, "'\(key)' must be a string") }
      return string
    }

    private func pointer(_ key: String) throws(JSONPatchError) -> JSONPointer {
      let text = try string(key)
      do { return try JSONPointer(parsing: text) } catch { throw .syntax(index, error.message) }
    }
  }
}

extension JSONPatch.Operation {
  /// The JSON representation.
  public var value: JSONValue {
    let path = JSONValue.string("\(path)")
    let op = JSONValue.string(name)
    return switch self {
    case .add(let value, _), .replace(_, let value), .test(_, let value): ["op": op, "path": path, "value": value]
    case .remove: ["op": op, "path": path]
    case .move(let from, _), .copy(let from, _): ["op": op, "from": .string("\(from)"), "path": path]
    }
  }
}
