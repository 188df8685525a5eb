import TerminalScreen

/// A line of text that somebody is typing.
struct LineEditor: Equatable, Sendable {
  private(set) var text: [Character]
  /// Before which character the next one goes.
  private(set) var position: Int

  init(_ text: String = "") {
    self.text = Array(text)
    position = self.text.count
  }

  var string: String { String(text) }

  /// Does what a key is for; false if it is for nothing here.
  mutating func press(_ key: Key) -> Bool {
    switch key {
    case .character(let character): insert([character])
    case .paste(let pasted): insert(pasted.filter { !$0.isNewline })
    case .backspace, .control("h"):
      if position > 0 { remove(position - 1..<position) }
    case .delete, .control("d"):
      if position < text.count { remove(position..<position + 1) }
    case .left, .control("b"): position = max(0, position - 1)
    case .right, .control("f"): position = min(text.count, position + 1)
    case .home, .control("a"): position = 0
    case .end, .control("e"): position = text.count
    case .control("u"): remove(0..<position)
    case .control("k"): remove(position..<text.count)
    case .control("w"): remove(wordStart..<position)
    default: return false
    }
    return true
  }

  private mutating func insert(_ characters: some Collection<Character>) {
    text.insert(contentsOf: characters, at: position)
    position += characters.count
  }

  private mutating func remove(_ range: Range<Int>) {
    text.removeSubrange(range)
    position = range.lowerBound
  }

  private var wordStart: Int {
    var start = position
    while start > 0, !text[start - 1].isLetter, !text[start - 1].isNumber { start -= 1 }
    while start > 0, text[start - 1].isLetter || text[start - 1].isNumber { start -= 1 }
    return start
  }

  /// The line with its cursor, as much of it as there is room for.
  func line(columns: Int, _ style: Style = .plain) -> Line {
    let before = Line(String(text[..<position]), style)
    let at = Line(position < text.count ? String(text[position]) : " ", style.inverted)
    let after = Line(String(text.dropFirst(position + 1)), style)
    let whole = before + at + after
    // The cursor is always in sight.
    let end = before.columns + at.columns
    return end <= columns ? whole.clipped(to: columns) : whole[end - columns..<end]
  }
}
