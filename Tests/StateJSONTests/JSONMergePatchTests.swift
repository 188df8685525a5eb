import Testing

@testable import StateJSON

@Suite struct JSONMergePatchTests {
  @Test(arguments: [
    (#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#), (#"{"a":"b"}"#, #"{"b":"c"}"#, #"{"a":"b","b":"c"}"#),
    (#"{"a":"b"}"#, #"{"a":null}"#, "{}"), (#"{"a":"b","b":"c"}"#, #"{"a":null}"#, #"{"b":"c"}"#),
    (#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#), (#"{"a":"c"}"#, #"{"a":["b"]}"#, #"{"a":["b"]}"#),
    (#"{"a":{"b":"c"}}"#, #"{"a":{"b":"d","c":null}}"#, #"{"a":{"b":"d"}}"#),
    (#"{"a":[{"b":"c"}]}"#, #"{"a":[1]}"#, #"{"a":[1]}"#), (#"["a","b"]"#, #"["c","d"]"#, #"["c","d"]"#),
    (#"{"a":"b"}"#, #"["c"]"#, #"["c"]"#), (#"{"a":"foo"}"#, "null", "null"), (#"{"a":"foo"}"#, #""bar""#, #""bar""#),
    (#"{"e":null}"#, #"{"a":1}"#, #"{"e":null,"a":1}"#), ("[1,2]", #"{"a":"b","c":null}"#, #"{"a":"b"}"#),
    ("{}", #"{"a":{"bb":{"ccc":null}}}"#, #"{"a":{"bb":{}}}"#),
    (#"{"a":1,"b":2}"#, #"{"a":{"x":[null]}}"#, #"{"a":{"x":[null]},"b":2}"#),
  ])
  func `the examples of the RFC come out as it says`(document: String, patch: String, result: String) throws {
    var value = try JSONValue(parsing: document)
    value.applyMergePatch(try JSONValue(parsing: patch))
    #expect(value.description == result)
  }

  @Test func `the merge patch to a value leads there, where there is one`() throws {
    var (found, missing) = (0, 0)
    for seed in 0..<2000 as Range<UInt64> {
      var random = RandomVersions(seed: seed)
      let old = random.value()
      let new = random.edited(old)
      guard let patch = old.mergePatch(to: new) else {
        missing += 1
        #expect(new.description.contains("null"), "seed \(seed)")
        continue
      }
      found += 1
      var value = old
      value.applyMergePatch(patch)
      #expect(value == new, "seed \(seed): \(old) to \(new) by \(patch)")
    }
    #expect(found > 1000 && missing > 0)
  }

  @Test func `a merge patch says only what changed`() throws {
    let old: JSONValue = ["a": 1, "b": ["c": 2, "d": [3]], "e": .null, "f": [:]]
    let new: JSONValue = ["a": 1, "b": ["c": 4, "d": [3]], "e": .null]
    #expect(old.mergePatch(to: new) == ["f": .null, "b": ["c": 4]])
    #expect(old.mergePatch(to: old) == [:])
    #expect(old.mergePatch(to: ["x": .null]) == nil)
  }
}
