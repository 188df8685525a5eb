/// The lines of a text around a place at which it isn't what it should be.
struct Excerpt: Equatable, Sendable {
  /// How many lines there are before and after the one at fault, where the text has so many.
  static let reach = 6
  /// More of a line nobody can look at.
  private static let longest = 4_000

  /// The number of the first of the lines, from 1.
  let first: Int
  let lines: [String]
  /// The line at fault, and the column in it, counted in Unicode scalars, both from 1.
  let line: Int
  let column: Int

  /// The lines of a text, which need not be UTF-8.
  init(of text: [UInt8], line: Int, column: Int) {
    var number = 1
    var start = 0
    let wanted = max(1, line - Self.reach)
    while number < wanted, let end = text[start...].firstIndex(of: UInt8(ascii: "\n")) {
      (number, start) = (number + 1, end + 1)
    }
    first = number
    lines = text[start...].split(
      separator: UInt8(ascii: "\n"), maxSplits: 2 * Self.reach + 1, omittingEmptySubsequences: false
    )
    .prefix(2 * Self.reach + 1).map { String(decoding: $0.prefix(Self.longest), as: UTF8.self) }
    (self.line, self.column) = (line, column)
  }

  /// The line at fault in two: before the place, and from it on.
  func parts(of text: String) -> (before: String, after: String) {
    let scalars = text.unicodeScalars
    let place = scalars.index(scalars.startIndex, offsetBy: column - 1, limitedBy: scalars.endIndex) ?? scalars.endIndex
    return (String(scalars[..<place]), String(scalars[place...]))
  }
}
