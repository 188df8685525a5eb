extension String {
  /// The text with everything escaped that could make a terminal do or show something else than the text.
  ///
  /// Control characters, those that reorder or hide text, and the separators that some programs take for line breaks
  /// become `\u202E` and the like, which in a JSON string means the same. Line feeds stay, and so do tabs.
  ///
  ///     "\"\u{1b}[31m\"".escapedForTerminal  // "\u001B[31m" within quotes
  package var escapedForTerminal: String { escaped { $0.isUnsafeOnTerminal } }

  /// As ``escapedForTerminal``, for what must stay on one line: line feeds and tabs are escaped too.
  package var escapedForTerminalLine: String { escaped { $0.isUnsafeOnTerminal || $0 == "\n" || $0 == "\t" } }

  private func escaped(_ isUnsafe: (Unicode.Scalar) -> Bool) -> String {
    guard unicodeScalars.contains(where: isUnsafe) else { return self }
    var escaped = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if isUnsafe(scalar) {
        for unit in scalar.utf16 {
          let digits = String(unit, radix: 16, uppercase: true)
          escaped.append(contentsOf: "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".unicodeScalars)
        }
      } else {
        escaped.append(scalar)
      }
    }
    return String(escaped)
  }
}

extension Unicode.Scalar {
  fileprivate var isUnsafeOnTerminal: Bool {
    switch self {
    case "\n", "\t": false
    default:
      switch properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: true
      // Bidirectional controls, zero-width characters, tags; but emoji and several scripts need the joiners.
      case .format: self != "\u{200C}" && self != "\u{200D}"
      default: false
      }
    }
  }
}
