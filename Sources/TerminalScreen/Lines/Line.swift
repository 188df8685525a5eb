/// One line of the screen: text that looks different here and there.
public struct Line: Sendable, Equatable {
  /// A text of one look.
  public struct Span: Sendable, Equatable {
    /// The text that is shown.
    public var text: String
    /// How it looks.
    public var style: Style
  }

  /// The texts from left to right.
  public private(set) var spans: [Span]

  /// Makes a line of one look.
  ///
  /// - Parameters:
  ///   - text: What is shown. It can come from outside and hold anything: characters that would command the terminal become `·`.
  ///   - style: How it looks.
  public init(_ text: String, _ style: Style = .plain) {
    let isSafe = text.utf8.allSatisfy { (0x20..<0x7f).contains($0) }
    let shown = isSafe ? text : String(text.map { $0.isCommand ? "·" : $0 })
    spans = shown.isEmpty ? [] : [Span(text: shown, style: style)]
  }

  private init(spans: [Span]) { self.spans = spans }

  /// A line without text.
  public static let empty = Line("")

  /// The text that is shown, without its looks.
  public var text: String { spans.map(\.text).joined() }

  /// How many columns the line takes.
  public var columns: Int { spans.reduce(0) { $0 + $1.text.columns } }

  /// One line behind another.
  public static func + (left: Line, right: Line) -> Line { Line(spans: left.spans + right.spans) }

  /// Another line behind this one.
  public static func += (left: inout Line, right: Line) { left.spans += right.spans }

  /// The line with all of it in another style.
  public func styled(_ style: Style) -> Line { Line(spans: spans.map { Span(text: $0.text, style: style) }) }

  /// The line with the style of each of its texts made another.
  public func restyled(_ change: (Style) -> Style) -> Line {
    Line(spans: spans.map { Span(text: $0.text, style: change($0.style)) })
  }

  /// As much as fits, with `…` in the place of the rest.
  public func clipped(to limit: Int) -> Line {
    if columns <= limit { return self }
    return limit > 0 ? self[0..<limit - 1] + Line("…", spans.last?.style ?? .plain) : .empty
  }

  /// Exactly so wide: clipped, or with spaces at the end.
  public func filled(to width: Int, _ style: Style = .plain) -> Line {
    let line = clipped(to: width)
    return line + Line(String(repeating: " ", count: max(0, width - line.columns)), style)
  }

  /// Both at the ends of a line that is so wide. Where there is too little room, the left one gives way.
  public static func justified(_ left: Line, _ right: Line, width: Int, _ style: Style = .plain) -> Line {
    left.filled(to: max(0, width - right.columns), style) + right.clipped(to: width)
  }

  /// Another line over this one, from a column on.
  public func covered(by line: Line, at column: Int) -> Line {
    let end = column + line.columns
    return filled(to: max(column, columns))[0..<column] + line + (columns > end ? self[end..<columns] : .empty)
  }

  /// The columns of a range. Of a wide character that lies across its edge, a space is left.
  public subscript(range: Range<Int>) -> Line {
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
