/// A JSON value that keeps what the text said: the order of object members and the literals of numbers.
///
/// `==` compares by meaning: objects as unordered, arrays as ordered, strings by Unicode scalars without normalisation,
/// and numbers by their exact decimal value. ``isIdentical(to:)`` compares order and literals too.
///
/// Values are walked recursively, so that the nesting of one is bounded by the stack of the thread. What a parser made
/// is no deeper than ``JSONLimits/maximumDepth``; code that builds values of its own should keep to that as well.
public enum JSONValue: Sendable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number, exactly as it is written.
  case number(JSONNumber)
  /// A string, unescaped.
  case string(String)
  /// The elements of an array.
  case array([JSONValue])
  /// The members of an object, in their order.
  case object(JSONObject)
}

extension JSONValue: Equatable {
  public static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.number(let left), .number(let right)): left == right
    case (.string(let left), .string(let right)): left.hasSameScalars(as: right)
    case (.array(let left), .array(let right)): left == right
    case (.object(let left), .object(let right)):
      left.hasSameKeys(as: right)
        ? left.values == right.values
        : left.count == right.count && left.members.allSatisfy { member in right[member.key] == member.value }
    default: false
    }
  }

  /// Whether both values would be written as the same bytes: `==`, and the same order of members and the same literals.
  public func isIdentical(to other: Self) -> Bool {
    if sharesStorage(with: other) { return true }
    return switch (self, other) {
    case (.number(let left), .number(let right)): left.literal == right.literal
    case (.array(let left), .array(let right)):
      left.count == right.count && zip(left, right).allSatisfy { $0.isIdentical(to: $1) }
    case (.object(let left), .object(let right)):
      left.hasSameKeys(as: right) && zip(left.values, right.values).allSatisfy { $0.isIdentical(to: $1) }
    default: self == other
    }
  }
}
