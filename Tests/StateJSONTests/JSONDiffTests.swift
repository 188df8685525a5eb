import TestSupport
import Testing

@testable import StateJSON

@Suite struct JSONDiffTests {
  @Test(arguments: [
    (#"{"a":1,"b":2}"#, #"{"b":2,"a":1}"#, "[]"),
    ("1", "1.0", #"[{"op":"replace","path":"","value":1.0}]"#),
    (#"{"a":1,"b":2}"#, #"{"a":1,"c":3}"#, #"[{"op":"remove","path":"/b"},{"op":"add","path":"/c","value":3}]"#),
    (#"{"a":{"~/":[1]}}"#, #"{"a":{"~/":[1,2]}}"#, #"[{"op":"add","path":"/a/~0~1/1","value":2}]"#),
    ("[1,2,3,4]", "[1,3,4]", #"[{"op":"remove","path":"/1"}]"#),
    ("[1,2,3]", "[1,9,3]", #"[{"op":"replace","path":"/1","value":9}]"#),
    ("[1,2,3]", "[4,5]", #"[{"op":"replace","path":"","value":[4,5]}]"#),
    (
      "[1,2,3,9]", "[4,5,9]",
      #"[{"op":"replace","path":"/0","value":4},{"op":"replace","path":"/1","value":5},"#
        + #"{"op":"remove","path":"/2"}]"#
    ),
    (#"[{"id":1},{"id":2},{"id":3}]"#, #"[{"id":3},{"id":1},{"id":2}]"#, #"[{"op":"move","from":"/2","path":"/0"}]"#),
    (
      #"[{"id":1,"n":0},{"id":2}]"#, #"[{"id":5},{"id":1,"n":1}]"#,
      #"[{"op":"remove","path":"/1"},{"op":"add","path":"/0","value":{"id":5}},{"op":"replace","path":"/1/n","value":1}]"#
    ),
    (#"{"a":{"x":1,"y":2}}"#, #"{"a":{"z":3}}"#, #"[{"op":"replace","path":"/a","value":{"z":3}}]"#),
    (#"{"a":{"x":1}}"#, #"{"a":{}}"#, #"[{"op":"remove","path":"/a/x"}]"#),
    (#"{"a":{"x":1}}"#, #"{"a":{"x":2}}"#, #"[{"op":"replace","path":"/a/x","value":2}]"#),
    ("[]", "[1,2]", #"[{"op":"add","path":"/0","value":1},{"op":"add","path":"/1","value":2}]"#),
    // Of two longest common subsequences, the one that skips the old element first.
    (#"["a","b"]"#, #"["b","a"]"#, #"[{"op":"remove","path":"/0"},{"op":"add","path":"/1","value":"a"}]"#),
    ("[1]", "[2]", #"[{"op":"replace","path":"/0","value":2}]"#),
    ("[1,2]", "[]", #"[{"op":"replace","path":"","value":[]}]"#),
    (#"{"a":1}"#, "1", #"[{"op":"replace","path":"","value":1}]"#),
  ])
  func `a difference is small`(old: String, new: String, patch: String) throws {
    let difference = JSONPatch(from: try JSONValue(parsing: old), to: try JSONValue(parsing: new))
    #expect(difference.value.description == patch)
  }

  @Test func `literals of the same value may be passed over`() throws {
    let old = try JSONValue(parsing: #"{"a":1,"b":[1,2]}"#)
    let new = try JSONValue(parsing: #"{"a":1.0,"b":[10e-1,2]}"#)
    #expect(JSONPatch(from: old, to: new, literals: false).isEmpty)
    #expect(JSONPatch(from: old, to: new).operations.count == 2)
  }

  @Test func `a difference applied to the old value gives the new one`() throws {
    for seed in 0..<4000 as Range<UInt64> {
      var random = RandomVersions(seed: seed)
      let old = random.value()
      let new = seed % 4 == 0 ? random.value() : random.edited(random.edited(old))
      let patch = JSONPatch(from: old, to: new)
      let result = try old.applying(patch)
      #expect(result == new, "seed \(seed): \(old) to \(new) by \(patch.value)")
      #expect(JSONPatch(from: result, to: new).isEmpty, "seed \(seed): a literal is missing")
      #expect(try JSONPatch(JSONValue(parsing: patch.value.description)) == patch, "seed \(seed)")
      let loose = try old.applying(JSONPatch(from: old, to: new, literals: false))
      #expect(loose == new, "seed \(seed)")
    }
  }

  @Test(arguments: [true, false])
  func `texts differ as their values do`(literals: Bool) throws {
    for seed in 0..<4000 as Range<UInt64> {
      var random = RandomVersions(seed: seed)
      let old = random.value()
      let new = seed % 4 == 0 ? random.value() : random.edited(random.edited(old))
      var expected = JSONDifference(literals: literals)
      let isKept = expected.compare(old, new)
      let format: JSONValue.Format = seed % 3 == 0 ? .pretty : .compact
      let texts = (JSONDocument(written: old.bytes()), JSONDocument(written: new.bytes(format: format)))
      var found = JSONDifference(literals: literals)
      let isKeptInText = texts.0.read { old in texts.1.read { new in found.compare(0, in: old, 0, in: new) } }
      if literals {
        #expect(found.operations == expected.operations, "seed \(seed): \(old) to \(new)")
      } else {
        // Which of several equal elements is gone may be said differently, as their texts may differ.
        #expect(found.operations.count == expected.operations.count, "seed \(seed): \(old) to \(new)")
        #expect(try old.applying(JSONPatch(found.operations)) == new, "seed \(seed): \(old) to \(new)")
      }
      #expect(isKeptInText == isKept, "seed \(seed): \(old) to \(new)")
    }
  }

  @Test func `shuffled keyed arrays arrive in order`() throws {
    for seed in 0..<200 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      func elements(_ count: Int) -> JSONValue {
        .array((0..<40).shuffled(using: &random).prefix(count).map { ["id": .number(JSONNumber($0))] })
      }
      let (old, new) = (elements(random.below(30)), elements(random.below(30)))
      let patch = JSONPatch(from: old, to: new)
      #expect(try old.applying(patch) == new, "seed \(seed)")
    }
  }

  @Test(arguments: [false, true])
  func `an array that would take too many shifts is replaced as a whole`(isKeyed: Bool) throws {
    func elements(_ numbers: some Sequence<Int>) -> JSONValue {
      .array(numbers.map { isKeyed ? ["id": .number(JSONNumber($0))] : .object(JSONObject()) })
    }
    let count = 40_000
    let old = elements(0..<count)
    let few = elements(0..<count - 10)
    #expect(JSONPatch(from: old, to: few).operations.count == 10)
    let half = elements(stride(from: 0, to: count, by: 2))
    #expect(JSONPatch(from: old, to: half) == JSONPatch([.replace(at: .root, with: half)]))
  }

  @Test func `a long array with few changes has a short difference`() throws {
    let old = JSONValue.array((0..<20_000).map { ["id": .number(JSONNumber($0)), "done": false] })
    var new = old
    try new.set(true, at: JSONPointer(["7", "done"]))
    try new.remove(at: JSONPointer(["9000"]))
    try new.set(["id": "new"], at: JSONPointer(["-"]))
    let patch = JSONPatch(from: old, to: new)
    #expect(patch.operations.count == 3)
    #expect(try old.applying(patch) == new)
  }
}
