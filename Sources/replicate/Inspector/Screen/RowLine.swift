import HotReload
import TerminalScreen

/// What a line of the tree looks like.
struct RowLine {
  var row: Row
  var isCursor: Bool
  /// Whether the keys are for something else.
  var isInBackground = false
  var mark: Marks.Mark?
  var glow: Marks.Glow
  /// What the root is called.
  var file: String
  /// What stands out because it was searched for.
  var search: String?

  func line(columns: Int) -> Line {
    let left = gutter + indentation(columns) + label + value + old
    let right = Line(who, .faint)
    // Where there is no room for both, what it is counts more than who did it.
    let hasRoom = left.columns + right.columns < columns
    let whole = hasRoom ? Line.justified(left, right, width: columns) : left.clipped(to: columns)
    guard isCursor else { return whole }
    return whole.filled(to: columns).restyled { style in
      guard isInBackground else { return style.inverted }
      var style = style
      style.isUnderlined = true
      return style
    }
  }

  /// What glows is marked, also where there are no colours.
  private var gutter: Line {
    switch glow {
    case .strong: Line("●", Style(ink: .warning, isBold: true))
    case .weak: Line("·", .warning)
    case .none: Line(" ")
    }
  }

  private func indentation(_ columns: Int) -> Line {
    let depth = min(2 * row.depth, max(0, columns / 2))
    let marker: String =
      switch row.value {
      case .container(_, _, 0, _), .scalar: "  "
      case .container(_, true, _, _): "▾ "
      case .container(_, false, _, _): "▸ "
      }
    return Line(String(repeating: " ", count: depth)) + Line(marker, .faint)
  }

  private var label: Line {
    switch row.label {
    case .none: row.depth == 0 && row.path.depth == 0 ? Line(file.escapedForTerminalLine + " ", .faint) : .empty
    case .key(let key):
      highlighted(key.escapedForTerminalLine, Style(ink: .accent, isBold: glow == .strong)) + Line(": ", .faint)
    case .index(let index): Line("\(index)", .faint) + Line(": ", .faint)
    }
  }

  private var value: Line {
    switch row.value {
    case .scalar(let kind, let text): return highlighted(text.escapedForTerminalLine, style(of: kind))
    case .container(let isObject, let isOpen, let count, let preview):
      let brackets = isObject ? ("{", "}") : ("[", "]")
      if count == 0 { return Line(brackets.0 + brackets.1, glow == .strong ? glowing : .plain) }
      let size = Line("\(brackets.0)\(count)\(brackets.1)", glow == .strong ? glowing : .faint)
      return isOpen ? size : size + Line("  " + preview.escapedForTerminalLine, .faint)
    }
  }

  private var glowing: Style { Style(ink: .warning, isBold: true) }

  private func style(of kind: Row.Scalar) -> Style {
    if glow == .strong { return glowing }
    return switch kind {
    case .string: .good
    case .number: .special
    case .bool, .null: .quiet
    }
  }

  /// What stood there before.
  private var old: Line {
    guard glow != .none, let mark else { return .empty }
    return switch mark.change.kind {
    case .added: Line("  new", .faint)
    case .shrunken: Line("  something was removed", .faint)
    case .changed: Line("  ← \(mark.change.old.escapedForTerminalLine)", .faint)
    }
  }

  private var who: String {
    guard glow != .none, let mark else { return "" }
    let cause: String =
      switch mark.cause.kind {
      case .action: "here"
      case .edit: "edited"
      default: "\(mark.cause)"
      }
    return " \(cause) \(mark.time) ".escapedForTerminalLine
  }

  /// The text with what was searched for underlined.
  private func highlighted(_ text: String, _ style: Style) -> Line {
    guard let search, !search.isEmpty, text.utf8.count < 2_000 else { return Line(text, style) }
    let isCaseless = search == search.lowercased()
    // A text whose small letters are others in number can't be marked by them.
    let lowered = isCaseless ? text.lowercased() : text
    guard lowered.count == text.count, let range = lowered.firstRange(of: search) else { return Line(text, style) }
    let start = lowered.distance(from: lowered.startIndex, to: range.lowerBound)
    let length = lowered.distance(from: range.lowerBound, to: range.upperBound)
    var found = style
    (found.isUnderlined, found.isBold) = (true, true)
    return Line(String(text.prefix(start)), style) + Line(String(text.dropFirst(start).prefix(length)), found)
      + Line(String(text.dropFirst(start + length)), style)
  }
}
