import Synchronization
import TestSupport
import Testing

@testable import StateJSON

/// Encoding what is mostly known gives what encoding gives, and has only that encoded which is not known.
@Suite struct IncrementalEncoderTests {
  typealias State = CodableReconcilingLawTests.State

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `one state after the other is encoded as it would be by itself`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let encoder = IncrementalEncoder(minimumLength: 2)
    var state = State.random(&random)
    for round in 0..<200 {
      let dump = try encoder.dump(state)
      let expected = try JSONValueEncoder().dump(state)
      let comment: Comment = "seed \(seed), round \(round)"
      #expect(dump.document.bytes == expected.document.bytes, comment)
      #expect(dump.unordered == expected.unordered, comment)
      state = random.oneIn(10) ? .random(&random) : state.changed(&random)
    }
  }

  /// Tells the names of all that are encoded. There are bytes between its fields that mean nothing.
  struct Node: Encodable {
    var isOpen = false
    var name: String
    var isLast = true
    var children: [Node] = []

    func encode(to encoder: any Encoder) throws {
      (encoder.userInfo[.names] as? Names)?.add(name)
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(name, forKey: "name")
      try container.encode(isOpen, forKey: "isOpen")
      try container.encode(children, forKey: "children")
    }
  }

  /// The same of a type that refers to nothing.
  struct Cell: Encodable {
    var isOpen = false
    var number: Int
    var isLast = true

    func encode(to encoder: any Encoder) throws {
      (encoder.userInfo[.names] as? Names)?.add("\(number)")
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(number, forKey: "number")
      try container.encode(isOpen, forKey: "isOpen")
    }
  }

  let names = Names()
  var options: JSONValueEncoder { JSONValueEncoder(userInfo: [.names: names]) }
  var encoder: IncrementalEncoder { IncrementalEncoder(options, minimumLength: 2) }

  /// Has a value encoded, and tells what encoded itself for that.
  func encoded(_ value: some Encodable, by encoder: IncrementalEncoder) throws -> [String] {
    _ = names.take()
    let dump = try encoder.dump(value)
    let all = names.take()
    #expect(try dump.document.bytes == options.dump(value).document.bytes)
    _ = names.take()
    return all
  }

  /// What is kept of an array shares its memory, so that who changes it copies it first.
  @Test func `what is large is forgotten on demand, and what it consists of is not`() throws {
    let encoder = encoder
    var root = Node(name: "root", children: ["a", "b"].map { Node(name: $0) })
    func place() -> UnsafeRawPointer? { root.children.withUnsafeBytes { $0.baseAddress } }
    let size = try JSONValueEncoder().dump(root.children).document.bytes.count
    for (forgotten, isCopied) in [(size, true), (size - 1, false)] {
      _ = try encoder.dump(root)
      encoder.forget(above: forgotten)
      let before = place()
      root.children[0].name += "!"
      #expect((place() != before) == isCopied)
    }
    #expect(try encoded(root, by: encoder) == ["a!!", "root"])
  }

  @Test func `only what differs is encoded, and what is around it`() throws {
    let encoder = encoder
    var root = Node(
      name: "root", children: ["a", "b", "c", "d"].map { Node(name: $0, children: [Node(name: "in \($0)")]) })
    #expect(try encoded(root, by: encoder) == ["a", "b", "c", "d", "in a", "in b", "in c", "in d", "root"])
    #expect(try encoded(root, by: encoder) == [])
    root.children[1].isOpen = true
    #expect(try encoded(root, by: encoder) == ["b", "root"])
    root.children[2].children[0].name = "IN c"
    #expect(try encoded(root, by: encoder) == ["IN c", "c", "root"])
    root.name = "ROOT"
    #expect(try encoded(root, by: encoder) == ["ROOT"])
    // What was inside of what was known as a whole is known as well.
    root.children[3].isOpen = true
    #expect(try encoded(root, by: encoder) == ["ROOT", "d"])
  }

  @Test func `an element put in, or taken out, is not taken for its neighbour`() throws {
    let encoder = encoder
    var root = Node(name: "root", children: (0..<9).map { Node(name: "child \($0)") })
    _ = try encoded(root, by: encoder)
    root.children.insert(Node(name: "new"), at: 0)
    #expect(try encoded(root, by: encoder) == ["new", "root"])
    root.children.insert(Node(name: "newer"), at: 5)
    #expect(try encoded(root, by: encoder) == ["newer", "root"])
    root.children.remove(at: 3)
    #expect(try encoded(root, by: encoder) == ["root"])
    root.children.append(Node(name: "last"))
    #expect(try encoded(root, by: encoder) == ["last", "root"])
  }

  @Test func `what lies between the fields of a value doesn't matter`() throws {
    let encoder = encoder
    var cells = (0..<20).map { Cell(number: $0) }
    _ = try encoded(cells, by: encoder)
    cells[7].isOpen = true
    #expect(try encoded(cells, by: encoder) == ["7"])
    cells = cells.map { Cell(isOpen: $0.isOpen, number: $0.number) }
    cells[8].isOpen = true
    #expect(try encoded(cells, by: encoder).contains("8"))
  }

  @Test func `an instance always encodes itself, and so does what contains one`() throws {
    struct Kennel: Encodable {
      var dogs: [Dog]
      var name = "kennel"
    }
    let encoder = encoder
    var kennels = [Kennel(dogs: [Dog(name: "Rex", tricks: ["sit"])]), Kennel(dogs: [])]
    _ = try encoder.dump(kennels)
    kennels[0].dogs[0].tricks.append("roll")
    #expect(try encoder.dump(kennels).document.bytes == JSONValueEncoder().dump(kennels).document.bytes)
    kennels[1].name = "empty"
    #expect(try encoder.dump(kennels).document.bytes == JSONValueEncoder().dump(kennels).document.bytes)
  }

  @Test func `what fails inside of a value, which goes on, leaves nothing behind`() throws {
    struct Part: Encodable {
      var name: String

      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode([name: name], forKey: "name")
        try? container.encode(
          Encoding { encoder in
            var container = encoder.container(keyedBy: Key.self)
            try container.encode([1: true], forKey: "begun")
            throw Unexpected()
          }, forKey: "failed")
      }
    }
    let encoder = encoder
    // Sorted when it has ended, so that what stood in one place stands in another.
    var parts = Dictionary(uniqueKeysWithValues: (0..<20).map { ("\($0)", Part(name: "part \($0)")) })
    for name in ["one", "another", "a third"] {
      #expect(try encoder.dump(parts).document.bytes == JSONValueEncoder().dump(parts).document.bytes)
      parts["7"]?.name = name
    }
  }

  @Test func `what can't be encoded in order is encoded otherwise, and what can't be at all is an error`() throws {
    let encoder = encoder
    struct Number: Encodable { var number: Double }
    _ = try encoder.dump([Number(number: 1), Number(number: 2)])
    #expect(throws: EncodingError.self) { try encoder.dump([Number(number: 1), Number(number: .nan)]) }
    #expect(
      try encoder.dump([Number(number: 1), Number(number: 3)]).document.bytes
        == Array(#"[{"number":1},{"number":3}]"#.utf8))
    let outOfOrder = Encoding { encoder in
      var container = encoder.container(keyedBy: Key.self)
      var list = container.nestedUnkeyedContainer(forKey: "list")
      try list.encode("one")
      try container.encode("later", forKey: "later")
      try list.encode("two")
    }
    #expect(try encoder.dump([outOfOrder]).document.bytes == Array(#"[{"list":["one","two"],"later":"later"}]"#.utf8))
  }

  @Test func `a part is kept for as long as it is the last one`() throws {
    final class Token: Sendable {}
    struct Held: Encodable {
      var token: Token?
      var name = "held"
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(name, forKey: "name")
      }
    }
    let encoder = encoder
    weak var token: Token?
    do {
      let held = Held(token: Token())
      token = held.token
      _ = try encoder.dump([held])
    }
    #expect(token != nil)
    _ = try encoder.dump([Held()])
    #expect(token == nil)
  }
}
