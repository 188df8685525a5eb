import Testing

@testable import StateJSON

@Suite struct JSONPointerTests {
  static let document = """
    {"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\\\j":5,"k\\"l":6," ":7,"m~n":8}
    """

  @Test(arguments: [
    ("/foo", #"["bar","baz"]"#), ("/foo/0", #""bar""#), ("/", "0"), ("/a~1b", "1"), ("/c%d", "2"), ("/e^f", "3"),
    ("/g|h", "4"), (#"/i\j"#, "5"), (#"/k"l"#, "6"), ("/ ", "7"), ("/m~0n", "8"),
  ])
  func `the examples of the RFC lead where it says`(text: String, expected: String) throws {
    let document = try JSONValue(parsing: Self.document)
    let pointer = try JSONPointer(parsing: text)
    #expect(try document.value(at: pointer).description == expected)
    #expect(document[pointer]?.description == expected)
    #expect(pointer.description == text)
  }

  @Test func `the empty pointer is the root`() throws {
    let document = try JSONValue(parsing: Self.document)
    #expect(try JSONPointer(parsing: "") == .root)
    #expect(document[.root] == document)
  }

  @Test(arguments: [
    ("a/b", "'a/b' is not a JSON pointer: it must be empty or start with '/'"),
    ("/a~2b", "'/a~2b' is not a JSON pointer: '~' must be followed by 0 or 1"),
    ("/a~", "'/a~' is not a JSON pointer: '~' must be followed by 0 or 1"),
    ("#/a", "'#/a' is not a JSON pointer: it must be empty or start with '/'"),
  ])
  func `bad syntax is explained`(text: String, message: String) {
    let error = #expect(throws: JSONPointerError.self) { try JSONPointer(parsing: text) }
    #expect(error?.code == .syntax)
    #expect(error?.message == message)
  }

  @Test(arguments: [
    ("~01", "/~001"), ("~1", "/~01"), ("/", "/~1"), ("~0~1", "/~00~01"), ("\u{301}", "/\u{301}"),
  ])
  func `tokens are escaped and unescaped`(token: String, text: String) throws {
    #expect(JSONPointer([token]).description == text)
    #expect(try JSONPointer(parsing: text) == JSONPointer([token]))
  }

  @Test(arguments: ["/", "//", "/a", "/a/", "//a", "/a//b/", "/é/e\u{301}", "/\u{301}/\u{301}", "/😀/0", "/\0/ /-"])
  func `what has no escapes is cut as what has some`(text: String) throws {
    let tokens = try JSONPointer(parsing: text + "/~0").tokens.dropLast()
    #expect(JSONPointer(Array(tokens)) == (try JSONPointer(parsing: text)))
  }

  @Test func `tokens are compared by scalars`() {
    #expect(JSONPointer(["é"]) != JSONPointer(["e\u{301}"]))
    // Both have three bytes.
    #expect(JSONPointer(["\u{212B}"]) != JSONPointer(["A\u{30A}"]))
  }

  @Test(arguments: [
    ("/a/b/c", #"'/a/b/c' leads nowhere: '/a/b' has no member "c""#),
    ("/x/y", #"'/x/y' leads nowhere: the root has no member "x""#),
    ("/l/3", "'/l/3' leads nowhere: '/l' is an array of 3 elements"),
    ("/l/-", "'/l/-' leads nowhere: '/l' is an array of 3 elements"),
    ("/l/01", "'/l/01' leads nowhere: '/l' is an array of 3 elements"),
    ("/l/+1", "'/l/+1' leads nowhere: '/l' is an array of 3 elements"),
    ("/l/-1", "'/l/-1' leads nowhere: '/l' is an array of 3 elements"),
    ("/l/99999999999999999999", "'/l/99999999999999999999' leads nowhere: '/l' is an array of 3 elements"),
    ("/o/x", "'/o/x' leads nowhere: '/o' is an array of 1 element"),
    ("/l/0/z/y", "'/l/0/z/y' leads nowhere: '/l/0' is a number"),
    ("/l/1/0", "'/l/1/0' leads nowhere: '/l/1' is a string"),
    ("/l/2/0", "'/l/2/0' leads nowhere: '/l/2' is null"),
    ("/t/0", "'/t/0' leads nowhere: '/t' is a boolean"),
  ])
  func `a pointer that leads nowhere says where it ends`(text: String, message: String) throws {
    var document = try JSONValue(parsing: #"{"a":{"b":{}},"l":[1,"s",null],"o":[0],"t":true}"#)
    let pointer = try JSONPointer(parsing: text)
    #expect(document[pointer] == nil)
    let before = document
    let error = #expect(throws: JSONPointerError.self) { try document.value(at: pointer) }
    #expect(error?.code == .nowhere)
    #expect(error?.message == message)
    let removal = #expect(throws: JSONPointerError.self) { try document.remove(at: pointer) }
    #expect(removal?.message == message)
    let replacement = #expect(throws: JSONPointerError.self) { try document.replace(at: pointer, with: 0) }
    #expect(replacement?.message == message)
    #expect(document.isIdentical(to: before))
  }

  struct Change: Sendable {
    var pointer: String
    var makingParents = false
    var result: String
  }

  @Test(arguments: [
    Change(pointer: "", result: "9"),
    Change(pointer: "/a", result: #"{"a":9,"l":[1,2]}"#),
    Change(pointer: "/n", result: #"{"a":{"b":1},"l":[1,2],"n":9}"#),
    Change(pointer: "/a/b", result: #"{"a":{"b":9},"l":[1,2]}"#),
    Change(pointer: "/l/0", result: #"{"a":{"b":1},"l":[9,2]}"#),
    Change(pointer: "/l/2", result: #"{"a":{"b":1},"l":[1,2,9]}"#),
    Change(pointer: "/l/-", result: #"{"a":{"b":1},"l":[1,2,9]}"#),
    Change(pointer: "/l/3", result: "'/l/3' leads nowhere: '/l' is an array of 2 elements"),
    Change(pointer: "/l/00", result: "'/l/00' leads nowhere: '/l' is an array of 2 elements"),
    Change(pointer: "/x/y/z", result: #"'/x/y/z' leads nowhere: the root has no member "x""#),
    Change(pointer: "/a/b/c", result: "'/a/b/c' leads nowhere: '/a/b' is a number"),
    Change(pointer: "/x/y/z", makingParents: true, result: #"{"a":{"b":1},"l":[1,2],"x":{"y":{"z":9}}}"#),
    Change(pointer: "/a/c/d", makingParents: true, result: #"{"a":{"b":1,"c":{"d":9}},"l":[1,2]}"#),
    Change(pointer: "/l/-/d", makingParents: true, result: #"{"a":{"b":1},"l":[1,2,{"d":9}]}"#),
    Change(pointer: "/a/b", makingParents: true, result: #"{"a":{"b":9},"l":[1,2]}"#),
    Change(
      pointer: "/l/5/d", makingParents: true, result: "'/l/5/d' leads nowhere: '/l' is an array of 2 elements"),
    Change(pointer: "/a/b/c/d", makingParents: true, result: "'/a/b/c/d' leads nowhere: '/a/b' is a number"),
  ])
  func `a value is set`(_ change: Change) throws {
    var document = try JSONValue(parsing: #"{"a":{"b":1},"l":[1,2]}"#)
    let before = document
    do throws(JSONPointerError) {
      let pointer = try JSONPointer(parsing: change.pointer)
      try document.set(9, at: pointer, makingParents: change.makingParents)
      #expect(document.description == change.result)
    } catch {
      #expect(error.message == change.result)
      #expect(document.isIdentical(to: before))
    }
  }

  @Test func `removal gives back what was there`() throws {
    var document = try JSONValue(parsing: #"{"a":{"b":1,"c":2},"l":[1,2,3]}"#)
    #expect(try document.remove(at: JSONPointer(["a", "b"])) == 1)
    #expect(try document.remove(at: JSONPointer(["l", "1"])) == 2)
    #expect(document.description == #"{"a":{"c":2},"l":[1,3]}"#)
    let error = #expect(throws: JSONPointerError.self) { try document.remove(at: .root) }
    #expect(error?.code == .root)
    #expect(error?.message == "the root cannot be removed")
  }

  @Test func `nothing is nested deeper than a parser accepts`() throws {
    let tokens = Array(repeating: "a", count: 512)
    var document: JSONValue = [:]
    try document.set(1, at: JSONPointer(tokens), makingParents: true)
    #expect(throws: Never.self) { try JSONValue(parsing: document.description) }
    let error = #expect(throws: JSONPointerError.self) { try document.set([], at: JSONPointer(tokens)) }
    #expect(error?.code == .tooDeep)
    #expect(error?.message == "the value at '\(JSONPointer(tokens))' would be nested deeper than 512 levels")
    #expect(throws: JSONPointerError.self) { try document.insert(1, at: JSONPointer(tokens + ["a"])) }
  }

  @Test func `a change copies nothing that nobody else holds`() throws {
    func address(_ value: JSONValue?) -> UnsafeRawPointer? {
      guard case .array(let elements)? = value else { return nil }
      return elements.withUnsafeBytes { $0.baseAddress }
    }
    let list = JSONPointer(["o", "l"])
    var document: JSONValue = ["o": ["l": .array((0..<100).map { .number(JSONNumber($0)) })]]
    let before = address(document[list])
    try document.set(true, at: list.appending(50))
    try document.replace(at: list.appending(51), with: true)
    try document.remove(at: list.appending(52))
    try document.insert(1, at: list.appending(52))
    #expect(before != nil)
    #expect(address(document[list]) == before)
  }
}
