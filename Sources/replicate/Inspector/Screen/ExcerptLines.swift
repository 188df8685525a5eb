import HotReload
import TerminalScreen

/// What the lines of a text look like that isn't what it should be: as they are, with the place marked.
struct ExcerptLines {
  let excerpt: Excerpt

  /// As many lines as there is room for, around the one at fault, and one that points at the place.
  func lines(rows: Int, columns: Int) -> [Line] {
    guard rows > 1 else { return [] }
    let width = "\(excerpt.first + excerpt.lines.count)".count
    var lines: [Line] = []
    for (index, text) in excerpt.lines.enumerated() {
      let number = excerpt.first + index
      let margin = Line(" " + String(repeating: " ", count: width - "\(number)".count) + "\(number) │ ", .faint)
      guard number == excerpt.line else {
        lines.append(margin + Line(Self.shown(text)))
        continue
      }
      let (before, after) = excerpt.parts(of: text)
      let start = Line(Self.shown(before))
      // A long line is shown from where the place can be seen.
      let hidden = max(0, start.columns - columns - margin.columns - min(24, columns / 3))
      let visible = hidden > 0 ? Line("…") + start[hidden..<start.columns] : start
      lines.append(margin + visible + Line(Self.shown(after), .bad))
      lines.append(
        Line(String(repeating: " ", count: margin.columns + visible.columns))
          + Line("▲", Style(ink: .bad, isBold: true)))
    }
    let fault = min(max(0, excerpt.line - excerpt.first), max(0, lines.count - 2))
    let first = min(max(0, fault - (rows - 2) / 2), max(0, lines.count - rows))
    return lines.dropFirst(first).prefix(rows).map { $0.clipped(to: columns) }
  }

  private static func shown(_ text: String) -> String {
    text.replacing("\t", with: "  ").escapedForTerminalLine
  }
}
