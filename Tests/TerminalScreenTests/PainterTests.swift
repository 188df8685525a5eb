import TerminalScreen
import Testing

@Suite struct `A painter` {
  private let size = Size(columns: 4, rows: 3)

  @Test func `writes what the terminal doesn't show yet, and clears what was there`() {
    var painter = Painter()
    #expect(
      painter.paint([Line("ab", .bold), Line("wide")], size: size)
        == framed("\u{1b}[1;1H\u{1b}[1mab\u{1b}[0m\u{1b}[K\u{1b}[2;1Hwide\u{1b}[3;1H\u{1b}[J"))
    #expect(painter.paint([Line("ab", .bold), Line("wide")], size: size).isEmpty)
    #expect(painter.paint([Line("ab", .bold), Line("x")], size: size) == framed("\u{1b}[2;1Hx\u{1b}[K"))
    #expect(painter.paint([Line("ab", .bold)], size: size) == framed("\u{1b}[2;1H\u{1b}[J"))
  }

  @Test func `writes all anew when the screen has got another width`() {
    var painter = Painter(isColored: false)
    _ = painter.paint([Line("a", .bad), Line("b"), Line("c")], size: size)
    #expect(
      painter.paint([Line("a", .bad), Line("b"), Line("c")], size: Size(columns: 1, rows: 3))
        == framed("\u{1b}[1;1Ha\u{1b}[2;1Hb\u{1b}[3;1Hc"))
  }

  private func framed(_ text: String) -> String { "\u{1b}[?2026h\(text)\u{1b}[?2026l" }
}
