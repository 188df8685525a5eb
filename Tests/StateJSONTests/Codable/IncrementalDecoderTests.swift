import TestSupport
import Testing

@testable import StateJSON

/// Decoding what is mostly known gives what decoding gives, and decodes only what is not known.
@Suite struct IncrementalDecoderTests {
  typealias State = CodableReconcilingLawTests.State

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `one state after the other is decoded as it would be by itself`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let decoder = IncrementalDecoder(minimumLength: 2)
    var state = State.random(&random)
    for round in 0..<200 {
      let dump = try JSONValueEncoder().dump(state)
      let document =
        random.oneIn(2) ? dump.document : JSONDocument(formatting: dump.value.touched(&random, dump.unordered))
      let decoded = try decoder.decode(State.self, from: document)
      #expect(try decoded == JSONValueDecoder().decode(State.self, from: document), "seed \(seed), round \(round)")
      state = random.oneIn(10) ? .random(&random) : state.changed(&random)
    }
  }

  /// Tells the names of all that are decoded.
  struct Node: Decodable, Equatable {
    var name: String
    var children: [Node]?

    private enum CodingKeys: CodingKey { case name, children }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      // Not in the order of the text.
      children = try container.decodeIfPresent([Node].self, forKey: .children)
      name = try container.decode(String.self, forKey: .name)
      (decoder.userInfo[.names] as? Names)?.add(name)
    }
  }

  let names = Names()
  var decoder: IncrementalDecoder {
    IncrementalDecoder(JSONValueDecoder(userInfo: [.names: names]), minimumLength: 2)
  }

  @Test(arguments: [
    (#"{"name":"B","children":[]}"#, ["B", "root"]),
    (#"{"name":"longer","children":[]}"#, ["longer", "root"]),
    (#"{"name":"b","children":[]},{"name":"new"}"#, ["new", "root"]),
    (#"{"name":"b","children":[]}"#, []),
    (#"{"name":"b","children":[{"name":"in"}]}"#, ["b", "in", "root"]),
  ])
  func `only what differs is decoded, and what is around it`(changed: String, decoded: [String]) throws {
    func text(_ child: String) -> String {
      #"{"name":"root","children":[{"name":"a","children":[{"name":"aa"}]},\#(child),{"name":"c"},{"name":"d"}]}"#
    }
    let decoder = decoder
    let document = try JSONDocument(parsing: text(#"{"name":"b","children":[]}"#))
    _ = try decoder.decode(Node.self, from: document)
    #expect(names.take() == ["a", "aa", "b", "c", "d", "root"])
    let next = try JSONDocument(parsing: text(changed))
    let node = try decoder.decode(Node.self, from: next)
    #expect(names.take() == decoded)
    #expect(try node == JSONValueDecoder().decode(Node.self, from: next))
    // What was there in the meantime is known as well, and so is what was inside of what was known as a whole.
    _ = try decoder.decode(Node.self, from: JSONDocument(parsing: text(changed) + " "))
    #expect(names.take() == [])
    _ = try decoder.decode(Node.self, from: JSONDocument(parsing: text(changed).replacing("aa", with: "AA")))
    #expect(names.take() == ["AA", "a", "root"])
  }

  @Test func `after a text that can't be decoded all is decoded anew`() throws {
    let decoder = decoder
    let document = try JSONDocument(parsing: #"{"name":"root","children":[{"name":"a"},{"name":"b"}]}"#)
    _ = try decoder.decode(Node.self, from: document)
    #expect(throws: DecodingError.self) {
      try decoder.decode(
        Node.self, from: JSONDocument(parsing: #"{"name":"root","children":[{"name":"a"},{"name":1}]}"#))
    }
    _ = names.take()
    #expect(try decoder.decode(Node.self, from: document) == JSONValueDecoder().decode(Node.self, from: document))
    #expect(names.take() == ["a", "b", "root"])
    _ = try decoder.decode(Node.self, from: document)
    #expect(names.take() == [])
  }

  @Test func `what has been taken over once is made anew where it comes again`() throws {
    let decoder = decoder
    func text(_ children: String) throws -> JSONDocument {
      try JSONDocument(parsing: #"{"name":"root","children":[\#(children)]}"#)
    }
    let (one, two) = (#"{"name":"a","children":[{"name":"aa"}]}"#, #"{"name":"b"}"#)
    _ = try decoder.decode(Node.self, from: text("\(one),\(two)"))
    _ = names.take()
    let twice = try text("\(one),\(one),\(two)")
    #expect(try decoder.decode(Node.self, from: twice) == JSONValueDecoder().decode(Node.self, from: twice))
    #expect(names.take() == ["a", "aa", "root"])
    let thrice = try text("\(one),\(one),\(two),\(two)")
    #expect(try decoder.decode(Node.self, from: thrice) == JSONValueDecoder().decode(Node.self, from: thrice))
    #expect(names.take() == ["b", "root"])
  }

  @Test func `one place is known as each type that was asked for`() throws {
    struct Pair: Decodable {
      var id: Int
      var text: String
    }
    struct Both: Decodable {
      var pair: Pair
      var value: JSONValue

      init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        pair = try container.decode(Pair.self)
        value = try container.decode(JSONValue.self)
      }
    }
    let decoder = decoder
    for text in [#"[{"id":1,"text":"a"},1]"#, #"[{"id":1,"text":"a"},2]"#, #"[{"id":2,"text":"a"},2]"#] {
      struct All: Decodable {
        var both: Both
        init(from decoder: any Decoder) throws {
          var container = try decoder.unkeyedContainer()
          both = try container.decode(Both.self)
        }
      }
      let both = try decoder.decode(All.self, from: JSONDocument(parsing: text)).both
      let value = try JSONValue(parsing: text)
      #expect(try both.value == value.value(at: JSONPointer(["0"])))
      #expect(try .number(JSONNumber(both.pair.id)) == value.value(at: JSONPointer(["0", "id"])))
    }
  }

  /// The neighbour is of the same type and length, and before all that differs; the value itself has been taken over.
  @Test func `a place that is asked for once more has not its neighbour's value`() throws {
    struct Members: Decodable {
      var values: [[Int]]

      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: AnyCodingKey.self)
        let count = try container.decode(Int.self, forKey: AnyCodingKey("count"))
        let keys = Array(repeating: "a", count: count) + ["b"]
        values = try keys.map { try container.decode([Int].self, forKey: AnyCodingKey($0)) }
      }
    }
    let decoder = decoder
    for count in 1...3 {
      let text = #"{"a":[11,12],"b":[21,22],"count":\#(count)}"#
      let values = try decoder.decode(Members.self, from: JSONDocument(parsing: text)).values
      #expect(values == Array(repeating: [11, 12], count: count) + [[21, 22]])
    }
  }

  @Test func `what is large is put together anew of what is known, and shares no memory with what it was`() throws {
    struct Table: Codable, Equatable {
      var rows = (0..<4).map { ["row \($0)", "a text of more than fifteen bytes"] }
      var count = 1
    }
    func place(_ rows: [some Any]) -> UnsafeRawPointer? { rows.withUnsafeBytes { $0.baseAddress } }
    let table = Table()
    let decoder = IncrementalDecoder(minimumLength: 2)
    let document = try JSONValueEncoder().dump(table).document
    let first = try decoder.decode(Table.self, from: document)
    let size = try JSONValueEncoder().dump(table.rows[0]).document.bytes.count
    let renewed = try decoder.decode(Table.self, from: document, renewingAbove: size)
    #expect(renewed == first)
    #expect(place(renewed.rows) != place(first.rows))
    #expect(place(renewed.rows[1]) == place(first.rows[1]))
    // The large ones are known as before then, as what they are now.
    let again = try decoder.decode(Table.self, from: document)
    #expect(place(again.rows) == place(renewed.rows))
    let smaller = try decoder.decode(Table.self, from: document, renewingAbove: size - 1)
    #expect(place(smaller.rows[1]) != place(first.rows[1]))
    #expect(smaller == first)
  }

  @Test func `instances are never shared`() throws {
    struct Kennel: Decodable {
      var dogs: [Dog]
      var count: Int
    }
    let decoder = decoder
    func kennel(_ count: Int) throws -> Kennel {
      let text = #"{"dogs":[{"super":{"name":"Rex"},"tricks":["sit"]}],"count":\#(count)}"#
      return try decoder.decode(Kennel.self, from: JSONDocument(parsing: text))
    }
    let (one, two) = try (kennel(1), kennel(2))
    #expect(one.dogs[0] !== two.dogs[0])
    #expect(two.dogs[0].tricks == ["sit"])
  }
}
