import Testing

@testable import Episodes

@Suite struct `Keys` {
  @Test(
    arguments: [
      ("q", [.character("q")]), ("ü雪😱", [.character("ü"), .character("雪"), .character("😱")]), ("\r", [.enter]),
      ("\u{7f}", [.backspace]), ("\u{1b}", [.escape]),
      ("\u{1b}[A\u{1b}OB\u{1b}[C\u{1b}[D", [.up, .down, .right, .left]),
      ("a\u{1b}[1;5Ab", [.character("a"), .character("b")]), ("\u{1b}[5~x", [.character("x")]), ("\u{1b}[", []),
      ("\t\u{0}", []), ("\u{1b}q", [.escape, .character("q")]),
    ] as [(String, [Key])])
  func `are made of what the terminal sends`(sent: String, keys: [Key]) {
    var parser = KeyParser()
    #expect(parser.keys(in: Array(sent.utf8)) == keys)
  }

  @Test func `may come in pieces, and broken`() {
    var parser = KeyParser()
    #expect(parser.keys(in: [0xf0, 0x9f]).isEmpty)
    #expect(parser.keys(in: [0x98, 0xb1, 0x61]) == [.character("😱"), .character("a")])
    #expect(parser.keys(in: [0xff, 0xff, 0xff, 0xff, 0x61]) == [.character("a")])
  }
}
