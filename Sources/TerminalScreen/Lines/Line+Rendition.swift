extension Line {
  /// The line with the graphic renditions of ECMA-48.
  ///
  /// - Parameter isColored: Whether there are colours; without, what is bold, inverse or underlined still is.
  /// - Returns: The text as a terminal takes it, without a line break.
  public func rendition(isColored: Bool = true) -> String {
    spans.map { span in
      let codes = span.style.codes(isColored: isColored)
      return codes.isEmpty ? span.text : "\u{1b}[\(codes.joined(separator: ";"))m\(span.text)\u{1b}[0m"
    }.joined()
  }
}

extension Style {
  fileprivate func codes(isColored: Bool) -> [String] {
    let ink: String? =
      switch ink {
      case _ where !isColored: nil
      case .plain: nil
      case .faint: "90"
      case .accent: "36"
      case .good: "32"
      case .warning: "33"
      case .bad: "31"
      case .special: "35"
      case .quiet: "34"
      }
    return [isBold ? "1" : nil, isUnderlined ? "4" : nil, ink, isInverse ? "7" : nil].compactMap(\.self)
  }
}
