import StateJSON
import TestSupport
import Testing

@Suite struct JSONParserTests {
  @Test(arguments: accepted)
  func `valid texts are accepted`(text: String, compact: String) throws {
    #expect(try JSONValue(parsing: text).description == compact)
    #expect(try JSONDocument(parsing: text).bytes == Array(text.utf8))
  }

  @Test(arguments: rejected)
  func `invalid texts are rejected with what was expected and where`(text: String, error: String) throws {
    let thrown = try #require(throws: JSONParseError.self) { try JSONValue(parsing: text) }
    #expect(thrown.description == error)
  }

  @Test func `the tables are large enough to be trusted`() {
    #expect(Self.accepted.count >= 90)
    #expect(Self.rejected.count >= 130)
  }

  @Test(
    arguments: [
      ([0x22, 0xFF, 0x22], 1, 2), ([0x22, 0x80, 0x22], 1, 2), ([0x22, 0xC0, 0xAF, 0x22], 1, 2),
      ([0x22, 0xC1, 0xBF, 0x22], 1, 2),
      ([0x22, 0x61, 0xE0, 0x80, 0xAF, 0x22], 2, 3), ([0x22, 0xED, 0xA0, 0x80, 0x22], 1, 2),
      ([0x22, 0xED, 0xBF, 0xBF, 0x22], 1, 2),
      ([0x22, 0xF0, 0x80, 0x80, 0x80, 0x22], 1, 2), ([0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], 1, 2),
      ([0x22, 0xF5, 0x80, 0x80, 0x80, 0x22], 1, 2),
      ([0x22, 0xC3, 0x22], 1, 2), ([0x22, 0xE2, 0x82, 0x22], 1, 2), ([0x22, 0xF0, 0x9F, 0x98, 0x22], 1, 2),
      ([0x22, 0xC3], 1, 2), ([0x22, 0xF0, 0x9F], 1, 2),
      ([0x22, 0xC3, 0xA9, 0xE9, 0x22], 3, 3), ([0xFF], 0, 1), ([0xFF, 0xFE, 0x5B, 0x00], 0, 1),
      ([0x5B, 0xFF, 0x5D], 1, 2), ([0x31, 0xE9], 1, 2), ([0xEF, 0xBB], 0, 1),
    ] as [([UInt8], Int, Int)])
  func `invalid UTF-8 is an error at its position`(bytes: [UInt8], offset: Int, column: Int) throws {
    let thrown = try #require(throws: JSONParseError.self) { try JSONValue(parsing: bytes) }
    let byte = String(bytes[offset], radix: 16, uppercase: true)
    #expect(
      thrown
        == JSONParseError(
          code: .invalidUTF8, offset: offset, line: 1, column: column,
          message: "invalid UTF-8: unexpected byte 0x\(byte)"))
  }

  @Test(arguments: [
    ("", JSONParseError.Code.unexpectedEnd), ("[1,", .unexpectedEnd), ("-", .unexpectedEnd), ("[1,]", .syntax),
    (#"{"a":1,"a":1}"#, .duplicateKey),
    (#""\uD800""#, .loneSurrogate), ("[[1]]", .tooDeep), ("[         ]", .tooLarge),
  ])
  func `errors carry a code`(text: String, code: JSONParseError.Code) throws {
    let limits = JSONLimits(depth: 1, size: 16 - (text.contains("  ") ? 8 : 0))
    #expect(try #require(throws: JSONParseError.self) { try JSONValue(parsing: text, limits: limits) }.code == code)
  }

  @Test func `a byte-order mark is accepted and counts for no column`() throws {
    #expect(try JSONDocument(parsing: "\u{FEFF}[1]").bytes == [0xEF, 0xBB, 0xBF, 0x5B, 0x31, 0x5D])
    let thrown = try #require(throws: JSONParseError.self) { try JSONDocument(parsing: "\u{FEFF}[1}") }
    #expect(
      thrown == JSONParseError(code: .syntax, offset: 5, line: 1, column: 3, message: "expected ',' or ']' after value")
    )
    let empty = try #require(throws: JSONParseError.self) { try JSONValue(parsing: "\u{FEFF}") }
    #expect(empty.description == "1:1: the text is empty; expected a value")
  }

  @Test(arguments: ["[", "{\"a\":"])
  func `a hundred thousand levels are an error and not a crash`(open: String) throws {
    let text = String(repeating: open, count: 100_000)
    for limits in [JSONLimits.default, JSONLimits(depth: .max, size: .max)] {
      let thrown = try #require(throws: JSONParseError.self) { try JSONValue(parsing: text, limits: limits) }
      let depth = min(limits.depth, JSONLimits.maximumDepth)
      #expect(thrown.message == "nested deeper than \(depth) levels")
      #expect(thrown.offset == depth * open.utf8.count)
    }
  }

  @Test func `limits are inclusive`() throws {
    let text = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
    #expect(try JSONValue(parsing: text).description == text)
    let deepest = String(repeating: "[", count: 1024) + String(repeating: "]", count: 1024)
    let limits = JSONLimits(depth: .max, size: 2048)
    #expect(try JSONDocument(parsing: deepest, limits: limits).value.description == deepest)
    let thrown = try #require(throws: JSONParseError.self) { try JSONValue(parsing: deepest + " ", limits: limits) }
    #expect(thrown.description == "1:1: the text has 2049 bytes; expected at most 2048")
    #expect(throws: JSONParseError.self) { try JSONValue(parsing: "[[]]", limits: JSONLimits(depth: 1, size: 9)) }
  }

  @Test func `every ASCII character means the same wherever it stands in a string`() throws {
    for byte in 0..<0x80 as Range<UInt8> {
      for position in 0..<20 {
        var content = Array(repeating: UInt8(ascii: "c"), count: 20)
        content[position] = byte
        let text = [0x22] + content + [0x22]
        switch byte {
        case 0..<0x20:
          let thrown = try #require(throws: JSONParseError.self) { try JSONValue(parsing: text) }
          #expect(thrown.offset == position + 1, "\(byte)")
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
          #expect(throws: JSONParseError.self, "\(byte)") { try JSONValue(parsing: text) }
        default:
          #expect(try JSONValue(parsing: text) == .string(String(decoding: content, as: UTF8.self)), "\(byte)")
        }
        let value = JSONValue.string(String(decoding: content, as: UTF8.self))
        #expect(try JSONValue(parsing: value.bytes()) == value, "\(byte)")
      }
    }
  }

  @Test(arguments: [1, 2, 15, 16, 17, 31, 32, 33, 64, 65, 500])
  func `a duplicate key is found among any number of keys, however it is written`(count: Int) throws {
    let keys = (0..<count).map {
      $0 % 3 == 0 ? "k\($0)" : $0 % 3 == 1 ? "a key of more than eight bytes, \($0)" : "é\\n\($0)"
    }
    let members = keys.map { "\"\($0)\": {\"\(keys[0])\": 0}" }.joined(separator: ",\n")
    #expect(throws: Never.self) { try JSONValue(parsing: "{\(members)}") }
    for index in Set([0, 1, count / 2, count - 1]) where index < count {
      let key = keys[index]
      // The same key with its first letter escaped, and as it is.
      let escaped = escape(key.unicodeScalars.first!) + key.dropFirst()
      for again in [key, escaped] {
        let thrown = try #require(throws: JSONParseError.self) {
          try JSONValue(parsing: "{\(members), \"\(again)\": 1}")
        }
        #expect(thrown.code == .duplicateKey)
        #expect(thrown.offset == members.utf8.count + 3)
        #expect(thrown.message.hasSuffix("; first at line \(index + 1)"))
      }
    }
  }

  @Test func `a long duplicate key is shortened in the message`() throws {
    let key = String(repeating: "k", count: 100)
    let thrown = try #require(throws: JSONParseError.self) { try JSONValue(parsing: "{\"\(key)\":1,\"\(key)\":2}") }
    #expect(thrown.message == "duplicate key \"\(String(repeating: "k", count: 59))…\"; first at line 1")
  }

  @Test func `no text makes the parser crash and every prefix of a valid one is an error`() throws {
    let text = #"{"a":[1.5e-3,true,null,{"\u00e9":"x\n\ud83d\ude39é"}],"b":false} "#
    let bytes = Array(text.utf8)
    let valid = try JSONValue(parsing: bytes)
    for count in 0..<(bytes.count - 1) {
      #expect(throws: JSONParseError.self) { try JSONValue(parsing: Array(bytes.prefix(count))) }
    }
    for seed in 0..<2_000 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      var mutant = bytes
      for _ in 0...random.below(3) {
        mutant[random.below(mutant.count)] =
          random.oneIn(2) ? random.pick(bytes) : UInt8.random(in: 0...255, using: &random)
      }
      do {
        let value = try JSONValue(parsing: mutant)
        #expect(try JSONValue(parsing: value.bytes()).isIdentical(to: value), "seed \(seed)")
      } catch {
        #expect(error.offset <= mutant.count && error.line >= 1 && error.column >= 1, "seed \(seed)")
      }
    }
    #expect(valid.bytes() == Array(#"{"a":[1.5e-3,true,null,{"é":"x\n😹é"}],"b":false}"#.utf8))
  }
}

private func escape(_ scalar: Unicode.Scalar) -> String {
  let digits = String(scalar.value, radix: 16)
  return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
}
