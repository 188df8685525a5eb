import Testing

import TerminalScreen

@Suite struct `A line` {
  @Test(arguments: [
    ("", 0), ("Nebel", 5), ("Leuchtturmwärter", 16), ("a\u{308}", 1), ("雪の灯台", 8), ("😱", 2), ("👩‍🚀", 2), ("★ 8.1", 5),
    ("♥", 1), ("♥\u{fe0f}", 2), ("🇩🇪", 2), ("שלום", 4), ("می\u{200c}خواهم", 7),
  ])
  func `is as wide as a terminal shows it`(text: String, columns: Int) {
    #expect(Line(text).columns == columns)
  }

  @Test(arguments: [
    ("Nebel", 5, "Nebel"), ("Nebel", 4, "Neb…"), ("雪の灯台", 5, "雪の…"), ("雪の灯台", 4, "雪 …"), ("雪", 1, "…"), ("雪", 0, ""),
  ])
  func `is clipped, and a wide character with it`(text: String, limit: Int, clipped: String) {
    #expect(Line(text).clipped(to: limit).text == clipped)
  }

  @Test func `goes over another one`() {
    #expect(Line("0123456789").covered(by: Line("ab"), at: 3).text == "012ab56789")
    #expect(Line("01").covered(by: Line("ab"), at: 3).text == "01 ab")
    #expect(Line("雪の灯台").covered(by: Line("ab"), at: 3).text == "雪 ab 台")
  }

  @Test func `holds nothing that commands the terminal`() {
    #expect(Line("a\u{1b}[2Jb\nc\u{9b}\u{202e}d").text == "a·[2Jb·c··d")
  }

  @Test(arguments: [
    ("one two three", 7, ["one two", "three"]), ("Leuchtturm", 4, ["Leuc", "httu", "rm"]),
    ("a\n\nb", 9, ["a", "", "b"]),
    ("雪の灯台", 5, ["雪の", "灯台"]), ("ab Leuchtturm", 4, ["ab", "Leuc", "httu", "rm"]),
    ("  ab  cd", 6, ["  ab ", "cd"]), ("  a b", 9, ["  a b"]), ("", 3, [""]),
    ("    Leuchtturm", 6, ["    Le", "uchttu", "rm"]),
  ])
  func `of text is wrapped`(text: String, limit: Int, lines: [String]) {
    #expect(text.wrapped(toColumns: limit) == lines)
  }

  @Test func `is written with colours, or without`() {
    let line = Line("a") + Line("b", Style(ink: .warning, isBold: true))
    #expect(line.rendition() == "a\u{1b}[1;33mb\u{1b}[0m")
    #expect(line.rendition(isColored: false) == "a\u{1b}[1mb\u{1b}[0m")
  }
}
