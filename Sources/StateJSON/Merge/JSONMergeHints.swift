/// How containers at certain places merge, where the usual rule doesn't fit.
///
///     let hints: JSONMergeHints = [
///       JSONPointer(["episodes", "*", "tags"]): .atomic,
///       JSONPointer(["routes"]): .keyed(by: "path"),
///     ]
///
/// A token `*` stands for any key, and for each element of an array. The first hint that fits is taken.
public struct JSONMergeHints: Sendable, Equatable, ExpressibleByDictionaryLiteral {
  /// How a place is merged.
  public enum Rule: Sendable, Hashable {
    /// An array whose elements are identified by this member. If that isn't a string or number in each element, unique
    /// in each version, the array merges as a list.
    case keyed(by: String)
    /// An array whose elements have no identity, even if they have an `id`.
    case list
    /// An array or object that is replaced as a whole, like a scalar.
    case atomic
  }

  private var rules: [(pattern: JSONPointer, rule: Rule)] = []

  public init(dictionaryLiteral rules: (JSONPointer, Rule)...) { self.rules = rules.map { ($0, $1) } }

  /// Adds a hint after those that are there.
  public mutating func append(_ rule: Rule, at pattern: JSONPointer) { rules.append((pattern, rule)) }

  /// The rule for the container at a path in which `*` stands for the elements of arrays.
  func rule(at path: [String]) -> Rule? {
    rules.first { pattern, _ in
      pattern.tokens.count == path.count
        && zip(pattern.tokens, path).allSatisfy { $0 == "*" || $0.hasSameScalars(as: $1) }
    }?.rule
  }

  public static func == (left: Self, right: Self) -> Bool { left.rules.elementsEqual(right.rules, by: ==) }
}
