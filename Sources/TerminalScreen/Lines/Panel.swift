/// A box in front of what is otherwise on the screen.
public struct Panel: Sendable, Equatable {
  /// What stands in its upper edge.
  public var title: String
  /// What is in it, from top to bottom.
  public var lines: [Line]

  /// Makes a box with a title and lines.
  public init(title: String, lines: [Line]) {
    self.title = title
    self.lines = lines
  }

  /// The lines of a screen with the box in front of their middle.
  ///
  /// - Parameters:
  ///   - lines: The lines of the screen, from top to bottom, which get faint.
  ///   - columns: How wide the screen is.
  /// - Returns: As many lines.
  public func over(_ lines: [Line], columns: Int) -> [Line] {
    let width = min((self.lines.map(\.columns) + [title.columns]).max().map { $0 + 6 } ?? 0, columns)
    let edge = String(repeating: "─", count: max(0, width - 5 - title.columns))
    let top = Line("╭─ ", .accent) + Line(title, .bold) + Line(" \(edge)╮", .accent)
    let side = Line("│", .accent)
    let inside = [.empty] + self.lines + [.empty]
    let rows = inside.map { side + (Line("  ") + $0).filled(to: max(0, width - 2)) + side }
    let bottom = Line("╰\(String(repeating: "─", count: max(0, width - 2)))╯", .accent)
    let box = [top] + rows + [bottom]
    let first = max(0, (lines.count - box.count) / 2)
    var result = lines.map { $0.styled(.faint) }
    for (row, line) in zip(result.indices.dropFirst(first), box) {
      result[row] = result[row].covered(by: line, at: max(0, (columns - width) / 2))
    }
    return result
  }
}
