/// What became of a value, in lines that a person reads: for a logger and for a failed expectation.
///
///     print(StateDifference(from: before, to: after))
///     // - search.query: "fo"
///     // + search.query: "fog"
///     // - rows[id: 7].isRead: false
///     // + rows[id: 7].isRead: true
///     // + rows[id: 9]: Row(id: 9, title: "Storm", isRead: false)
///
/// It looks into structs, enums, tuples, arrays, sets, dictionaries, and classes that aren't the same object; elements
/// that are `Identifiable` are compared by identity, others by place. What is `Equatable` and equal isn't looked into. It
/// asks nothing of the type, and takes reflection's time for that: a few microseconds for each place it looks at.
///
/// Lines are single, bounded in length and free of control characters.
public struct StateDifference: Sendable, Hashable {
  /// One side of a change at one place.
  public struct Line: Sendable, Hashable, CustomStringConvertible {
    /// Whether the line says what was, or what is.
    public enum Side: String, Sendable {
      /// What was.
      case before = "-"
      /// What is.
      case after = "+"
    }

    /// Which side the line is of.
    public let side: Side
    /// Where: `rows[id: 7].title`; empty for the value itself.
    public let path: String
    /// What was there, or is.
    public let value: String

    /// As it is printed: `- rows[id: 7].title: "Fog"`.
    public var description: String {
      path.isEmpty ? "\(side.rawValue) \(value)" : "\(side.rawValue) \(path): \(value)"
    }
  }

  /// The lines, in the order of declaration.
  public let lines: [Line]
  /// How many more there would be.
  public let omitted: Int

  /// Compares two values.
  ///
  /// - Parameters:
  ///   - old: What was.
  ///   - new: What is.
  ///   - limit: How many lines there are at most.
  public init<Value>(from old: Value, to new: Value, limit: Int = 40) {
    var comparison = Comparison(limit: limit)
    comparison.compare(old, new, at: "", depth: 0)
    lines = comparison.lines
    omitted = comparison.count - lines.count
  }

  /// Whether nothing is different.
  public var isEmpty: Bool { lines.isEmpty && omitted == 0 }
}

extension StateDifference: CustomStringConvertible {
  /// The lines, and how many more there are.
  public var description: String {
    var lines = lines.map(\.description)
    if omitted > 0 { lines.append("… and \(omitted) more \(omitted == 1 ? "line" : "lines")") }
    return lines.joined(separator: "\n")
  }
}
