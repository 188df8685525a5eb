/// What makes a terminal show the lines of a screen: those that it doesn't show yet.
public struct Painter: Sendable {
  private var shown: [Line] = []
  private var width: Int?
  private let isColored: Bool

  /// A painter of a screen of which nothing is known.
  ///
  /// - Parameter isColored: Whether there are colours; without, what is bold, inverse or underlined still is.
  public init(isColored: Bool = true) { self.isColored = isColored }

  /// Makes these lines stand on the screen, and nothing else.
  ///
  /// - Parameters:
  ///   - lines: The lines from top to bottom, no more than the screen has, and none wider than it.
  ///   - size: How large the screen is now. All is written anew where that has changed.
  /// - Returns: What to write; empty if there is nothing to do.
  public mutating func paint(_ lines: [Line], size: Size) -> String {
    // A terminal that has got narrower may have broken its lines.
    let isKnown = width == size.columns
    let former = isKnown ? shown : []
    (shown, width) = (lines, size.columns)
    var text = ""
    for (row, line) in lines.enumerated() where row >= former.count || former[row] != line {
      text += "\u{1b}[\(row + 1);1H" + line.rendition(isColored: isColored)
      // After a line as wide as the screen, clearing would take its last character.
      if line.columns < size.columns { text += "\u{1b}[K" }
    }
    if !isKnown || lines.count < former.count, lines.count < size.rows {
      text += "\u{1b}[\(lines.count + 1);1H\u{1b}[J"
    }
    // A terminal that knows this shows all at once.
    return text.isEmpty ? "" : "\u{1b}[?2026h\(text)\u{1b}[?2026l"
  }
}
