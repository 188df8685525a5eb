import TestSupport
import Testing

@testable import StateJSON

/// What a decoder finds in a text, whatever it is asked for.
@Suite struct CodableDecodingTextTests {
  @Test(arguments: [1, 5, 16, 17, 40, 300])
  func `members are found in whatever order they are asked for`(count: Int) throws {
    struct Asking: Decodable {
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: AnyCodingKey.self)
        let names = container.allKeys.map(\.stringValue)
        var random = SplitMix64(seed: UInt64(names.count))
        for _ in 0..<names.count * 4 {
          let index = random.below(names.count)
          let key = AnyCodingKey(names[index])
          #expect(try container.decode([Int].self, forKey: key) == [index])
          #expect(!container.contains(AnyCodingKey("no such \(index)")))
          #expect(try container.decode(Element.self, forKey: key).value == index)
          #expect(container.contains(key))
        }
      }
    }
    struct Element: Decodable {
      let value: Int
      init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        value = try container.decode(Int.self)
      }
    }
    let members = (0..<count).map { #""\#($0.isMultiple(of: 3) ? "\\u006b" : "k")ey é\#($0)": [\#($0)]"# }
    let document = try JSONDocument(parsing: "{\(members.joined(separator: ", "))}")
    _ = try JSONValueDecoder().decode(Asking.self, from: document)
    _ = try JSONValueDecoder().decode(Asking.self, from: document.value)
  }

  @Test func `a decoder may be kept for longer than the call`() throws {
    struct Keeping: Decodable {
      let decoder: any Decoder
      init(from decoder: any Decoder) throws { self.decoder = decoder }
    }
    struct Pair: Decodable, Equatable { var name: String, numbers: [Int] }
    func kept() throws -> [Keeping] {
      try JSONValueDecoder().decode(
        [Keeping].self, from: JSONDocument(parsing: #"[{"name": "a", "numbers": [1, 2]}, {"name": 1}]"#))
    }
    let decoders = try kept().map(\.decoder)
    #expect(try Pair(from: decoders[0]) == Pair(name: "a", numbers: [1, 2]))
    let error = try #require(throws: DecodingError.self) { try Pair(from: decoders[1]) }
    #expect(JSONDecodingError(error).description == "at /1/name: expected a string, found the number 1")
  }

  @Test func `a member that isn't there reads as null, at its place`() throws {
    struct Probe: Decodable {
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: AnyCodingKey.self)
        let nested = try container.nestedContainer(keyedBy: AnyCodingKey.self, forKey: AnyCodingKey("a"))
        for (absent, name) in [
          (try nested.superDecoder(), "super"), (try nested.superDecoder(forKey: AnyCodingKey("b")), "b"),
        ] {
          #expect(absent.codingPath.map(\.stringValue) == ["a", name])
          #expect(try absent.singleValueContainer().decodeNil())
          let error = try #require(throws: DecodingError.self) { try Int(from: absent) }
          #expect(
            JSONDecodingError(error).description == "at /a/\(name): expected an integer of 64 bits, found null")
        }
      }
    }
    _ = try JSONValueDecoder().decode(Probe.self, from: JSONDocument(parsing: #"{"a": {}}"#))
  }

  @Test func `numbers are the nearest that there are, however they are written`() throws {
    var random = SplitMix64(seed: 7)
    var literals = [
      "0", "-0", "0.0", "-0.000", "9007199254740993", "0.1", "123456789012345.6", "5e-324", "1e22", "0e5",
    ]
    for _ in 0..<5_000 {
      var digits = (0..<1 + random.below(18)).map { _ in "\(random.below(10))" }
      if random.below(2) == 0 { digits.insert(".", at: random.below(digits.count)) }
      var literal = (random.below(2) == 0 ? "-" : "") + digits.joined()
      if random.below(8) == 0 { literal += "e\(random.below(80) - 40)" }
      if JSONNumber(literal) != nil { literals.append(literal) }
    }
    #expect(literals.count > 2_000)
    let decoder = JSONValueDecoder()
    for literal in literals {
      let document = try JSONDocument(parsing: literal)
      #expect(try decoder.decode(Double.self, from: document).bitPattern == Double(literal)?.bitPattern, "\(literal)")
      let float = Float(literal).flatMap { $0.isFinite ? $0.bitPattern : nil }
      // `nil` for infinity
      #expect((try? decoder.decode(Float.self, from: document))?.bitPattern == float, "\(literal)")
      let exact = JSONNumber(literal)?.exactly(Int.self)
      #expect((try? decoder.decode(Int.self, from: document)) == exact, "\(literal)")  // `nil` for a fraction
      #expect(
        (try? decoder.decode(UInt8.self, from: document)) == JSONNumber(literal)?.exactly(UInt8.self), "\(literal)")
    }
  }
}
