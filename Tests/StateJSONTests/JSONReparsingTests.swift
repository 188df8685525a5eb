import TestSupport
import Testing

@testable import StateJSON

/// A text that became of another: what is found out by looking at what differs is what the whole says.
@Suite struct JSONReparsingTests {
  private static let texts = [
    #"{"a": [1, 2, {"b": "x", "c": null}], "d": {"e": [true, false, []], "é": 1.5}, "f": "long \n text"}"#,
    "\u{FEFF} [ [1,[2,[3,[4]]]] , {} , [] , \"\" ]\n",
    "[1,2]", "{}", "[]", "12", #""text""#, "null", "[[],[],[]]", #"{"a":{"a":{"a":{"a":1}}}}"#, "[11,11,11,1]",
    "{\n  \"items\": [\n    {\n      \"id\": 1\n    },\n    {\n      \"id\": 2\n    }\n  ]\n}\n",
  ]

  /// Whatever is inserted, removed or replaced anywhere, valid or not.
  @Test(arguments: texts)
  func `a text parsed after another is that text`(text: String) throws {
    let limits = JSONLimits(depth: 6, size: 200)
    let old = Array(text.utf8)
    let document = try JSONDocument(parsing: old)
    let pieces = [
      "", "1", ",", "[", "]", "{", "}", "\"", "\"a\":", ",3", "[0]", " ", "\\", "0", "\"x\",", "[[[[[[[", ":",
    ]
    var reused = 0
    for start in 0...old.count {
      for end in start...min(old.count, start + 4) {
        for piece in pieces {
          let new = old[..<start] + Array(piece.utf8) + old[end...]
          check(Array(new), after: document, limits)
          if document.tape.reparsed(from: old, to: Array(new), limits: limits) != nil { reused += 1 }
        }
      }
    }
    #expect(reused > old.count)
  }

  @Test func `texts that are changed at random again and again are parsed as they are`() throws {
    var random = RandomJSON(seed: 20)
    for _ in 0..<300 {
      var value = random.value(depth: 4)
      var document = JSONDocument(formatting: value)
      for _ in 0..<10 {
        let before = (document: document, value: value)
        value = random.edit(value)
        let bytes = before.document.replacingValue(with: value).bytes
        let successor = try JSONSuccessor(parsing: bytes, after: before.document)
        document = successor.document
        #expect(successor.hasSameValue == (value == before.value))
        #expect(document.tape.entries == (try JSONDocument(parsing: bytes)).tape.entries)
        #expect(document.value.isIdentical(to: value))
        #expect(document.hasSameValue(as: before.document) == (value == before.value))
        let patch = JSONPatch(from: before.document, to: document)
        #expect(try before.value.applying(patch).isIdentical(to: value) || before.value.applying(patch) == value)
        #expect(patch.isEmpty == JSONPatch(from: before.value, to: value).isEmpty)
      }
    }
  }

  @Test func `one change of a large text is parsed alone`() throws {
    let items = (0..<2_000).map { #"{"id": \#($0), "tags": ["a", "b"], "note": "some text of the item"}"# }
    let old = Array("[\(items.joined(separator: ",\n"))]".utf8)
    let document = try JSONDocument(parsing: old)
    var changed = items
    changed[1_000] = #"{"id": 1000, "tags": ["a", "c", "b"], "note": "some text of the item"}"#
    let new = Array("[\(changed.joined(separator: ",\n"))]".utf8)
    let tokens = try document.read { old in
      try JSONDocument(parsing: new).read { JSONDivergence(old, $0)?.tokens(in: old) }
    }
    #expect(tokens == ["1000", "tags"])
    #expect(
      try JSONPatch(from: document, to: JSONDocument(parsing: new, after: document)).value
        == JSONValue(parsing: #"[{"op": "add", "path": "/1000/tags/1", "value": "c"}]"#))
  }

  private func check(_ new: [UInt8], after document: JSONDocument, _ limits: JSONLimits) {
    let comment: Comment = "\(String(decoding: new, as: UTF8.self))"
    let whole = Result { () throws(JSONParseError) in try JSONDocument(parsing: new, limits: limits) }
    let after = Result { () throws(JSONParseError) in try JSONSuccessor(parsing: new, after: document, limits: limits) }
    switch (whole, after) {
    case (.success(let whole), .success(let successor)):
      let after = successor.document
      #expect(successor.hasSameValue == (document.value == whole.value), comment)
      #expect(after.tape.entries == whole.tape.entries, comment)
      #expect(after.bytes == new, comment)
      #expect(document.hasSameValue(as: after) == (document.value == whole.value), comment)
      let patch = JSONPatch(from: document, to: after)
      #expect((try? document.value.applying(patch)) == whole.value, comment)  // `nil` if it can't be applied
    case (.failure(let whole), .failure(let failure)): #expect(whole == failure, comment)
    default: Issue.record("one is valid and one is not: \(comment)")
    }
  }
}
