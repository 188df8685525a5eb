import TestSupport
import Testing

@testable import StateJSON

/// Text is looked at and copied several bytes at a time, and short numbers are taken apart by themselves; which gives what
/// going byte by byte, and asking Swift for a description, gives.
@Suite struct JSONWriterTests {
  func text(_ body: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter(format: .compact, minimumCapacity: 1)
    body(&writer)
    return String(decoding: writer.bytes(), as: UTF8.self)
  }

  /// What a string is in JSON, scalar by scalar.
  func quoted(_ string: String) -> String {
    let short: [Unicode.Scalar: String] = [
      "\"": #"\""#, "\\": #"\\"#, "\u{8}": #"\b"#, "\u{c}": #"\f"#, "\n": #"\n"#, "\r": #"\r"#, "\t": #"\t"#,
    ]
    let escaped = string.unicodeScalars.map { scalar in
      if let escape = short[scalar] { return escape }
      guard scalar.value < 0x20 else { return String(scalar) }
      let digits = String(scalar.value, radix: 16, uppercase: true)
      return #"\u"# + String(repeating: "0", count: 4 - digits.count) + digits
    }
    return "\"\(escaped.joined())\""
  }

  /// With each scalar that is special, or next to one that is, at each place.
  @Test(arguments: 0...33)
  func `strings of any length are escaped where their characters are`(length: Int) {
    var random = SplitMix64(seed: UInt64(length))
    let plain = (0..<length).map { _ in Unicode.Scalar(UInt8.random(in: 0x30...0x7a, using: &random)) }
    let special = (0...0x24).map { Unicode.Scalar($0)! } + ["\\", "[", "]", "\u{7f}", "\u{80}", "é", "毛", "🧶"]
    for place in plain.indices {
      for scalar in special {
        var scalars = plain.filter { $0 != "\\" }
        scalars.insert(scalar, at: min(place, scalars.count))
        let string = String(String.UnicodeScalarView(scalars))
        #expect(text { $0.write(string) } == quoted(string))
      }
    }
  }

  @Test(arguments: 0...33)
  func `keys are escaped as other strings are`(length: Int) throws {
    for scalar: Unicode.Scalar in ["a", "é", "\"", "\\", "\n", "\u{1}"] {
      let key = String(repeating: "k", count: length) + String(scalar)
      let other = String(scalar) + String(repeating: "k", count: length) + "!"
      let dump = try JSONValueEncoder().dump(
        Encoding { encoder in
          var container = encoder.container(keyedBy: Key.self)
          try container.encode(1, forKey: Key(stringLiteral: key))
          try container.encode(2, forKey: Key(stringLiteral: other))
        })
      #expect(String(decoding: dump.document.bytes, as: UTF8.self) == "{\(quoted(key)):1,\(quoted(other)):2}")
    }
  }

  @Test func `integers are written with all of their digits`() {
    var power: UInt64 = 1
    for count in 1...20 {
      for number in [power - 1, power, power + 1, power &* 9] { #expect(text { $0.write(number) } == "\(number)") }
      guard count < 20 else { break }
      for number in [Int64(power), -Int64(power), 1 - Int64(power)] where count < 19 {
        #expect(text { $0.write(number) } == "\(number)")
      }
      power *= 10
    }
    for number in [Int64.min, .max, 0] { #expect(text { $0.write(number) } == "\(number)") }
    #expect(text { $0.write(UInt64.max) } == "\(UInt64.max)")
  }

  func expectDescription(of number: Double) {
    let description = number.description
    let expected = description.hasSuffix(".0") ? String(description.dropLast(2)) : description
    #expect(text { $0.write(number) } == expected)
    #expect(text { $0.write(-number) } == (expected == "0" ? "-0" : "-\(expected)"))
  }

  /// With their neighbours, which take all of the digits that there are.
  @Test func `numbers of few decimals are written as Swift describes them`() throws {
    var random = SplitMix64(seed: 1)
    for decimals in 0...6 {
      for digits in 1...16 {
        for _ in 0..<20 {
          let power = (0..<digits).reduce(into: 1 as UInt64) { power, _ in power *= 10 }
          let literal = "\(UInt64.random(in: power / 10..<power, using: &random))e-\(decimals)"
          let number = try #require(Double(literal))
          for number in [number, number.nextUp, number.nextDown] { expectDescription(of: number) }
        }
      }
    }
  }

  static let edges: [Double] = [
    0, 0.1, 0.5, 0.0001, 0.00005, 0.0009, 0.99995, 0.99999, 1, 9.9999, 1e10, 1e11, 99_999_999_999.9999, 1e15,
    0x1p53, 0x1p54, 1e16, 1e22, 1e300, 1e-5, 0.333333, .pi, .leastNonzeroMagnitude, .leastNormalMagnitude,
    .greatestFiniteMagnitude,
  ]

  @Test(arguments: edges)
  func `numbers at the edge of that are written as Swift describes them`(number: Double) {
    for number in [number, number.nextUp, number.nextDown] where number.isFinite && number >= 0 {
      expectDescription(of: number)
    }
  }

  @Test func `numbers of any bits are written as Swift describes them`() {
    var random = SplitMix64(seed: 2)
    for _ in 0..<20_000 {
      let number = Double(bitPattern: random.next() & ~(1 << 63))
      if number.isFinite { expectDescription(of: number) }
    }
  }
}
