import TestSupport
import Testing

@testable import RemoteControl

@Suite struct LineReaderTests {
  @Test(
    arguments: [
      ("", []),
      ("\n", [""]),
      ("a\nbc\n", ["a", "bc"]),
      ("a\r\nb", ["a", "b"]),
      ("a\r", ["a"]),
      ("a\rb\r\r\n", ["a\rb\r"]),
      ("\n\n", ["", ""]),
      ("12345678\n", ["12345678"]),
      ("12345678\r\n", ["12345678"]),
      ("123456789\nnext\n", [nil, "next"]),
      ("1234567890123\r\n\nnext", [nil, "", "next"]),
      ("ok\n1234567890123", ["ok", nil]),
    ] as [(String, [String?])])
  func `lines are the same whatever the pieces`(text: String, lines: [String?]) {
    let bytes = Array(text.utf8)
    for size in 1...max(1, bytes.count) {
      var reader = LineReader(limit: 8)
      var found: [LineReader.Line] = []
      for start in stride(from: 0, to: bytes.count, by: size) {
        reader.append(bytes[start..<min(start + size, bytes.count)])
        while let line = reader.next() { found.append(line) }
      }
      if let line = reader.finish() { found.append(line) }
      #expect(reader.finish() == nil)
      #expect(found == lines.map { $0.map { .text(Array($0.utf8)) } ?? .tooLong }, "in pieces of \(size)")
    }
  }

  @Test func `a long line is read in linear time`() {
    func time(pieces: Int) -> Duration {
      var reader = LineReader(limit: 1 << 24)
      let piece = [UInt8](repeating: 0x20, count: 1 << 8)
      return processorTime {
        var isEarly = false
        for _ in 0..<pieces {
          reader.append(piece)
          isEarly = isEarly || reader.next() != nil
        }
        #expect(!isEarly)
        reader.append([0x0a])
        #expect(reader.next() == .text([UInt8](repeating: 0x20, count: pieces << 8)))
      }
    }
    let (short, long) = (time(pieces: 1 << 8), time(pieces: 1 << 12))
    #expect(long < short * 48)
  }
}
