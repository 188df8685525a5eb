/// A number as its literal stands in the text, compared by its exact decimal value.
///
/// `1`, `1.0` and `10e-1` are equal, and so are `-0` and `0`; no comparison or sum ever passes through `Double`.
/// Exponents may have any length: `1e999999999999999999999` is a number like any other.
///
/// - Complexity: Comparing and hashing take time linear in the literals, whatever the exponents say.
public struct JSONNumber: Sendable {
  /// The literal, in the grammar of RFC 8259, section 6.
  public let literal: String

  /// A number from its literal, or `nil` if that is not in the grammar.
  ///
  ///     JSONNumber("-1.50e3")  // a number
  ///     JSONNumber("+1")       // nil, as are "01", ".5", "1.", "0x1", "NaN" and " 1"
  public init?(_ literal: String) {
    // What throws is no number.
    let isNumber = literal.withContiguousUTF8 { (try? JSONNumberGrammar.end(in: $0, from: 0)) == $0.count }
    guard isNumber else { return nil }
    self.literal = literal
  }

  /// A literal that is known to be in the grammar.
  init(unchecked literal: String) { self.literal = literal }

  /// An integer of any size.
  public init(_ value: some BinaryInteger) { literal = "\(value)" }

  /// The shortest literal that reads back as `value`, or `nil` for infinities and NaN.
  ///
  /// Whole numbers are written without a fraction: `1.0` becomes `1`, as in JavaScript and `JSONEncoder`.
  public init?(_ value: Double) { self.init(finite: value) }

  /// The shortest literal that reads back as `value`, or `nil` for infinities and NaN.
  public init?(_ value: Float) { self.init(finite: value) }

  init?(finite value: some BinaryFloatingPoint & LosslessStringConvertible) {
    guard value.isFinite else { return nil }
    let description = value.description
    literal = description.hasSuffix(".0") ? String(description.dropLast(2)) : description
  }
}

extension JSONNumber: CustomStringConvertible {
  /// The literal.
  public var description: String { literal }
}
