import Replication
import StateJSON
import Testing

@Suite struct DifferenceTests {
  struct Example: CustomTestStringConvertible, Sendable {
    let old: String
    let new: String
    let change: String
    var testDescription: String { "\(old) → \(new)" }
  }

  static let examples = [
    Example(old: "1", new: "2", change: #"{"was":1,"is":2}"#),
    Example(old: "1", new: #""1""#, change: #"{"was":1,"is":"1"}"#),
    Example(old: "true", new: "null", change: #"{"was":true,"is":null}"#),
    Example(old: "[]", new: "{}", change: #"{"was":[],"is":{}}"#),
    // Members: as the older object has them, then what is new.
    Example(
      old: #"{"a":1,"b":2,"c":3}"#, new: #"{"d":4,"c":0,"a":1}"#,
      change: #"{"in":{"b":{"was":2},"c":{"was":3,"is":0},"d":{"is":4}}}"#),
    Example(old: "{}", new: #"{"a":null}"#, change: #"{"in":{"a":{"is":null}}}"#),
    Example(old: #"{"a":null}"#, new: "{}", change: #"{"in":{"a":{"was":null}}}"#),
    Example(
      old: #"{"a":{"b":{"c":1,"d":2}}}"#, new: #"{"a":{"b":{"c":1,"d":3}}}"#,
      change: #"{"in":{"a":{"in":{"b":{"in":{"d":{"was":2,"is":3}}}}}}}"#),
    Example(old: #"{"é":1}"#, new: "{\"e\u{301}\":1}", change: "{\"in\":{\"é\":{\"was\":1},\"e\u{301}\":{\"is\":1}}}"),
    // Lists without a key are said whole, literals and all.
    Example(old: #"{"a":[1.0,2]}"#, new: #"{"a":[1,3]}"#, change: #"{"in":{"a":{"was":[1.0,2],"is":[1,3]}}}"#),
    Example(old: "[]", new: "[1]", change: #"{"was":[],"is":[1]}"#),
    Example(
      old: #"[{"id":1},{"id":1}]"#, new: #"[{"id":1}]"#, change: #"{"was":[{"id":1},{"id":1}],"is":[{"id":1}]}"#),
    Example(
      old: #"[{"id":true}]"#, new: #"[{"id":false}]"#, change: #"{"was":[{"id":true}],"is":[{"id":false}]}"#),
    Example(
      old: #"[{"id":1}]"#, new: #"[{"uuid":1}]"#, change: #"{"was":[{"id":1}],"is":[{"uuid":1}]}"#),
    // Elements: those that changed, whichever of the usual members tells them apart.
    Example(
      old: #"[{"id":1,"t":"a"},{"id":2,"t":"b"}]"#, new: #"[{"id":1,"t":"a"},{"id":2,"t":"B"}]"#,
      change: #"{"by":"id","was":[2],"is":[2],"of":[[2,{"in":{"t":{"was":"b","is":"B"}}}]]}"#),
    Example(
      old: #"[{"id":1,"uuid":"x"},{"uuid":"y"}]"#, new: #"[{"id":1,"uuid":"x"},{"uuid":"y","t":0}]"#,
      change: #"{"by":"uuid","was":["y"],"is":["y"],"of":[["y",{"in":{"t":{"is":0}}}]]}"#),
    Example(
      old: #"[{"id":1},{"id":2},{"id":3}]"#, new: #"[{"id":1},{"id":3}]"#,
      change: #"{"by":"id","was":[2],"is":[],"of":[[2,{"was":{"id":2}}]]}"#),
    // An id keeps its literal, and is compared by meaning.
    Example(
      old: #"[{"id":1.0,"t":0}]"#, new: #"[{"id":1,"t":1}]"#,
      change: #"{"by":"id","was":[1.0],"is":[1],"of":[[1.0,{"in":{"t":{"was":0,"is":1}}}]]}"#),
    Example(
      old: #"[{"id":1}]"#, new: #"[{"id":"1"}]"#,
      change: #"{"by":"id","was":[1],"is":["1"],"of":[[1,{"was":{"id":1}}],["1",{"is":{"id":"1"}}]]}"#),
    // What came in, with the neighbours on both sides.
    Example(
      old: #"[{"id":1},{"id":2},{"id":3},{"id":4}]"#, new: #"[{"id":1},{"id":2},{"id":8},{"id":9},{"id":3},{"id":4}]"#,
      change: #"{"by":"id","was":[2,3],"is":[2,8,9,3],"of":[[8,{"is":{"id":8}}],[9,{"is":{"id":9}}]]}"#),
    Example(
      old: #"[{"id":1},{"id":2}]"#, new: #"[{"id":9},{"id":1},{"id":2}]"#,
      change: #"{"by":"id","was":[1],"is":[9,1],"of":[[9,{"is":{"id":9}}]]}"#),
    Example(
      old: #"[{"id":1},{"id":2}]"#, new: #"[{"id":1},{"id":2},{"id":9}]"#,
      change: #"{"by":"id","was":[2],"is":[2,9],"of":[[9,{"is":{"id":9}}]]}"#),
    Example(
      old: "[]", new: #"[{"key":"a"}]"#, change: #"{"by":"key","was":[],"is":["a"],"of":[["a",{"is":{"key":"a"}}]]}"#),
    // All that stayed, where any moved; an element that came and one that went are no move.
    Example(
      old: #"[{"id":1},{"id":2},{"id":3},{"id":4}]"#, new: #"[{"id":2},{"id":3},{"id":1},{"id":4}]"#,
      change: #"{"by":"id","was":[1,2,3,4],"is":[2,3,1,4],"of":[]}"#),
    Example(
      old: #"[{"id":1},{"id":2},{"id":3}]"#, new: #"[{"id":2},{"id":9},{"id":3}]"#,
      change: #"{"by":"id","was":[1,2,3],"is":[2,9,3],"of":[[1,{"was":{"id":1}}],[9,{"is":{"id":9}}]]}"#),
    // A list in an element of a list.
    Example(
      old: #"[{"id":1,"l":[{"id":7},{"id":8,"n":0}]}]"#, new: #"[{"id":1,"l":[{"id":7},{"id":8,"n":1}]}]"#,
      change: """
        {"by":"id","was":[1],"is":[1],"of":[[1,{"in":{"l":\
        {"by":"id","was":[8],"is":[8],"of":[[8,{"in":{"n":{"was":0,"is":1}}}]]}}}]]}
        """),
  ]

  @Test(arguments: examples)
  func `a difference says what changed, and no more`(_ example: Example) throws {
    let (old, new) = try (JSONValue(parsing: example.old), JSONValue(parsing: example.new))
    let change = try #require(SparseChange(from: old, to: new))
    #expect(change.value.description == example.change)
    #expect(change.applying(to: old) == new)
  }

  @Test(arguments: [
    ("1", "1.0"), ("-0", "0"), (#"{"a":1,"b":2}"#, #"{"b":2.0,"a":10e-1}"#), ("[]", "[]"), ("{}", "{}"),
    (#"[{"id":1,"a":2}]"#, #"[{"a":2,"id":1.0}]"#), (#"[1,"a",null]"#, #"[1.0,"a",null]"#),
  ])
  func `another notation or order of members is no change`(old: String, new: String) throws {
    #expect(try SparseChange(from: JSONValue(parsing: old), to: JSONValue(parsing: new)) == nil)
  }

  @Test func `a value comes, and goes, and nothing stays nothing`() {
    #expect(SparseChange(from: nil, to: .null)?.value == ["is": .null])
    #expect(SparseChange(from: [1], to: nil)?.value == ["was": [1]])
    #expect(SparseChange(from: nil, to: nil) == nil)
  }

  @Test func `what is nested very deep is said as a whole, so that a parser can read it again`() throws {
    // An element of a list takes most levels: of the list in the form, of its entry, and of the members.
    func nested(_ leaf: JSONValue) -> JSONValue {
      (0..<255).reduce(leaf) { inner, _ in [["id": 1, "l": inner]] }
    }
    let (old, new) = (nested([1]), nested([2]))
    let change = try #require(SparseChange(from: old, to: new))
    let text = change.value.bytes()
    let limits = JSONLimits(depth: 900, size: JSONLimits.default.size)
    let read = try SparseChange(JSONValue(parsing: text, limits: limits))
    #expect(read.applying(to: old) == new)
    // A bound that is lower than it needs to be would say more than it needs to.
    #expect(throws: JSONParseError.self) {
      try JSONValue(parsing: text, limits: JSONLimits(depth: 850, size: JSONLimits.default.size))
    }
  }
}

extension SparseChange? {
  static func == (left: Self, right: Self) -> Bool { left?.value == right?.value }
}
