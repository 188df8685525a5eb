extension Line {
  /// The line with the graphic renditions of ECMA-48.
  var rendition: String {
    spans.map { span in
      let codes = span.style.codes
      return codes.isEmpty ? span.text : "\u{1b}[\(codes.joined(separator: ";"))m\(span.text)\u{1b}[0m"
    }.joined()
  }

  /// What makes a terminal show these lines, and nothing else, without flicker.
  static func frame(_ lines: [Line]) -> String {
    let home = "\u{1b}[H"
    let clearLine = "\u{1b}[K"
    let clearBelow = "\u{1b}[J"
    // Cleared before it is written: after a line as wide as the screen, clearing would take its last character.
    let cleared = lines.dropLast().map { clearLine + $0.rendition } + lines.suffix(1).map { clearBelow + $0.rendition }
    return home + cleared.joined(separator: "\r\n")
  }
}

extension Style {
  fileprivate var codes: [String] {
    let ink: String? =
      switch ink {
      case .plain: nil
      case .faint: "90"
      case .accent: "36"
      case .good: "32"
      case .warning: "33"
      case .bad: "31"
      }
    return [isBold ? "1" : nil, ink, isInverse ? "7" : nil].compactMap(\.self)
  }
}
