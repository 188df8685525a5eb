import Testing

import TerminalScreen

@Suite struct `Keys` {
  @Test(
    arguments: [
      ("q", [.character("q")]), ("ü雪😱", [.character("ü"), .character("雪"), .character("😱")]), ("\r", [.enter]),
      ("\u{7f}", [.backspace]), ("\t", [.tab]), ("\u{4}\u{1f}", [.control("d")]),
      ("\u{1b}[A\u{1b}OB\u{1b}[C\u{1b}[D", [.up, .down, .right, .left]),
      ("\u{1b}[H\u{1b}[F\u{1b}[Z", [.home, .end, .backTab]),
      ("\u{1b}[5~\u{1b}[6~\u{1b}[3~\u{1b}[2~", [.pageUp, .pageDown, .delete, .insert]),
      ("a\u{1b}[1;5Ab", [.character("a"), .up, .character("b")]), ("\u{1b}[99~x", [.character("x")]),
      ("\u{1b}q", [.alternate("q")]),
      ("\u{1b}\t\u{1b}\r\u{1b}\u{15}", [.escape, .tab, .escape, .enter, .escape, .control("u")]),
      ("\u{1b}\u{1b}[A", [.escape, .up]), ("\u{0}", []),
      ("\u{1b}[<0;5;3M\u{1b}[<0;5;3m", [.mouse(.press, column: 4, row: 2)]),
      ("\u{1b}[<64;1;1M\u{1b}[<65;1;1M", [.mouse(.wheelUp, column: 0, row: 0), .mouse(.wheelDown, column: 0, row: 0)]),
      ("\u{1b}[200~a\n\u{1b}[Ab\u{1b}[201~c", [.paste("a\n\u{1b}[Ab"), .character("c")]),
    ] as [(String, [Key])])
  func `are made of what the terminal sends`(sent: String, keys: [Key]) {
    var parser = KeyParser()
    #expect(parser.keys(in: Array(sent.utf8)) == keys)
    #expect(!parser.isWaiting)
    // Over a slow line it comes byte by byte.
    #expect(sent.utf8.flatMap { parser.keys(in: [$0]) } == keys)
  }

  @Test(
    arguments: [
      ("\u{1b}", [.escape]), ("\u{1b}[", []), ("\u{1b}[1;", []), ("\u{1b}O", []), ("", []),
    ] as [(String, [Key])])
  func `are whole when nothing follows`(sent: String, keys: [Key]) {
    var parser = KeyParser()
    #expect(parser.keys(in: Array(sent.utf8)).isEmpty)
    #expect(parser.isWaiting == !sent.isEmpty)
    #expect(parser.finish() == keys)
    #expect(!parser.isWaiting)
  }

  @Test func `may come in pieces, and broken`() {
    var parser = KeyParser()
    #expect(parser.keys(in: [0xf0, 0x9f]).isEmpty)
    #expect(parser.keys(in: [0x98, 0xb1, 0x61]) == [.character("😱"), .character("a")])
    #expect(parser.keys(in: [0xff, 0xff, 0xff, 0xff, 0x61]) == [.character("a")])
  }
}
