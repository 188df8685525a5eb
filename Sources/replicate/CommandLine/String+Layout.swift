extension String {
  /// What stands between empty lines.
  var paragraphs: [String] { split(separator: "\n\n").map(String.init) }

  /// The text broken into lines of at most `width` characters, between words; a longer word stands alone.
  func wrapped(to width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in split(separator: " ") {
      if !line.isEmpty && line.count + 1 + word.count > width {
        lines.append(line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    return lines + [line]
  }

  /// The phrase as a sentence: a capital letter at its start and a full stop at its end.
  var asSentence: String { capitalizedFirst + "." }

  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
