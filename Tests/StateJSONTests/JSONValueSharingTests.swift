import Testing
import TestSupport

@testable import StateJSON

@Suite struct `A value that shares with another one` {
  private static func values(_ text: String, _ other: String) throws -> (shared: JSONValue, other: JSONValue) {
    let other = try JSONDocument(parsing: other)
    return (try JSONDocument(parsing: text).value(sharing: other), other.value)
  }

  @Test(arguments: [
    // A change, at any depth.
    (#"{"a":[1,2,{"x":1}],"b":{"c":[3]}}"#, #"{"a":[1,2,{"x":1}],"b":{"c":[4]}}"#, ["/a"]),
    // What comes after elements that were added or removed has moved.
    (#"[[1],[2],[3],[4]]"#, #"[[1],[9],[2],[3],[4]]"#, ["/0 /0", "/1 /2", "/2 /3", "/3 /4"]),
    (#"[[1],[9],[2],[3],[4]]"#, #"[[1],[2],[3],[4]]"#, ["/0 /0", "/2 /1", "/3 /2", "/4 /3"]),
    (#"{"a":[1],"b":[2]}"#, #"{"b":[2],"c":[1]}"#, ["/b"]), (#"[[1],[2]]"#, #"[[1],[2]]"#, ["", "/0", "/1"]),
    // Order and literals count.
    (#"{"a":[1,2],"n":[1.0]}"#, #"{"a":[2,1],"n":[1]}"#, []),
    (#"{"\n":["\n",true,null]}"#, #"{"\n":["\n",false,0]}"#, []),
    (#"[{"\n":["\u0041\n"]},1]"#, #"[{"\n":["\u0041\n"]},2]"#, ["/0", "/0/\n"]),
    (#"[["a",1,true,null]]"#, #"[["a",1,true,null],[]]"#, ["/0"]), ("[]", "{}", []), ("[[1]]", "[]", []),
  ])
  func `has what has the same text where the other has it`(text: String, other: String, places: [String]) throws {
    let value = try JSONValue(parsing: text)
    let (shared, other) = try Self.values(text, other)
    #expect(shared.isIdentical(to: value))
    for place in places {
      let pointers =
        try place.isEmpty
        ? [JSONPointer.root] : place.split(separator: " ").map { try JSONPointer(parsing: String($0)) }
      let (one, two) = (try #require(shared[pointers[0]]), try #require(other[pointers[pointers.count - 1]]))
      #expect(one.sharesStorage(with: two), "\(place)")
    }
    if places.isEmpty { #expect(!shared.sharesStorage(with: other)) }
  }

  @Test func `is that of its text, also where the other's members have another order than their text`() throws {
    let other = JSONDocument(written: Array(#"{"a":[1],"b":[2]}"#.utf8), value: ["b": [2], "a": [1]])
    let value = try JSONDocument(parsing: #"{"a":[1],"b":[3]}"#).value(sharing: other)
    #expect(value.isIdentical(to: ["a": [1], "b": [3]]))
  }

  @Test func `is the same value, and its distance and its differences are`() throws {
    for seed in 0..<2_000 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      let value = EditDistanceTests.value(&random, depth: 3)
      var other = EditDistanceTests.value(&random, depth: 3)
      // Mostly alike.
      if seed % 3 > 0 { try other.apply(JSONPatch(from: other, to: seed % 3 == 1 ? value : .array([value, value]))) }
      let shared = try Self.values("\(value)", "\(other)").shared
      #expect(shared.isIdentical(to: value), "seed \(seed)")
      #expect(
        EditDistance(from: shared, to: other).edits == EditDistance(from: value, to: other).edits, "seed \(seed)")
      #expect(JSONPatch(from: shared, to: other) == JSONPatch(from: value, to: other), "seed \(seed)")
    }
  }
}
