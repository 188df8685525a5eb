extension Unicode.Scalar {
  /// How many columns of a terminal the scalar takes: none, one or two.
  ///
  /// An approximation of Unicode's East Asian Width (UAX #11) that is right for common text; terminals differ, too.
  fileprivate var columns: Int {
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

extension Character {
  /// How many columns of a terminal the character takes: as many as its widest scalar.
  var columns: Int { unicodeScalars.lazy.map(\.columns).max() ?? 0 }

  /// Whether it is of those that move a terminal's cursor, or worse.
  var isControl: Bool { unicodeScalars.contains { $0.properties.generalCategory == .control } }
}

extension StringProtocol {
  /// How many columns of a terminal the text takes.
  var columns: Int { reduce(0) { $0 + $1.columns } }

  /// The text in lines of at most so many columns, broken at spaces where there are any.
  func wrapped(toColumns limit: Int) -> [String] {
    split(separator: "\n", omittingEmptySubsequences: false).flatMap { Self.wrap($0, limit) }
  }

  private static func wrap(_ line: SubSequence, _ limit: Int) -> [String] {
    var lines = [""]
    func add(_ text: String) { lines[lines.count - 1] += text }
    for word in line.split(separator: " ") {
      let separator = lines[lines.count - 1].isEmpty ? "" : " "
      if (lines[lines.count - 1] + separator + word).columns <= limit {
        add(separator + word)
        continue
      }
      if !separator.isEmpty { lines.append("") }
      // A word that is too long for any line, as all text is that has no spaces.
      for character in word {
        if lines[lines.count - 1].columns + character.columns > limit { lines.append("") }
        add(String(character))
      }
    }
    return lines
  }
}
