import StateJSON
import Testing

@testable import Replication

@Suite struct DocumentActionTests {
  /// `nil` is a document that isn't there.
  struct Example: CustomTestStringConvertible, Sendable {
    let action: String
    let document: String?
    let result: String?
    var testDescription: String { "\(action) on \(document ?? "nothing")" }
  }

  static let examples = [
    Example(action: #"["set","",5]"#, document: nil, result: "5"),
    Example(action: #"["set","",5]"#, document: "[1]", result: "5"),
    Example(action: #"["set","/a",5]"#, document: #"{"b":1.0,"a":2}"#, result: #"{"b":1.0,"a":5}"#),
    Example(action: #"["set","/a/b",5]"#, document: nil, result: #"{"a":{"b":5}}"#),
    Example(action: #"["set","/a/b",5]"#, document: #"{"c":0}"#, result: #"{"c":0,"a":{"b":5}}"#),
    Example(action: #"["set","/x~1y/~0",null]"#, document: "{}", result: #"{"x/y":{"~":null}}"#),
    Example(action: #"["set","/a/b",5]"#, document: #"{"a":3}"#, result: #"{"a":3}"#),
    Example(action: #"["set","/a/b",5]"#, document: #"{"a":null}"#, result: #"{"a":null}"#),
    Example(action: #"["set","/0",5]"#, document: "[1]", result: "[1]"),
    Example(action: #"["set","/",5]"#, document: "{}", result: #"{"":5}"#),
    Example(action: #"["increment","/n",2]"#, document: #"{"n":1.50}"#, result: #"{"n":3.50}"#),
    Example(action: #"["increment","/n",2]"#, document: nil, result: #"{"n":2}"#),
    Example(action: #"["increment","/n",2]"#, document: #"{"n":"1"}"#, result: #"{"n":"1"}"#),
    Example(action: #"["increment","/n",1e5000]"#, document: #"{"n":1}"#, result: #"{"n":1}"#),
    Example(action: #"["increment","",2]"#, document: "1", result: "3"),
    Example(action: #"["append","/l",{}]"#, document: #"{"l":[0]}"#, result: #"{"l":[0,{}]}"#),
    Example(action: #"["append","/l",1]"#, document: "{}", result: #"{"l":[1]}"#),
    Example(action: #"["append","/l",1]"#, document: #"{"l":{}}"#, result: #"{"l":{}}"#),
    Example(action: #"["append","/l/0",1]"#, document: #"{"l":[[]]}"#, result: #"{"l":[[]]}"#),
  ]

  @Test(arguments: examples)
  func `a verb does what it can to what is there`(_ example: Example) throws {
    let action = try #require(DocumentAction(JSONValue(parsing: example.action)))
    var document = try example.document.map { try JSONValue(parsing: $0) }
    action.apply(to: &document)
    #expect(document?.description == example.result)
    #expect(try action.value == JSONValue(parsing: example.action))
  }

  @Test(arguments: [
    "5", "[]", #"["set","/a"]"#, #"["set","/a",1,2]"#, #"["unset","/a",1]"#, #"["set","a",1]"#, #"["set","/~2",1]"#,
    #"["set",1,1]"#, #"[1,"/a",1]"#, #"["increment","/a","1"]"#, #"{"set":1}"#,
  ])
  func `what is no verb is not taken for one`(action: String) throws {
    #expect(try DocumentAction(JSONValue(parsing: action)) == nil)
  }

  @Test(arguments: [("set", 511, 1, true), ("set", 511, 2, false), ("append", 510, 1, true), ("append", 511, 1, false)])
  func `no verb nests a document deeper than a parser accepts`(verb: String, tokens: Int, depth: Int, isOne: Bool)
    throws
  {
    let value = (0..<depth).reduce(5 as JSONValue) { value, _ in .array([value]) }
    let pointer = String(repeating: "/a", count: tokens)
    guard let action = DocumentAction([.string(verb), .string(pointer), value]) else { return #expect(!isOne) }
    #expect(isOne)
    var document: JSONValue?
    action.apply(to: &document)
    #expect(try JSONValue(parsing: try #require(document).bytes()) == document)
  }

  static let sums: [(actions: String, summed: String)] = [
    (#"[["increment","/n",1],["increment","/n",2],["increment","/n",-5]]"#, #"[["increment","/n",-2]]"#),
    (
      #"[["increment","/n",1],["increment","/m",2],["increment","/m",3]]"#,
      #"[["increment","/n",1],["increment","/m",5]]"#
    ),
    (
      #"[["increment","/n",1],["set","/n",2],["increment","/n",3]]"#,
      #"[["increment","/n",1],["set","/n",2],["increment","/n",3]]"#
    ),
    (#"[["increment","/n",1],["increment","/n",1.0]]"#, #"[["increment","/n",1],["increment","/n",1.0]]"#),
    (#"[["increment","/n",1],["increment","/n",1e2]]"#, #"[["increment","/n",1],["increment","/n",1e2]]"#),
    (#"[["increment","/n",1],["increment","/n",-0]]"#, #"[["increment","/n",1],["increment","/n",-0]]"#),
    (#"[["append","/l",1],["append","/l",1]]"#, #"[["append","/l",1],["append","/l",1]]"#),
    (#"[["increment","/é",1],["increment","/e\u0301",1]]"#, #"[["increment","/é",1],["increment","/e\u0301",1]]"#),
    (
      #"[["increment","/n",9223372036854775807],["increment","/n",1]]"#,
      #"[["increment","/n",9223372036854775807],["increment","/n",1]]"#
    ),
    (#"["?",["increment","/n"]]"#, #"["?",["increment","/n"]]"#), ("[]", "[]"),
  ]

  private func list(_ text: String) throws -> [JSONValue]? {
    if case .array(let elements) = try JSONValue(parsing: text) { elements } else { nil }
  }

  @Test(arguments: sums)
  func `increments of one place that follow each other are one`(_ actions: String, _ summed: String) throws {
    let parts = try #require(try list(actions))
    let expected = try #require(try list(summed))
    #expect(DocumentAction.summed(parts).map(\.description) == expected.map(\.description))
  }

  @Test(arguments: ["0", "-3", "1.50", "1e3", "-0", "\"text\"", "null", "{}", nil])
  func `a sum comes to what its parts come to`(_ place: String?) throws {
    let actions: [JSONValue] = [7, -7, 0, 12, -30].map { ["increment", "/n", $0] }
    let before: JSONValue? = try place.map { ["n": try JSONValue(parsing: $0)] }
    var (one, other) = (before, before)
    for action in actions { DocumentAction(action)?.apply(to: &one) }
    for action in DocumentAction.summed(actions) { DocumentAction(action)?.apply(to: &other) }
    #expect(one?.description == other?.description)
  }
}
