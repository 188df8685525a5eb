import StateJSON
import Testing

@Suite struct CodableUnorderedTests {
  @Test func `sets are sorted: numbers by size, strings by their UTF-8, objects by members`() throws {
    #expect(try encoded(Set([10, 9, -1, 100])) == "[-1,9,10,100]")
    #expect(try encoded(Set([0.5, 1e3, -2])) == "[-2,0.5,1000]")
    #expect(try encoded(Set(["b", "a", "é", "", "aa"])) == #"["","a","aa","b","é"]"#)
    #expect(try encoded(Set([Cell(x: 2), Cell(x: 1, y: 5), Cell(x: 1)])) == #"[{"x":1},{"x":1,"y":5},{"x":2}]"#)
    #expect(try encoded(Set([[2], [1, 5], [1]])) == "[[1],[1,5],[2]]")
    #expect(try encoded(Set([true, false])) == "[false,true]")
    #expect(try encoded(Set([nil, 1])) == "[null,1]")
  }

  @Test func `dictionaries are sorted by key`() throws {
    let letters = (0..<26).map { String(UnicodeScalar(UInt8(97 + $0))) }
    let object = try JSONValueEncoder().encode(Dictionary(uniqueKeysWithValues: letters.map { ($0, 1) }))
    guard case .object(let object) = object else { throw Unexpected() }
    #expect(object.members.map(\.key) == letters)
    let pairs = Dictionary(uniqueKeysWithValues: (0..<20).map { (Cell(x: $0), $0) })
    #expect(
      try encoded(pairs) == "[" + (0..<20).map { #"{"x":\#($0)},\#($0)"# }.joined(separator: ",") + "]")
  }

  @Test func `a dump knows its unordered arrays, also after sorting what is around them`() throws {
    struct State: Encodable {
      var list = [1]
      var set: Set = [2, 1]
      var sets = [Set(["a"]), Set()]
      var byCell = [Cell(x: 2): Set([5]), Cell(x: 1): []]
      var byName = ["b": Set([1]), "a/b": []]
      var nested: Set = [Set([3]), Set([1, 2])]
      var plain = ["k": 1]
    }
    let dump = try JSONValueEncoder().dump(State())
    let places = dump.unordered.pointers.map { "\($0) \($1)" }.sorted()
    #expect(
      places == [
        "/byCell pairs", "/byCell/1 elements", "/byCell/3 elements", "/byName/a~1b elements", "/byName/b elements",
        "/nested elements", "/nested/0 elements", "/nested/1 elements", "/set elements", "/sets/0 elements",
        "/sets/1 elements",
      ])
    #expect(try JSONValueEncoder().dump([1, 2]).unordered.isEmpty)
  }

  @Test func `unordered places follow their elements`() throws {
    // Sorting moves the set in the first element to the last.
    struct Element: Codable, Hashable {
      var rank: Int
      var tags: Set<Int>?
    }
    let dump = try JSONValueEncoder().dump(Set([Element(rank: 2, tags: [1]), Element(rank: 1)]))
    #expect(dump.value.compact == #"[{"rank":1},{"rank":2,"tags":[1]}]"#)
    #expect(dump.unordered.pointers == [.root: .elements, JSONPointer(["1", "tags"]): .elements])
  }

  @Test func `what passes through containers and wrappers stays unordered`() throws {
    let wrapped = Encoding { encoder in
      var container = encoder.unkeyedContainer()
      var nested = container.nestedContainer(keyedBy: Key.self)
      try nested.encode(Set([2, 1]), forKey: "a")
      var single = container.superEncoder().singleValueContainer()
      try single.encode(Optional(Set([2, 1])))
    }
    let dump = try JSONValueEncoder().dump(wrapped)
    #expect(dump.value.compact == #"[{"a":[1,2]},[1,2]]"#)
    #expect(
      dump.unordered.pointers == [JSONPointer(["0", "a"]): .elements, JSONPointer(["1"]): .elements])
  }
}

struct Unexpected: Error {}
