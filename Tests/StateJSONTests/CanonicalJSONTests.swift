import Testing

@testable import StateJSON

@Suite struct CanonicalJSONTests {
  @Test(arguments: [
    (["1", "1.0", "10e-1", "0.1e1", "1E0", "100e-2", "1e+00"], "1"),
    (["0", "-0", "0.0", "-0e5", "0e99999999999999"], "0"),
    (["100", "1e2", "0.001e5"], "1e2"), (["-1.50", "-15e-1", "-0.15e1"], "-15e-1"), (["1203", "1.203e3"], "1203"),
    (["0.00001", "1e-5", "1E-05"], "1e-5"),
    (["1e99999999999999999999", "10e99999999999999999998", "0.1e100000000000000000000"], "1e99999999999999999999"),
    (
      ["1e-99999999999999999999", "0.1e-99999999999999999998", "100e-100000000000000000001"], "1e-99999999999999999999"
    ),
    (["1e1000000000000000000", "10e999999999999999999"], "1e1000000000000000000"),
    (["123456789012345678901234567890"], "12345678901234567890123456789e1"),
    (["9007199254740993"], "9007199254740993"),
  ])
  func `equal numbers have one form`(literals: [String], canonical: String) {
    for literal in literals {
      #expect(JSONNumber(literal)?.canonicalLiteral == canonical)
    }
  }

  @Test(arguments: [
    (#" { "b" : [ ] , "a" : { } } "#, #"{"a":{},"b":[]}"#),
    (
      #"["\u0000\b\t\n\u000b\f\r\u001f\u007f\"\\\/é\u20ac\ud83d\ude02"]"#,
      "[\"\\u0000\\b\\t\\n\\u000b\\f\\r\\u001f\u{7f}\\\"\\\\/é€😂\"]"
    ),
    // The keys of RFC 8785, section 3.2.3: 😀 starts with the surrogate d83d, and so comes before U+FB33.
    (
      #"{"\u20ac":1,"\r":2,"\ufb33":3,"1":4,"\ud83d\ude00":5,"\u0080":6,"\u00f6":7}"#,
      "{\"\\r\":2,\"1\":4,\"\u{80}\":6,\"ö\":7,\"€\":1,\"😀\":5,\"\u{fb33}\":3}"
    ),
    (#"[true,false,null,1.0]"#, "[true,false,null,1]"),
  ])
  func `the form is that of the RFC but for numbers`(text: String, canonical: String) throws {
    #expect(String(decoding: try JSONValue(parsing: text).canonicalBytes, as: UTF8.self) == canonical)
  }

  @Test func `values are equal exactly if their canonical forms are`() {
    var (equal, different) = (0, 0)
    for seed in 0..<3000 as Range<UInt64> {
      var random = RandomVersions(seed: seed)
      let one = random.value(depth: 2)
      let two = random.edited(one, depth: 2)
      let isEqual = one == two
      if isEqual { equal += 1 } else { different += 1 }
      #expect(isEqual == (one.canonicalBytes == two.canonicalBytes), "seed \(seed)")
      if isEqual { #expect(one.hashValue == two.hashValue, "seed \(seed)") }
    }
    #expect(equal > 500 && different > 500)
  }

  @Test func `the canonical form is a text of an equal value`() throws {
    for seed in 0..<500 as Range<UInt64> {
      var random = RandomVersions(seed: seed)
      let value = random.value()
      #expect(try JSONValue(parsing: value.canonicalBytes) == value, "seed \(seed)")
    }
  }

  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
      "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
    ),
    (
      String(repeating: "a", count: 1_000_000),
      "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
    ),
  ])
  func `SHA-256 is that of FIPS 180-4`(message: String, digest: String) {
    #expect(SHA256Digest(hashing: Array(message.utf8)).description == digest)
  }

  /// Lengths around the ends of a block, where the padding takes one block or two.
  @Test(arguments: [
    (55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"),
    (56, "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"),
    (63, "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34"),
    (64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"),
    (65, "635361c48bb9eab14198e76ea8ab7f1a41685d6ad62aa9146d301d4f17eb0ae0"),
    (119, "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb"),
    (120, "2f3d335432c70b580af0e8e1b3674a7c020d683aa5f73aaaedfdc55af904c21c"),
    (127, "c57e9278af78fa3cab38667bef4ce29d783787a2f731d4e12200270f0c32320a"),
    (128, "6836cf13bac400e9105071cd6af47084dfacad4e5e302c94bfed24e013afb73e"),
  ])
  func `SHA-256 pads every length`(count: Int, digest: String) {
    #expect(SHA256Digest(hashing: Array(repeating: UInt8(ascii: "a"), count: count)).description == digest)
  }

  @Test func `the canonical hash is that of the canonical bytes`() throws {
    let value = try JSONValue(parsing: #"{"b":1.0,"a":"x"}"#)
    #expect(value.canonicalHash == SHA256Digest(hashing: Array(#"{"a":"x","b":1}"#.utf8)))
  }
}
