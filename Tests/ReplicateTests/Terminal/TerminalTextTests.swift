import HotReload
import StateJSON
import TerminalScreen
import Testing

@testable import replicate

@Suite struct TerminalTextTests {
  @Test(arguments: [
    ("plain é 雪 😱", "plain é 雪 😱"),
    ("a\nb\tc", "a\nb\tc"),
    ("\u{1b}[31m", "\\u001B[31m"),
    ("\u{7f}\u{9b}\r", "\\u007F\\u009B\\u000D"),
    ("\u{202e}gnp", "\\u202Egnp"),
    ("\u{2066}\u{200e}\u{61c}\u{feff}", "\\u2066\\u200E\\u061C\\uFEFF"),
    ("\u{2028}\u{2029}", "\\u2028\\u2029"),
    ("\u{e0041}", "\\uDB40\\uDC41"),
    ("👩\u{200d}💻", "👩\u{200d}💻"),
    ("می\u{200c}خواهم", "می\u{200c}خواهم"),
  ])
  func `what could confuse a terminal is escaped`(text: String, shown: String) {
    #expect(text.escapedForTerminal == shown)
  }

  @Test func `a line keeps no line feed and no tab`() {
    #expect("a\nb\tc".escapedForTerminalLine == "a\\u000Ab\\u0009c")
  }

  @Test(arguments: [("", 0), ("abc", 3), ("雪国", 4), ("e\u{301}", 1), ("😱", 2), ("👩\u{200d}💻", 2)])
  func `the width counts columns`(text: String, width: Int) {
    #expect(text.columns == width)
  }

  @Test(arguments: [
    ("abc", 3, "abc"), ("abcd", 3, "ab…"), ("雪国だ", 5, "雪国…"), ("雪国だ", 4, "雪 …"), ("abc", 1, "…"), ("abc", 0, ""),
  ])
  func `a text is clipped by columns`(text: String, columns: Int, clipped: String) {
    #expect(text.clipped(toColumns: columns) == clipped)
  }

  @Test(
    arguments: [
      (true, ColorChoice.auto, nil, true), (false, .auto, nil, false), (true, .auto, "1", false),
      (true, .auto, "", true),
      (true, .never, nil, false), (false, .always, "1", true),
    ] as [(Bool, ColorChoice, String?, Bool)])
  func `colours follow the option, then the variable, then the stream`(
    isTerminal: Bool, color: ColorChoice, noColor: String?, isColored: Bool
  ) {
    #expect(Presentation(isTerminal: isTerminal, color: color, noColor: noColor).isColored == isColored)
  }

  @Test(arguments: [
    (false, Request.GetStyle(), "{\n  \"a\": \"\u{202e}\\u001B\",\n  \"n\": 1e3\n}\n"),
    (true, Request.GetStyle(), "{\n  \"a\": \"\\u202E\\u001B\",\n  \"n\": 1e3\n}\n"),
    (false, Request.GetStyle(isCompact: true), "{\"a\":\"\u{202e}\\u001B\",\"n\":1e3}\n"),
    (false, Request.GetStyle(isCompact: true, isRaw: true), "{\"a\":\"\u{202e}\\u001B\",\"n\":1e3}\n"),
  ])
  func `a value is escaped on a terminal only`(isTerminal: Bool, style: Request.GetStyle, text: String) throws {
    let value = try JSONValue(parsing: "{\"a\":\"\u{202e}\\u001b\",\"n\":1e3}")
    let presentation = Presentation(isTerminal: isTerminal, color: .never, noColor: nil)
    #expect(presentation.text(of: value, style: style) == text)
  }

  @Test(arguments: [(false, "a\u{1b}\"\n\n"), (true, "a\\u001B\"\n\n")])
  func `a raw string has no quotes`(isTerminal: Bool, text: String) {
    let presentation = Presentation(isTerminal: isTerminal, color: .auto, noColor: nil)
    #expect(presentation.text(of: "a\u{1b}\"\n", style: Request.GetStyle(isRaw: true)) == text)
  }
}
