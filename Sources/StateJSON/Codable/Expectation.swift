/// How error messages call what they expected.
enum Expectation {
  /// The JSON form of a type as far as that is known, else the type's name.
  static func of(_ type: Any.Type) -> String {
    if type == String.self { return "a string" }
    if type == Bool.self { return "true or false" }
    if type == Double.self || type == Float.self { return "a number" }
    if type == JSONObject.self { return "an object" }
    if type == JSONValue.self { return "a value" }
    if let integer = type as? any FixedWidthInteger.Type { return range(of: integer) }
    if let container = type as? any DescribedForm.Type { return container.form }
    return ofFoundation(type) ?? "a value of type \(type)"
  }

  private static func range<T: FixedWidthInteger>(of type: T.Type) -> String {
    // The bounds of wide types are too long to help.
    type.bitWidth < 64
      ? "an integer from \(type.min) to \(type.max)"
      : type.isSigned ? "an integer of \(type.bitWidth) bits" : "an integer of \(type.bitWidth) bits, 0 or more"
  }
}

/// A generic type of the standard library whose JSON form is known.
private protocol DescribedForm {
  static var form: String { get }
}

extension Array: DescribedForm { fileprivate static var form: String { "an array" } }
extension Set: DescribedForm { fileprivate static var form: String { "an array" } }
extension Optional: DescribedForm { fileprivate static var form: String { Expectation.of(Wrapped.self) } }
extension Dictionary: DescribedForm {
  fileprivate static var form: String { Key.self == String.self || Key.self == Int.self ? "an object" : "an array" }
}

extension JSONValue {
  /// How error messages call what they found.
  package var foundDescription: String {
    switch self {
    case .null: "null"
    case .bool(let bool): "\(bool)"
    case .number(let number): "the number \(number.literal.shortened)"
    case .string(let string): "the string \"\(string.shortened)\""
    case .array: "an array"
    case .object: "an object"
    }
  }
}

extension String {
  /// At most 40 characters of a text that may be long, on one line.
  fileprivate var shortened: String {
    let line = prefix(40).map { $0.isNewline ? " " : String($0) }.joined()
    return utf8.count > line.utf8.count ? line + "…" : line
  }
}
