import Replication
import StateJSON
import Testing

@Suite struct TwoSidesTests {
  /// The shortest cases that tell a rule of changes from its absence.
  struct Example: CustomTestStringConvertible, Sendable {
    let rule: String
    let base: String
    let there: String
    let here: String
    let result: String
    var testDescription: String { "\(rule): \(base), there \(there), here \(here)" }
  }

  static let examples = [
    Example(
      rule: "an insertion names the element behind it", base: #"[{"id":0}]"#, there: #"[{"id":0}]"#,
      here: #"[{"id":2,"p":""},{"id":0}]"#, result: #"[{"id":2,"p":""},{"id":0}]"#),
    Example(
      rule: "an insertion names the element before it", base: #"[{"id":0},{"id":1}]"#, there: #"[{"id":1},{"id":0}]"#,
      here: #"[{"id":0},{"id":2},{"id":1}]"#, result: #"[{"id":1},{"id":0},{"id":2}]"#),
    Example(
      rule: "a change says what tells elements apart", base: #"[{"id":1,"t":"b","v":1}]"#,
      there: #"[{"id":1,"t":"b","v":1},{"p":0}]"#, here: #"[{"id":1,"t":"b","v":1,"q":"b"}]"#,
      result: #"[{"id":1,"t":"b","v":1,"q":"b"},{"p":0}]"#),
    Example(
      rule: "a change says what tells elements apart, of those that are all gone", base: #"[{"id":4,"t":"c","v":0}]"#,
      there: #"[{"p":"no key"}]"#, here: #"[{"id":2,"p":"b"}]"#, result: #"[{"p":"no key"},{"id":2,"p":"b"}]"#),
    Example(
      rule: "an element that nothing tells apart stays", base: #"[{"id":2,"t":"a","v":1}]"#,
      there: #"[{"p":"no key"}]"#,
      here: "[]", result: #"[{"p":"no key"}]"#),
    Example(
      rule: "what was removed stays known", base: #"[{"id":1,"t":"b","v":0}]"#, there: "[]",
      here: #"[{"id":1,"t":"b","v":1}]"#, result: #"[{"id":1,"t":"b","v":1}]"#),
    Example(
      rule: "all that stayed is named where any moved", base: #"[{"id":1},{"id":2},{"id":3}]"#,
      there: #"[{"id":1},{"id":2},{"id":3},{"id":4}]"#, here: #"[{"id":3},{"id":1},{"id":2}]"#,
      result: #"[{"id":3},{"id":4},{"id":1},{"id":2}]"#),
    Example(
      rule: "an insertion stays behind the element before it where the one behind it is gone",
      base: #"[{"id":1},{"id":2},{"id":3},{"id":4},{"id":5}]"#, there: #"[{"id":1},{"id":2},{"id":4},{"id":5}]"#,
      here: #"[{"id":1},{"id":2},{"id":9},{"id":3},{"id":4},{"id":5}]"#,
      result: #"[{"id":1},{"id":2},{"id":9},{"id":4},{"id":5}]"#),
    Example(
      rule: "what both did to different members is there", base: #"{"a":1,"b":1}"#, there: #"{"b":1,"a":2,"c":0}"#,
      here: #"{"a":1,"b":2}"#, result: #"{"b":2,"a":2,"c":0}"#),
  ]

  @Test(arguments: examples)
  func `what two sides did is done`(_ example: Example) throws {
    let base = try JSONValue(parsing: example.base)
    let (there, here) = try (JSONValue(parsing: example.there), JSONValue(parsing: example.here))
    var ghosts = Ghosts()
    if let removed = SparseChange(from: base, to: there) { ghosts.remember(removed) }
    let change = try #require(SparseChange(from: base, to: here))
    #expect(change.applying(to: there, ghosts: ghosts)?.description == example.result)
  }
}
