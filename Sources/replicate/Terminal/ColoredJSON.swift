import TerminalScreen

/// A JSON text with its syntax in colours.
enum ColoredJSON {
  /// The same text with the graphic renditions of ECMA-48. What isn't JSON in it stays as it is.
  static func text(_ json: String) -> String {
    var result = ""
    var rest = json[...]
    while let first = rest.first {
      let token: Substring
      switch first {
      case "\"": token = string(rest)
      case "-", "0"..."9", "a"..."z": token = rest.prefix { $0.isLetter || $0.isNumber || "+-.".contains($0) }
      default: token = rest.prefix(1)
      }
      rest = rest[token.endIndex...]
      result += style(of: token, before: rest).map { Line(String(token), $0).rendition() } ?? String(token)
    }
    return result
  }

  /// Up to the quotation mark that ends it.
  private static func string(_ text: Substring) -> Substring {
    var isEscaped = false
    let end = text.indices.dropFirst().first { index in
      defer { isEscaped = !isEscaped && text[index] == "\\" }
      return text[index] == "\"" && !isEscaped
    }
    return end.map { text[...$0] } ?? text
  }

  private static func style(of token: Substring, before rest: Substring) -> Style? {
    guard let first = token.first else { return nil }
    if first == "\"" { return rest.first { $0 != " " } == ":" ? .accent : .good }
    if first == "-" || first.isNumber { return .special }
    return first.isLetter ? .quiet : nil
  }
}
