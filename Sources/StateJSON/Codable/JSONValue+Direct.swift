#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#elseif canImport(Foundation)
  internal import Foundation
#endif

// The types that a coder takes over from their own `Codable` conformance: JSON values, which pass through untouched;
// those for which Foundation's `JSONEncoder` has a form of its own; and, since arrays hand over their elements as some
// `Encodable`, the commonest scalars.

extension JSONValue {
  /// The form of a value that a coder takes over, or `nil` if the value has to encode itself.
  init?<T: Encodable>(direct value: T, at path: @autoclosure () -> CodingPathNode) throws {
    // Types are compared first, since that costs less than a cast that fails.
    if T.self == JSONValue.self, let value = value as? JSONValue {
      self = value
    } else if T.self == String.self, let value = value as? String {
      self = .string(value)
    } else if T.self == Int.self, let value = value as? Int {
      self = .number(JSONNumber(value))
    } else if T.self == Double.self, let value = value as? Double {
      try self.init(finite: value, at: path())
    } else if T.self == Bool.self, let value = value as? Bool {
      self = .bool(value)
    } else {
      #if canImport(FoundationEssentials) || canImport(Foundation)
        if T.self == URL.self, let value = value as? URL {
          self = .string(value.absoluteString)
          return
        }
        if T.self == Data.self, let value = value as? Data {
          self = .string(value.base64EncodedString())
          return
        }
        if T.self == Decimal.self, let value = value as? Decimal {
          guard let number = JSONNumber("\(value)") else {
            throw EncodingError.notFinite(value, called: "\(value)", at: path())
          }
          self = .number(number)
          return
        }
      #endif
      return nil
    }
  }
}

extension Expectation {
  /// How to call a value of one of Foundation's types.
  static func ofFoundation(_ type: Any.Type) -> String? {
    #if canImport(FoundationEssentials) || canImport(Foundation)
      if type == URL.self { return "a string with a URL" }
      if type == Data.self { return "a string in base64" }
      if type == Decimal.self || type == Date.self { return "a number" }
    #endif
    return nil
  }
}
