extension Unicode.Scalar {
  /// How many columns of a terminal the scalar takes: none, one or two.
  ///
  /// An approximation of Unicode's East Asian Width (UAX #11) that is right for common text; terminals differ, too.
  fileprivate var columns: Int {
    if value < 0x300 { return value == 0xAD ? 0 : 1 }
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

  /// Whether it commands a terminal, or makes it show a text in another order, or hides it. Joiners, which emoji and several scripts
  /// need, don't.
  fileprivate var isCommand: Bool {
    if value < 0x300 { return value < 0x20 || (0x7F...0x9F).contains(value) || value == 0xAD }
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: return true
    case .format: return value != 0x200C && value != 0x200D
    default: return false
    }
  }
}

extension Character {
  /// How many columns of a terminal the character takes: as many as its widest scalar, and two where a selector asks for the picture of
  /// an emoji.
  public var columns: Int {
    if let ascii = asciiValue { return ascii < 0x80 ? 1 : 0 }
    let widest = unicodeScalars.lazy.map(\.columns).max() ?? 0
    return widest == 1 && unicodeScalars.contains("\u{FE0F}") ? 2 : widest
  }

  /// Whether it is of those that move a terminal's cursor, reorder or hide text, or worse.
  public var isCommand: Bool { unicodeScalars.contains(where: \.isCommand) }
}

extension StringProtocol {
  /// How many columns of a terminal the text takes.
  public var columns: Int { utf8.allSatisfy { $0 < 0x80 } ? utf8.count : reduce(0) { $0 + $1.columns } }

  /// The text in lines of at most so many columns, broken at spaces where there are any.
  ///
  /// - Parameter limit: How many columns there are. A character that is wider stands by itself.
  /// - Returns: The lines from top to bottom; an empty text is one empty line.
  public func wrapped(toColumns limit: Int) -> [String] {
    split(separator: "\n", omittingEmptySubsequences: false).flatMap { Self.wrap($0, limit) }
  }

  private static func wrap(_ line: SubSequence, _ limit: Int) -> [String] {
    if line.columns <= limit { return [String(line)] }
    var lines: [String] = []
    var current: [Character] = []
    var width = 0
    for character in line {
      if width + character.columns > limit, !current.isEmpty {
        let isBetweenWords = character == " "
        let space = isBetweenWords ? current.endIndex : current.lastIndex(of: " ")
        // Spaces at the start are none between words.
        let end = space.flatMap { space in current[..<space].allSatisfy { $0 == " " } ? nil : space }
        lines.append(String(current[..<(end ?? current.endIndex)]))
        // The space between two words goes with the break.
        current = end.map { Array(current[$0...].dropFirst()) } ?? []
        width = current.reduce(0) { $0 + $1.columns }
        if isBetweenWords { continue }
      }
      current.append(character)
      width += character.columns
    }
    return lines + [String(current)]
  }
}
