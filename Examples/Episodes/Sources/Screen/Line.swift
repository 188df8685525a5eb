/// How a piece of text looks.
struct Style: Sendable, Hashable {
  /// What it means; the terminal's own palette says which colour that is.
  enum Ink: Sendable, Hashable { case plain, faint, accent, good, warning, bad }

  var ink = Ink.plain
  var isBold = false
  var isInverse = false

  static let plain = Style()
  static let faint = Style(ink: .faint)
  static let accent = Style(ink: .accent)
  static let good = Style(ink: .good)
  static let warning = Style(ink: .warning)
  static let bad = Style(ink: .bad)
  static let bold = Style(isBold: true)
  static let bar = Style(isInverse: true)
}

/// One line of the screen: text that looks different here and there.
struct Line: Sendable, Equatable {
  struct Span: Sendable, Equatable {
    var text: String
    var style: Style
  }

  private(set) var spans: [Span]

  /// What comes from outside can hold anything: characters that would command the terminal are shown as `·`.
  init(_ text: String, _ style: Style = .plain) {
    let shown = String(text.map { $0.isControl ? "·" : $0 })
    spans = shown.isEmpty ? [] : [Span(text: shown, style: style)]
  }

  private init(spans: [Span]) { self.spans = spans }

  static let empty = Line("")

  var text: String { spans.map(\.text).joined() }
  var columns: Int { spans.reduce(0) { $0 + $1.text.columns } }

  static func + (left: Line, right: Line) -> Line { Line(spans: left.spans + right.spans) }

  /// The line with all of it in another style.
  func styled(_ style: Style) -> Line { Line(spans: spans.map { Span(text: $0.text, style: style) }) }

  /// As much as fits, with `…` in the place of the rest.
  func clipped(to limit: Int) -> Line {
    if columns <= limit { return self }
    return limit > 0 ? self[0..<limit - 1] + Line("…", spans.last?.style ?? .plain) : .empty
  }

  /// Exactly so wide: clipped, or with spaces at the end.
  func filled(to width: Int, _ style: Style = .plain) -> Line {
    let line = clipped(to: width)
    return line + Line(String(repeating: " ", count: max(0, width - line.columns)), style)
  }

  /// Both at the ends of a line that is so wide. Where there is too little room, the left one gives way.
  static func justified(_ left: Line, _ right: Line, width: Int, _ style: Style = .plain) -> Line {
    left.filled(to: max(0, width - right.columns), style) + right.clipped(to: width)
  }

  /// Another line over this one, from a column on.
  func covered(by line: Line, at column: Int) -> Line {
    let end = column + line.columns
    return filled(to: max(column, columns))[0..<column] + line + (columns > end ? self[end..<columns] : .empty)
  }

  /// The columns of a range. Of a wide character that lies across its edge, a space is left.
  subscript(range: Range<Int>) -> Line {
    var column = 0
    var result: [Span] = []
    for span in spans {
      var text = ""
      for character in span.text {
        let place = column..<column + character.columns
        column = place.upperBound
        if range.lowerBound <= place.lowerBound && place.upperBound <= range.upperBound {
          text.append(character)
        } else {
          text += String(repeating: " ", count: place.clamped(to: range).count)
        }
      }
      if !text.isEmpty { result.append(Span(text: text, style: span.style)) }
    }
    return Line(spans: result)
  }
}
