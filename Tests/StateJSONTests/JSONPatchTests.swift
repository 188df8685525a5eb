import Testing

@testable import StateJSON

@Suite struct JSONPatchTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let document: String
    let patch: String
    let result: String
    var testDescription: String { patch }
  }

  /// The examples of RFC 6902, appendix A, and cases at the edges.
  static let cases = [
    Case(
      document: #"{"foo":"bar"}"#, patch: #"[{"op":"add","path":"/baz","value":"qux"}]"#,
      result: #"{"foo":"bar","baz":"qux"}"#),
    Case(
      document: #"{"foo":["bar","baz"]}"#, patch: #"[{"op":"add","path":"/foo/1","value":"qux"}]"#,
      result: #"{"foo":["bar","qux","baz"]}"#),
    Case(
      document: #"{"baz":"qux","foo":"bar"}"#, patch: #"[{"op":"remove","path":"/baz"}]"#, result: #"{"foo":"bar"}"#),
    Case(document: #"["a","b","c"]"#, patch: #"[{"op":"remove","path":"/1"}]"#, result: #"["a","c"]"#),
    Case(
      document: #"{"baz":"qux","foo":"bar"}"#, patch: #"[{"op":"replace","path":"/baz","value":"boo"}]"#,
      result: #"{"baz":"boo","foo":"bar"}"#),
    Case(
      document: #"{"foo":{"bar":"baz","waldo":"fred"},"qux":{"corge":"grault"}}"#,
      patch: #"[{"op":"move","from":"/foo/waldo","path":"/qux/thud"}]"#,
      result: #"{"foo":{"bar":"baz"},"qux":{"corge":"grault","thud":"fred"}}"#),
    Case(
      document: #"["all","grass","cows","eat"]"#, patch: #"[{"op":"move","from":"/1","path":"/3"}]"#,
      result: #"["all","cows","eat","grass"]"#),
    Case(
      document: #"{"baz":"qux","foo":["a",2,"c"]}"#,
      patch: #"[{"op":"test","path":"/baz","value":"qux"},{"op":"test","path":"/foo/1","value":2}]"#,
      result: #"{"baz":"qux","foo":["a",2,"c"]}"#),
    Case(
      document: #"{"foo":"bar"}"#, patch: #"[{"op":"add","path":"/child","value":{"grandchild":{}}}]"#,
      result: #"{"foo":"bar","child":{"grandchild":{}}}"#),
    Case(
      document: #"{"foo":"bar"}"#, patch: #"[{"op":"add","path":"/baz","value":"qux","xyz":123}]"#,
      result: #"{"foo":"bar","baz":"qux"}"#),
    Case(
      document: #"{"/":9,"~1":10}"#, patch: #"[{"op":"test","path":"/~01","value":10}]"#, result: #"{"/":9,"~1":10}"#),
    Case(document: "[1]", patch: #"[{"op":"add","path":"/-","value":[2]}]"#, result: "[1,[2]]"),
    Case(document: "[1]", patch: #"[{"op":"add","path":"/1","value":2}]"#, result: "[1,2]"),
    Case(document: "1", patch: #"[{"op":"replace","path":"","value":2}]"#, result: "2"),
    Case(document: #"{"a":1}"#, patch: #"[{"op":"copy","from":"","path":"/b"}]"#, result: #"{"a":1,"b":{"a":1}}"#),
    Case(document: #"{"a":{"b":1}}"#, patch: #"[{"op":"move","from":"/a/b","path":"/a"}]"#, result: #"{"a":1}"#),
    Case(document: #"{"a":{"b":1}}"#, patch: #"[{"op":"move","from":"/a/b","path":""}]"#, result: "1"),
    Case(document: #"{"a":1}"#, patch: #"[{"op":"move","from":"/a","path":"/a"}]"#, result: #"{"a":1}"#),
    Case(document: #"{"a":1.0}"#, patch: #"[{"op":"test","path":"","value":{"a":10e-1}}]"#, result: #"{"a":1.0}"#),
    Case(document: #"{"a":null}"#, patch: #"[{"op":"test","path":"/a","value":null}]"#, result: #"{"a":null}"#),
  ]

  @Test(arguments: cases)
  func `a patch is applied`(_ example: Case) throws {
    var value = try JSONValue(parsing: example.document)
    let patch = try JSONPatch(JSONValue(parsing: example.patch))
    try value.apply(patch)
    #expect(value.description == example.result)
    #expect(try JSONPatch(patch.value) == patch)
  }

  @Test(arguments: [
    ("{}", "a patch must be an array of operations"),
    ("[1]", "operation 0: it must be an object"),
    ("[{}]", "operation 0: 'op' is missing"),
    (#"[{"op":1}]"#, "operation 0: 'op' must be a string"),
    (#"[{"op":"remove","path":"/a"},{"op":"spam\n","path":"/a"}]"#, #"operation 1: unknown 'op' "spam\n""#),
    (#"[{"op":"remove"}]"#, "operation 0: 'path' is missing"),
    (#"[{"op":"remove","path":null}]"#, "operation 0: 'path' must be a string"),
    (
      #"[{"op":"remove","path":"a"}]"#,
      "operation 0: 'a' is not a JSON pointer: it must be empty or start with '/'"
    ),
    (#"[{"op":"add","path":"/a"}]"#, "operation 0: 'value' is missing"),
    (#"[{"op":"move","path":"/a"}]"#, "operation 0: 'from' is missing"),
    (#"[{"op":"copy","path":"/a","from":[]}]"#, "operation 0: 'from' must be a string"),
  ])
  func `what is not a patch is explained`(text: String, message: String) throws {
    let value = try JSONValue(parsing: text)
    let error = #expect(throws: JSONPatchError.self) { try JSONPatch(value) }
    #expect(error?.code == .syntax)
    #expect(error?.message == message)
  }

  @Test(arguments: [
    (#"{"op":"test","path":"/a","value":2}"#, "test-failed", "operation 1 (test '/a'): the value is 1, not 2"),
    (
      #"{"op":"test","path":"/l","value":[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24]}"#,
      "test-failed", "operation 1 (test '/l'): the value there is another"
    ),
    (
      #"{"op":"test","path":"/b","value":2}"#, "nowhere",
      #"operation 1 (test '/b'): '/b' leads nowhere: the root has no member "b""#
    ),
    (
      #"{"op":"add","path":"/l/3","value":2}"#, "nowhere",
      "operation 1 (add '/l/3'): '/l/3' leads nowhere: '/l' is an array of 2 elements"
    ),
    (
      #"{"op":"add","path":"/x/y","value":2}"#, "nowhere",
      #"operation 1 (add '/x/y'): '/x/y' leads nowhere: the root has no member "x""#
    ),
    (
      #"{"op":"replace","path":"/l/-","value":2}"#, "nowhere",
      "operation 1 (replace '/l/-'): '/l/-' leads nowhere: '/l' is an array of 2 elements"
    ),
    (#"{"op":"remove","path":""}"#, "root", "operation 1 (remove ''): the root cannot be removed"),
    (
      #"{"op":"move","from":"/l","path":"/l/0"}"#, "move-into-itself",
      "operation 1 (move '/l/0'): '/l' cannot be moved into itself"
    ),
    (
      #"{"op":"move","from":"/z","path":"/z"}"#, "nowhere",
      #"operation 1 (move '/z'): '/z' leads nowhere: the root has no member "z""#
    ),
    (
      #"{"op":"copy","from":"/z","path":"/a"}"#, "nowhere",
      #"operation 1 (copy '/a'): '/z' leads nowhere: the root has no member "z""#
    ),
  ])
  func `a patch that fails changes nothing and names the operation`(
    operation: String, code: String, message: String
  ) throws {
    let before = try JSONValue(parsing: #"{"a":0,"l":["x","y"]}"#)
    var value = before
    let patch = try JSONPatch(JSONValue(parsing: #"[{"op":"replace","path":"/a","value":1},"# + operation + "]"))
    let error = #expect(throws: JSONPatchError.self) { try value.apply(patch) }
    #expect(error?.code.name == code)
    #expect(error?.index == 1)
    #expect(error?.message == message)
    #expect(value.isIdentical(to: before))
  }

  @Test func `its text is that of its value`() throws {
    let (one, other) = (JSONPointer(["a/b", "~", "é\n\""]), JSONPointer.root)
    let operations: [JSONPatch.Operation] = [
      .add(["x": [1, "y\n"]], at: one), .remove(at: one), .replace(at: other, with: .null), .move(from: one, to: other),
      .copy(from: other, to: one), .test(at: one, 1),
    ]
    for count in 0...operations.count {
      let patch = JSONPatch(Array(operations.prefix(count)))
      #expect(patch.text == patch.value.bytes(format: .compact))
      #expect(try JSONPatch(JSONValue(parsing: patch.text)) == patch)
    }
  }

  @Test func `copies into themselves don't grow deeper than a parser accepts`() throws {
    var value: JSONValue = ["a": [:]]
    let path = JSONPointer(Array(repeating: "a", count: 400))
    try value.set([:], at: path, makingParents: true)
    let error = #expect(throws: JSONPatchError.self) {
      try value.apply(JSONPatch([.copy(from: .root, to: path)]))
    }
    #expect(error?.code == .tooDeep)
  }

  /// Each doubles the value: forty of them would take more time and memory than there is.
  @Test func `copies of copies come to an end`() throws {
    let before: JSONValue = ["list": ["some text", 1]]
    let list = try JSONPointer(parsing: "/list")
    let copies = JSONPatch(Array(repeating: .copy(from: .root, to: list.appending("-")), count: 40))
    var value = before
    let error = #expect(throws: JSONPatchError.self) { try value.apply(copies) }
    #expect(error?.code == .tooLarge)
    #expect(
      error?.message == "operation 19 (copy '/list/-'): the copies of this patch come to more than 16777216 bytes")
    #expect(value == before)
    #expect(throws: JSONPatchError.self) { try value.applyUndoably(copies) }
    #expect(value == before)
  }

  @Test func `many copies of something small are allowed`() throws {
    var value: JSONValue = ["template": ["text": .string(String(repeating: "x", count: 1_000))], "list": []]
    let list = try JSONPointer(parsing: "/list/-")
    let template = try JSONPointer(parsing: "/template")
    try value.apply(JSONPatch(Array(repeating: .copy(from: template, to: list), count: 10_000)))
    #expect(try value.value(at: JSONPointer(parsing: "/list/9999/text")) == value[template.appending("text")])
  }
}
