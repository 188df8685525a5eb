import StateJSON
import Testing

@testable import StateJSON

/// Containers are handed out again, and nobody can tell.
@Suite struct ContainerCacheTests {
  enum Keys: String, CodingKey { case id, next, parts }

  final class Place {
    var number = 0
  }

  /// As long as that is one reference, whatever is said of it below is about containers that are handed out again.
  @Test func `a container is handed out again once nobody has it, and not before`() throws {
    var cache = ContainerCache<Place>()
    let place = Place()
    func move(_ place: Place) { place.number += 1 }
    func isUsed(by keys: Any.Type = Keys.self) -> Bool { cache.unused(for: keys, move: move) == nil }
    #expect(isUsed())
    var holders = [try Self.container()]
    cache.keep(try Self.container(), for: Keys.self, place)
    // The only one of its keys may be the last one, too.
    #expect(isUsed())
    cache.keep(holders[0], for: Keys.self, place)
    #expect(isUsed())
    holders.append(holders[0])
    holders.removeFirst()
    #expect(isUsed())
    holders.removeAll()
    #expect(place.number == 0)
    let unused = cache.unused(for: Keys.self, move: move)
    let kept = try #require(unused)
    #expect(place.number == 1)
    let again: KeyedEncodingContainer<Keys> = KeptContainer.copy(of: kept)
    #expect(isUsed())
    #expect(isUsed(by: AnyCodingKey.self))
    withExtendedLifetime(again) {}
    cache.close()
    for _ in 0..<2 { cache.keep(try Self.container(), for: Keys.self, place) }
    #expect(isUsed())
  }

  static func container() throws -> KeyedEncodingContainer<Keys> {
    final class Catcher: Encodable {
      nonisolated(unsafe) static var caught: KeyedEncodingContainer<Keys>?

      func encode(to encoder: any Encoder) throws { Self.caught = encoder.container(keyedBy: Keys.self) }
    }
    _ = try JSONValueEncoder().encode(Catcher())
    defer { Catcher.caught = nil }
    return try #require(Catcher.caught)
  }

  // MARK: Decoding

  /// A type that contains itself.
  struct Tree: Codable, Equatable {
    var id: Int
    var parts: [Tree]

    init(_ id: Int, _ parts: [Tree] = []) { (self.id, self.parts) = (id, parts) }
  }

  @Test func `what contains itself is what it was`() throws {
    let tree = Tree(1, [Tree(2, [Tree(3), Tree(4)]), Tree(5), Tree(6, [Tree(7, [Tree(8)])])])
    let value = try JSONValueEncoder().encode(tree)
    #expect(
      try value
        == JSONValue(
          parsing: Array(
            #"{"id":1,"parts":[{"id":2,"parts":[{"id":3,"parts":[]},{"id":4,"parts":[]}]},{"id":5,"parts":[]},{"id":6,"parts":[{"id":7,"parts":[{"id":8,"parts":[]}]}]}]}"#
              .utf8))
    )
    #expect(try JSONValueDecoder().decode(Tree.self, from: value) == tree)
  }

  /// Reads its own member before and after those of another value with the same keys.
  struct Around: Decodable {
    var ids: [Int]

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Keys.self)
      let other = try decoder.container(keyedBy: Keys.self)
      ids = [try container.decode(Int.self, forKey: .id)]
      if container.contains(.next) { ids += try other.decode(Around.self, forKey: .next).ids }
      ids.append(try container.decode(Int.self, forKey: .id))
      ids.append(try other.decode(Int.self, forKey: .id))
    }
  }

  @Test func `containers of the same keys that are in use at once are several`() throws {
    let around = try JSONValueDecoder().decode(Around.self, from: ["id": 1, "next": ["id": 2, "next": ["id": 3]]])
    #expect(around.ids == [1, 2, 3, 3, 3, 2, 2, 1, 1])
  }

  /// Keeps what it was decoded from.
  struct Keeper: Decodable {
    let container: KeyedDecodingContainer<Keys>

    init(from decoder: any Decoder) throws { container = try decoder.container(keyedBy: Keys.self) }
  }

  @Test func `a container that somebody keeps reads what it did, also when all has been decoded`() throws {
    let keepers = try JSONValueDecoder().decode(
      [Keeper].self, from: [["id": 1], ["id": 2], ["id": 3, "next": ["id": 4]]])
    #expect(try keepers.map { try $0.container.decode(Int.self, forKey: .id) } == [1, 2, 3])
    #expect(keepers.map(\.container.codingPath.last?.intValue) == [0, 1, 2])
    let nested = try keepers[2].container.nestedContainer(keyedBy: Keys.self, forKey: .next)
    #expect(try nested.decode(Int.self, forKey: .id) == 4)
    #expect(try keepers[2].container.decode(Int.self, forKey: .id) == 3)
  }

  @Test func `an error names the place of the container that was handed out again`() throws {
    struct Row: Decodable { var id: Int }
    let error = #expect(throws: DecodingError.self) {
      try JSONValueDecoder().decode([Row].self, from: [["id": 1], ["id": 2], ["name": 3], ["id": 4]])
    }
    guard case .keyNotFound(let key, let context) = try #require(error) else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(key.stringValue == "id")
    #expect(context.codingPath.map(\.stringValue) == ["2"])
  }

  @Test func `a member is present or not as for any other container`() throws {
    struct Optionals: Decodable, Equatable {
      var a: Int?
      var b: String?
      var c: Double?
      var d: Bool?
      var e: [Int]?
      var f: UInt8?
    }
    let rows =
      #"[{"a":1,"b":"x","c":1.5,"d":true,"e":[1],"f":7},{"a":null,"b":null,"c":null,"d":null,"e":null},"#
      + #"{"f":8,"e":[],"a":2}]"#
    let full = try JSONValueDecoder().decode([Optionals].self, from: JSONDocument(parsing: Array(rows.utf8)))
    #expect(
      full == [
        Optionals(a: 1, b: "x", c: 1.5, d: true, e: [1], f: 7), Optionals(), Optionals(a: 2, e: [], f: 8),
      ])
    let error = #expect(throws: DecodingError.self) {
      try JSONValueDecoder().decode(Optionals.self, from: ["a": 1, "f": 256])
    }
    #expect(try JSONDecodingError(#require(error)).pointer.description == "/f")
  }

  /// Tells when nobody has it any more.
  final class Sentinel: Sendable {}

  @Test func `nothing of a decoder is left when it is done`() throws {
    let key = CodingUserInfoKey(rawValue: "sentinel")!
    weak var left: Sentinel?
    do {
      let sentinel = Sentinel()
      left = sentinel
      let decoder = JSONValueDecoder(userInfo: [key: sentinel])
      #expect(try decoder.decode(Tree.self, from: ["id": 1, "parts": [["id": 2, "parts": []]]]).id == 1)
      #expect(throws: DecodingError.self) { try decoder.decode(Tree.self, from: ["id": 1]) }
      // Late containers aren't kept either.
      let keeper = try decoder.decode(Keeper.self, from: ["id": 1, "next": ["id": 2]])
      let late = try keeper.container.nestedContainer(keyedBy: Keys.self, forKey: .next)
      #expect(try late.decode(Int.self, forKey: .id) == 2)
    }
    #expect(left == nil)
  }

  // MARK: Encoding

  /// Writes its own members before and after those of another value with the same keys.
  struct Written: Encodable {
    var id: Int
    var next: [Written] = []

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Keys.self)
      try container.encode(id, forKey: .id)
      if let next = next.first { try container.encode(next, forKey: .next) }
      var other = encoder.container(keyedBy: Keys.self)
      try other.encode([id], forKey: .parts)
    }
  }

  @Test func `values with the same keys, one in the other, are written each to its place`() throws {
    let value = try JSONValueEncoder().encode([
      Written(id: 1, next: [Written(id: 2, next: [Written(id: 3)])]), Written(id: 4),
    ])
    #expect(
      try value
        == JSONValue(
          parsing: Array(
            #"[{"id":1,"next":{"id":2,"next":{"id":3,"parts":[3]},"parts":[2]},"parts":[1]},{"id":4,"parts":[4]}]"#.utf8
          )))
  }

  /// Keeps the container that it has written to.
  final class Scribe: Encodable {
    nonisolated(unsafe) var container: KeyedEncodingContainer<Keys>?

    func encode(to encoder: any Encoder) throws {
      container = encoder.container(keyedBy: Keys.self)
      try container?.encode(1, forKey: .id)
    }
  }

  @Test func `what is written to a container that was kept is written nowhere else`() throws {
    struct Pair: Encodable {
      let first = Scribe()
      let second = Written(id: 2)
      let third = Written(id: 3)

      func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(first)
        try container.encode(second)
        try container.encode(third)
      }
    }
    let pair = Pair()
    #expect(
      try JSONValueEncoder().encode(pair)
        == JSONValue(parsing: Array(#"[{"id":1},{"id":2,"parts":[2]},{"id":3,"parts":[3]}]"#.utf8)))
    // It is over; there is nowhere to write to.
    _ = try? pair.first.container?.encode(2, forKey: .next)
    #expect(try JSONValueEncoder().encode(Written(id: 5)) == JSONValue(parsing: Array(#"{"id":5,"parts":[5]}"#.utf8)))
  }

  @Test func `nothing of an encoder is left when it is done`() throws {
    let key = CodingUserInfoKey(rawValue: "sentinel")!
    weak var left: Sentinel?
    do {
      let sentinel = Sentinel()
      left = sentinel
      let encoder = JSONValueEncoder(userInfo: [key: sentinel])
      _ = try encoder.encode(Tree(1, [Tree(2)]))
      struct Refusing: Encodable {
        struct Refusal: Error {}
        func encode(to encoder: any Encoder) throws {
          _ = encoder.container(keyedBy: Keys.self)
          throw Refusal()
        }
      }
      #expect(throws: Refusing.Refusal.self) { try encoder.encode(Refusing()) }
    }
    #expect(left == nil)
  }
}
