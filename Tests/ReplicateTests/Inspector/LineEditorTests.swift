import TerminalScreen
import Testing

@testable import replicate

@Suite struct `A line editor` {
  @Test(arguments: [
    ("abc", "abc|"), ("abc\u{1b}[D\u{1b}[DX", "aX|bc"), ("abc\u{1}X\u{5}Y", "XabcY|"), ("abc\u{7f}", "ab|"),
    ("abc\u{1}\u{1b}[3~", "|bc"), ("one two\u{17}", "one |"), ("one two\u{2}\u{15}", "|o"),
    ("abc\u{1}\u{6}\u{b}", "a|"),
    ("e\u{301}\u{7f}", "e|"), ("雪\u{1b}[D\u{1b}[D", "|雪"), ("\u{1b}[200~a\nb\u{1b}[201~", "ab|"),
  ])
  func `takes keys`(keys: String, result: String) {
    var (editor, parser) = (LineEditor(), KeyParser())
    for key in parser.keys(in: Array(keys.utf8)) { _ = editor.press(key) }
    let text = editor.string
    let index = text.index(text.startIndex, offsetBy: editor.position)
    #expect(text[..<index] + "|" + text[index...] == result)
  }

  @Test func `keeps its cursor in sight`() {
    var editor = LineEditor("0123456789")
    #expect(editor.line(columns: 5).text == "6789 ")
    _ = editor.press(.home)
    #expect(editor.line(columns: 5).text == "0123…")
  }
}
