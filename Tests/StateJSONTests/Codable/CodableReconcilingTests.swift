import StateJSON
import Testing

@Suite struct CodableReconcilingTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let old: String
    let document: String
    let new: String
    let result: String

    init(_ name: String, old: String, document: String, new: String, result: String) {
      (self.name, self.old, self.document, self.new, self.result) = (name, old, document, new, result)
    }

    var testDescription: String { name }
  }

  static let objects = [
    Case(
      "unknown keys, order and literals stay", old: #"{"a":1,"b":2}"#, document: #"{"x":[],"b":2.0,"a":1.0}"#,
      new: #"{"a":3,"b":2}"#, result: #"{"x":[],"b":2.0,"a":3}"#),
    Case(
      "a new member follows its predecessor", old: #"{"a":1,"d":4}"#, document: #"{"d":4,"a":1,"x":0}"#,
      new: #"{"a":1,"b":2,"c":3,"d":4,"e":5}"#, result: #"{"d":4,"e":5,"a":1,"b":2,"c":3,"x":0}"#),
    Case(
      "a new first member is the last", old: #"{"b":1}"#, document: #"{"b":1,"x":0}"#, new: #"{"a":1,"b":1}"#,
      result: #"{"b":1,"x":0,"a":1}"#),
    Case(
      "a member that is gone is removed", old: #"{"a":1,"b":2}"#, document: #"{"a":1,"x":0,"b":2}"#, new: #"{"b":2}"#,
      result: #"{"x":0,"b":2}"#),
    Case(
      "a member left to its default stays out", old: #"{"a":1,"b":2}"#, document: #"{"a":1}"#, new: #"{"a":2,"b":2}"#,
      result: #"{"a":2}"#),
    Case(
      "a missing parent comes whole", old: #"{"a":{"b":1,"c":2}}"#, document: "{}", new: #"{"a":{"b":1,"c":3}}"#,
      result: #"{"a":{"b":1,"c":3}}"#),
    Case(
      "nil that stood as null", old: "{}", document: #"{"a":null,"x":1}"#, new: #"{"a":5}"#, result: #"{"a":5,"x":1}"#),
    Case(
      "nil that stays null", old: #"{"b":1}"#, document: #"{"a":null,"b":1}"#, new: #"{"b":2}"#,
      result: #"{"a":null,"b":2}"#),
    Case(
      "another case of an enum", old: #"{"list":{}}"#, document: #"{"list":{}}"#, new: #"{"details":{"id":1}}"#,
      result: #"{"details":{"id":1}}"#),
    Case(
      "a value in another form changes", old: #"{"a":{"b":1},"c":1}"#, document: #"{"a":"b=1","c":{"d":1}}"#,
      new: #"{"a":{"b":2},"c":2}"#, result: #"{"a":{"b":2},"c":2}"#),
    Case(
      "a value in another form stays", old: #"{"a":{"b":1},"c":1}"#, document: #"{"a":"b=1","c":1}"#,
      new: #"{"a":{"b":1},"c":2}"#, result: #"{"a":"b=1","c":2}"#),
    Case("the root", old: "1", document: "1.0", new: "2", result: "2"),
    Case("the root unchanged", old: "1", document: "1.0", new: "1.00", result: "1.0"),
  ]

  static let arrays = [
    Case(
      "elements keep their unknown keys, by id", old: #"[{"id":1,"t":"a"},{"id":2,"t":"b"}]"#,
      document: #"[{"id":1.0,"t":"a","x":1},{"x":2,"id":2,"t":"b"}]"#,
      new: #"[{"id":3,"t":"c"},{"id":2,"t":"B"},{"id":1,"t":"a"}]"#,
      result: #"[{"id":3,"t":"c"},{"x":2,"id":2,"t":"B"},{"id":1.0,"t":"a","x":1}]"#),
    Case(
      "elements keep their unknown keys, by position", old: #"[{"t":"a"},{"t":"b"},{"t":"c"}]"#,
      document: #"[{"t":"a","x":1},{"t":"b","x":2},{"t":"c","x":3}]"#, new: #"[{"t":"a"},{"t":"B"},{"t":"c"}]"#,
      result: #"[{"t":"a","x":1},{"t":"B","x":2},{"t":"c","x":3}]"#),
    Case(
      "elements keep their unknown keys when some go", old: #"[{"t":"a"},{"t":"b"},{"t":"c"},{"t":"d"}]"#,
      document: #"[{"t":"a","x":1},{"t":"b","x":2},{"t":"c","x":3},{"t":"d","x":4}]"#, new: #"[{"t":"b"},{"t":"d"}]"#,
      result: #"[{"t":"b","x":2},{"t":"d","x":4}]"#),
    Case(
      "an array that isn't the dump's is replaced", old: "[1,2]", document: "[2,1.0]", new: "[1,2,3]", result: "[1,2,3]"
    ),
    Case("an array that isn't the dump's stays", old: "[1,2]", document: "[2,1.0]", new: "[1,2]", result: "[2,1.0]"),
    Case("literals stay", old: "[1,2,3]", document: "[1.0,2.0,3.0]", new: "[1,3,4]", result: "[1.0,3.0,4]"),
    Case(
      "a field the document lacks", old: #"[{"t":"a","n":0}]"#, document: #"[{"t":"a","x":1}]"#,
      new: #"[{"t":"b","n":0}]"#, result: #"[{"t":"b","x":1}]"#),
  ]

  static let sets = [
    Case("the document's order stays", old: "[1,2,3]", document: "[3,1.0,2]", new: "[0,1,3,5]", result: "[3,1.0,0,5]"),
    Case(
      "unknown keys stay", old: #"[{"a":1},{"a":2}]"#, document: #"[{"a":2,"x":1},{"a":1,"x":2}]"#,
      new: #"[{"a":0},{"a":2}]"#, result: #"[{"a":2,"x":1},{"a":0}]"#),
    Case(
      "elements with ids change in place", old: #"[{"id":1,"n":1},{"id":2,"n":2}]"#,
      document: #"[{"id":2,"n":2,"x":1},{"id":1,"n":1}]"#, new: #"[{"id":1,"n":1},{"id":2,"n":3}]"#,
      result: #"[{"id":2,"n":3,"x":1},{"id":1,"n":1}]"#),
    Case("repeated elements", old: "[1,2]", document: "[1,2,1]", new: "[2,3]", result: "[2,3]"),
    Case("a set that isn't the dump's is replaced", old: "[1,2]", document: "[2]", new: "[1,3]", result: "[1,3]"),
    Case(
      "ambiguous elements are replaced", old: #"[{"a":1},{"a":1,"b":2}]"#,
      document: #"[{"a":1,"b":2,"x":2},{"a":1,"b":2},{"a":1}]"#, new: #"[{"a":1}]"#, result: #"[{"a":1}]"#),
    Case(
      "cases of an enum are told apart", old: #"[{"circle":1},{"square":1}]"#,
      document: #"[{"square":1,"x":1},{"circle":1,"x":2}]"#, new: #"[{"circle":1},{"oval":1}]"#,
      result: #"[{"circle":1,"x":2},{"oval":1}]"#),
    Case(
      "elements with the same form are replaced", old: "[1]", document: "[1.0]", new: "[1,1,2]", result: "[1,1,2]"),
  ]

  static let pairs = [
    Case(
      "keys stay, values change", old: #"[{"x":1},{"n":1},{"x":2},{"n":2}]"#,
      document: #"[{"x":2.0},{"n":2,"theirs":1},{"x":1},{"n":1}]"#,
      new: #"[{"x":0},{"n":0},{"x":2},{"n":3}]"#, result: #"[{"x":2.0},{"n":3,"theirs":1},{"x":0},{"n":0}]"#),
    Case("half a pair", old: "[1,1]", document: "[1,1,2]", new: "[1,2]", result: "[1,2]"),
  ]

  @Test(arguments: objects + arrays)
  func `only what changed between the dumps changes in the document`(case: Case) throws {
    try check(`case`, UnorderedPlaces())
  }

  @Test(arguments: sets)
  func `sets keep the document's order`(case: Case) throws {
    try check(`case`, JSONValueEncoder().dump(Set<Int>()).unordered)
  }

  @Test(arguments: pairs)
  func `dictionaries that are arrays keep the document's order`(case: Case) throws {
    try check(`case`, JSONValueEncoder().dump([Cell: Int]()).unordered)
  }

  private func check(_ case: Case, _ places: UnorderedPlaces) throws {
    let old = TypedDump(try parsed(`case`.old), unordered: places)
    let new = TypedDump(try parsed(`case`.new), unordered: places)
    let document = try parsed(`case`.document)
    #expect(document.reconciled(from: old, to: new).compact == `case`.result)
    #expect(document.reconciled(from: old, to: old).isIdentical(to: document))
    // A text with white space of its own becomes what it would by its value.
    for text in [JSONDocument(formatting: document), try JSONDocument(parsing: `case`.document)] {
      let result = text.reconciled(from: old, to: new)
      #expect(result.bytes == text.replacingValue(with: try parsed(`case`.result)).bytes)
      #expect(try JSONDocument(parsing: result.bytes).value.isIdentical(to: result.value))
    }
  }

  @Test(arguments: [
    // An element, or a member, that changed in one place.
    (
      #"{"a":[{"n":1},{"n":1}]}"#, #"{"a":[{"n":1},{"n":2}]}"#, #"{"x":0, "a": [{"n":1,"x":1}, {"x":[2],"n" : 1.0}]}"#,
      #"{"x":0, "a": [{"n":1,"x":1}, {"x":[2],"n" : 2}]}"#
    ),
    // Which becomes a container, in the style of the text.
    (
      #"{"a":{"b":1}}"#, #"{"a":{"b":[1,2]}}"#, "{\n\t\"a\": {\n\t\t\"b\": 1\n\t}\n}",
      "{\n\t\"a\": {\n\t\t\"b\": [\n\t\t\t1,\n\t\t\t2\n\t\t]\n\t}\n}"
    ),
    // Elements that this text has in another order, or more of, are told apart by what they are.
    (
      #"[{"id":1,"n":5},{"id":2,"n":5}]"#, #"[{"id":1,"n":6},{"id":2,"n":5}]"#, #"[{"id":2,"n":5},{"id":1,"n":5}]"#,
      #"[{"id":1,"n":6},{"id":2,"n":5}]"#
    ),
    (#"[{"n":5}]"#, #"[{"n":6}]"#, #"[{"n":5},{"n":5}]"#, #"[{"n":6}]"#),
    // Who has another identity is somebody else, and brings nothing along.
    (#"[{"id":1,"n":5}]"#, #"[{"id":3,"n":5}]"#, #"[{"id":1,"n":5,"x":0}]"#, #"[{"id":3,"n":5}]"#),
  ])
  func `a text changes where its value does`(old: String, new: String, text: String, result: String) throws {
    let (old, new) = (TypedDump(try parsed(old)), TypedDump(try parsed(new)))
    let document = try JSONDocument(parsing: text)
    let reconciled = document.reconciled(from: old, to: new)
    #expect(String(decoding: reconciled.bytes, as: UTF8.self) == result)
    #expect(reconciled.bytes == document.replacingValue(with: document.value.reconciled(from: old, to: new)).bytes)
  }

  @Test func `keys differ by scalars, not by canonical equivalence`() throws {
    let old = TypedDump(try parsed("{\"\u{E9}\":1}"))
    let new = TypedDump(try parsed("{\"\u{E9}\":2}"))
    let document = try parsed("{\"e\u{301}\":7,\"\u{E9}\":1}")
    #expect(document.reconciled(from: old, to: new).compact == "{\"e\u{301}\":7,\"\u{E9}\":2}")
  }
}
