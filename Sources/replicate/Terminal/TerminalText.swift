extension Unicode.Scalar {
  /// How many columns of a terminal the scalar takes: none, one or two.
  ///
  /// An approximation of Unicode's East Asian Width (UAX #11) that is right for common text; terminals differ, too.
  var terminalWidth: Int {
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    if properties.isEmojiPresentation { return 2 }
    return switch value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
      2
    default: 1
    }
  }
}

extension StringProtocol {
  /// How many columns of a terminal the text takes.
  var terminalWidth: Int { reduce(0) { $0 + $1.terminalWidth } }

  /// As much of the text as fits, with `…` in the place of the rest.
  func clipped(toColumns columns: Int) -> String {
    guard terminalWidth > columns else { return String(self) }
    var width = 0
    let kept = prefix { character in
      width += character.terminalWidth
      return width < columns
    }
    return columns > 0 ? kept + "…" : ""
  }
}

extension Character {
  /// How many columns of a terminal the character takes: as many as its widest scalar.
  var terminalWidth: Int { unicodeScalars.lazy.map(\.terminalWidth).max() ?? 0 }
}
