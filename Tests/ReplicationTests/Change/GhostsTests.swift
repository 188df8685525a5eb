import Replication
import StateJSON
import Testing

@Suite struct GhostsTests {
  struct Example: CustomTestStringConvertible, Sendable {
    /// What was done, in this order, by others.
    let removed: [String]
    let change: String
    let value: String?
    let result: String?
    var testDescription: String { "\(change) after \(removed)" }
  }

  static let examples = [
    // What is edited inside comes back whole: a member, an element, and both in one another.
    Example(
      removed: [#"{"in":{"a":{"was":{"b":1,"c":2}}}}"#], change: #"{"in":{"a":{"in":{"b":{"was":1,"is":5}}}}}"#,
      value: "{}", result: #"{"a":{"b":5,"c":2}}"#),
    Example(
      removed: [#"{"by":"id","was":[1],"is":[],"of":[[1,{"was":{"id":1,"t":"a","v":0}}]]}"#],
      change: #"{"by":"id","was":[1],"is":[1],"of":[[1,{"in":{"t":{"was":"a","is":"b"}}}]]}"#, value: "[]",
      result: #"[{"id":1,"t":"b","v":0}]"#),
    Example(
      removed: [#"{"by":"id","was":[1],"is":[1],"of":[[1,{"in":{"l":{"was":[{"id":"x","n":1}]}}}]]}"#],
      change: """
        {"by":"id","was":[1],"is":[1],"of":[[1,{"in":{"l":\
        {"by":"id","was":["x"],"is":["x"],"of":[["x",{"in":{"m":{"is":2}}}]]}}}]]}
        """,
      value: #"[{"id":1}]"#, result: #"[{"id":1,"l":[{"id":"x","n":1,"m":2}]}]"#),
    // So does what gave way to another kind of value, and the number that is added to.
    Example(
      removed: [#"{"was":{"a":1},"is":7}"#], change: #"{"in":{"b":{"is":2}}}"#, value: "7", result: #"{"a":1,"b":2}"#),
    Example(removed: [#"{"was":1.5,"is":"one"}"#], change: #"{"add":1}"#, value: #""one""#, result: "2.5"),
    Example(removed: [#"{"was":3}"#], change: #"{"add":1}"#, value: nil, result: "4"),
    Example(removed: [#"{"was":3}"#], change: #"{"add":1}"#, value: "5", result: "6"),
    // The last removal counts, and what another kind of value was is of no use.
    Example(removed: [#"{"was":3}"#, #"{"is":4}"#, #"{"was":4}"#], change: #"{"add":1}"#, value: nil, result: "5"),
    Example(removed: [#"{"was":[1],"is":{}}"#], change: #"{"in":{"b":{"is":2}}}"#, value: nil, result: nil),
    // Of a list that was said whole, elements can be told apart as well.
    Example(
      removed: [#"{"was":[{"id":1,"t":0},{"id":2,"t":0}],"is":[{"id":2.0},"x"]}"#],
      change: """
        {"by":"id","was":[1,2],"is":[1,2],"of":[[1,{"in":{"v":{"is":1}}}],[2,{"in":{"v":{"is":1}}}]]}
        """,
      value: #"["x"]"#, result: #"["x",{"id":1,"t":0,"v":1}]"#),
    // One place may be told by a key and by several members.
    Example(
      removed: [
        #"{"by":"id","was":[1],"is":[],"of":[[1,{"was":{"id":1,"a":0}}]]}"#,
        #"{"by":"uuid","was":[1],"is":[],"of":[[1,{"was":{"uuid":1,"b":0}}]]}"#, #"{"in":{"1":{"was":{"c":0}}}}"#,
      ],
      change: #"{"by":"uuid","was":[1],"is":[1],"of":[[1,{"in":{"v":{"is":1}}}]]}"#, value: "[]",
      result: #"[{"uuid":1,"b":0,"v":1}]"#),
    // What nothing removed is what it is.
    Example(
      removed: [#"{"in":{"a":{"was":{"b":1}}}}"#], change: #"{"in":{"a":{"in":{"c":{"is":1}}}}}"#, value: #"{"a":{}}"#,
      result: #"{"a":{"c":1}}"#),
  ]

  @Test(arguments: examples)
  func `an edit of what was removed brings it back`(_ example: Example) throws {
    var ghosts = Ghosts()
    for removed in example.removed { ghosts.remember(try SparseChange(JSONValue(parsing: removed))) }
    let change = try SparseChange(JSONValue(parsing: example.change))
    let value = try example.value.map { try JSONValue(parsing: $0) }
    #expect(change.applying(to: value, ghosts: ghosts)?.description == example.result)
  }

  @Test(arguments: [
    #"{"is":1}"#, #"{"was":1,"is":2}"#, #"{"was":{"a":1},"is":{}}"#, #"{"was":[1,2],"is":[1]}"#, #"{"add":1}"#,
    #"{"in":{"a":{"in":{"b":{"was":true,"is":false}}}}}"#,
    #"{"by":"id","was":[1],"is":[1,2],"of":[[1,{"in":{"t":{"was":0,"is":1}}}],[2,{"is":{"id":2}}]]}"#,
  ])
  func `what removes nothing leaves nothing to remember`(change: String) throws {
    var ghosts = Ghosts()
    ghosts.remember(try SparseChange(JSONValue(parsing: change)))
    #expect(ghosts.isEmpty)
  }

  @Test(arguments: [#"{"was":null}"#, #"{"was":null,"is":1}"#, #"{"in":{"a":{"was":1}}}"#])
  func `what removes anything leaves something`(change: String) throws {
    var ghosts = Ghosts()
    ghosts.remember(try SparseChange(JSONValue(parsing: change)))
    #expect(!ghosts.isEmpty)
  }
}
