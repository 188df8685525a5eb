import StateJSON
import Testing

@testable import replicate

@Suite struct `A list of changes` {
  @Test(arguments: [
    (#"{"n":3}"#, #"{"n":4}"#, ["~ /n: 3 → 4"]),
    (#"{"n":3}"#, #"{"n":3,"m":{"a":[1]}}"#, [#"+ /m: {"a":[1]}"#]),
    (#"{"n":3,"m":1}"#, #"{"n":3}"#, ["- /m: 1"]),
    ("[1,2]", "[1,9,2]", ["+ /1: 9"]), ("1", "2", [#"~ "": 1 → 2"#]), ("[]", "[]", []),
    (#"[{"id":1,"v":1},{"id":2,"v":2}]"#, #"[{"id":2,"v":2},{"id":1,"v":1}]"#, ["> /0 → /1"]),
  ])
  func `has what stood there, and what does`(old: String, new: String, lines: [String]) throws {
    let (old, new) = (try JSONValue(parsing: old), try JSONValue(parsing: new))
    #expect(ValueChange.list(JSONPatch(from: old, to: new), of: old).map(\.text) == lines)
  }

  @Test func `tells where an appended element stands, and what an added member replaces`() throws {
    let old = try JSONValue(parsing: #"{"l":[1],"n":1}"#)
    let patch = JSONPatch([.add(2, at: JSONPointer(["l", "-"])), .add(5, at: JSONPointer(["n"]))])
    #expect(ValueChange.list(patch, of: old).map(\.text) == ["+ /l/1: 2", "~ /n: 1 → 5"])
  }
}
