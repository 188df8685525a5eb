import StateJSON
import Testing

@Suite struct JSONDocumentTests {
  private func replace(_ text: String, with value: String) throws -> String {
    let value = try JSONValue(parsing: value)
    let document = try JSONDocument(parsing: text).replacingValue(with: value)
    #expect(document.value.isIdentical(to: value))
    #expect(try JSONValue(parsing: document.bytes).isIdentical(to: value))
    return String(decoding: document.bytes, as: UTF8.self)
  }

  @Test(arguments: [
    ("{ \"a b\" : [ 1.0 ,\t-2e1 ],\r\n \"c\\\"\" : { } }\n", #"{"a b":[1.0,-2e1],"c\"":{}}"#),
    ("\u{feff} [ \"\\\\\" , \"\\u0041 \\n\" , null ]", #"["\\","\u0041 \n",null]"#),
    (" 7 ", "7"),
    (#""é x""#, #""é x""#),
  ])
  func `a text without white space is the same in all else`(text: String, compact: String) throws {
    let document = try JSONDocument(parsing: text)
    #expect(String(decoding: document.compactBytes, as: UTF8.self) == compact)
    #expect(try JSONValue(parsing: document.compactBytes).isIdentical(to: document.value))
  }

  @Test(arguments: [
    // Values
    ("1", "2", "2"), (" 1 \n", "[]", " [] \n"), ("1.0", "1", "1"), ("[1.0, 2]", "[1, 2]", "[1, 2]"),
    (#"{"a" : 1 , "b":  2}"#, #"{"a":1,"b":3}"#, #"{"a" : 1 , "b":  3}"#),
    (#"["\u0061", 1]"#, #"["a", 2]"#, #"["\u0061", 2]"#), (#"{"\u0061": 1}"#, #"{"a": 2}"#, #"{"\u0061": 2}"#),
    ("[1.50, 1e3, -0]", "[1.50, 1e3, 0]", "[1.50, 1e3, 0]"),
    (#"{ "a": { "b": [ 1,2 ] } }"#, #"{"a":{"b":[1,3]}}"#, #"{ "a": { "b": [ 1,3 ] } }"#),
    ("\u{FEFF}[1]\r\n", "[2]", "\u{FEFF}[2]\r\n"),
    // Additions on one line
    (#"{"a": 1}"#, #"{"a": 1, "b": 2}"#, #"{"a": 1, "b": 2}"#), (#"{"a":1}"#, #"{"a":1,"b":2}"#, #"{"a":1,"b":2}"#),
    (#"{ "a": 1 }"#, #"{"a":1,"b":2}"#, #"{ "a": 1, "b": 2 }"#),
    (#"{"a":1,"b":2}"#, #"{"a":1,"b":2,"c":[1,{"x":2}]}"#, #"{"a":1,"b":2,"c":[1,{"x":2}]}"#),
    ("[1,  2]", "[1, 2, 3]", "[1,  2,  3]"), ("[1 , 2]", "[1, 2, 3]", "[1 , 2 , 3]"), ("[1,2]", "[0,1,2]", "[0,1,2]"),
    ("[ 1, 2 ]", "[0, 1, 2]", "[ 0, 1, 2 ]"), ("[1, 3]", "[1, 2, 3]", "[1, 2, 3]"), ("[1]", "[1, 2]", "[1, 2]"),
    (#"{"a" : 1}"#, #"{"a":1,"b":2}"#, #"{"a" : 1, "b" : 2}"#),
    (#"{"a":{},"b":[1]}"#, #"{"a":{"x":1,"y":2},"b":[1]}"#, #"{"a":{"x":1,"y":2},"b":[1]}"#),
    (#"{"a": []}"#, #"{"a":[1,2]}"#, #"{"a": [1, 2]}"#),
    // Removals on one line
    (#"{"a": 1, "b": 2}"#, #"{"a": 1}"#, #"{"a": 1}"#), (#"{"a": 1, "b": 2}"#, #"{"b": 2}"#, #"{"b": 2}"#),
    (#"{ "a": 1, "b": 2 }"#, #"{"b": 2}"#, #"{ "b": 2 }"#), (#"{ "a": 1, "b": 2 }"#, "{}", "{}"),
    ("[1, 2, 3]", "[1, 3]", "[1, 3]"), ("[1, 2, 3]", "[2, 3]", "[2, 3]"), ("[ ]", "[ ]", "[ ]"),
    // Order
    (#"{"a": 1.0, "b": 2, "c": "\u0063"}"#, #"{"c":"c","b":2,"a":1.0}"#, #"{"c": "\u0063", "b": 2, "a": 1.0}"#),
    (#"["\u0061", "\u0062", "c"]"#, #"["b", "c", "a"]"#, #"["\u0062", "c", "\u0061"]"#),
  ])
  func `changes on one line keep its spacing`(text: String, value: String, expected: String) throws {
    #expect(try replace(text, with: value) == expected)
  }

  @Test(arguments: ["{}", "5", "[]"])
  func `a root that had nothing to imitate is formatted as a new document`(text: String) throws {
    #expect(
      try replace(text + "\n", with: #"{"a":1,"b":[2]}"#) == """
        {
          "a": 1,
          "b": [
            2
          ]
        }

        """)
  }

  @Test func `an added member takes a line with its siblings' indentation`() throws {
    let text = "{\n    \"a\": 1,\n    \"b\": { \"x\": 1 }\n}\n"
    #expect(
      try replace(text, with: #"{"a":1,"b":{"x":1},"c":{"y":[1,{}],"z":[]}}"#)
        == """
        {
            "a": 1,
            "b": { "x": 1 },
            "c": {
                "y": [
                    1,
                    {}
                ],
                "z": []
            }
        }

        """)
    #expect(
      try replace(text, with: #"{"a":1,"n":0,"b":{"x":1}}"#)
        == "{\n    \"a\": 1,\n    \"n\": 0,\n    \"b\": { \"x\": 1 }\n}\n")
    #expect(
      try replace(text, with: #"{"n":0,"a":1,"b":{"x":1}}"#)
        == "{\n    \"n\": 0,\n    \"a\": 1,\n    \"b\": { \"x\": 1 }\n}\n")
    #expect(
      try replace(text, with: #"{"a":1,"b":{"x":1,"y":[2]}}"#)
        == "{\n    \"a\": 1,\n    \"b\": { \"x\": 1, \"y\": [2] }\n}\n")
  }

  @Test func `a removed member takes its line along`() throws {
    let text = "{\n  \"a\": 1,\n  \"b\": [\n    1\n  ],\n  \"c\": 3\n}"
    #expect(try replace(text, with: #"{"b":[1],"c":3}"#) == "{\n  \"b\": [\n    1\n  ],\n  \"c\": 3\n}")
    #expect(try replace(text, with: #"{"a":1,"c":3}"#) == "{\n  \"a\": 1,\n  \"c\": 3\n}")
    #expect(try replace(text, with: #"{"a":1,"b":[1]}"#) == "{\n  \"a\": 1,\n  \"b\": [\n    1\n  ]\n}")
    #expect(try replace(text, with: #"{"a":1,"b":[],"c":3}"#) == "{\n  \"a\": 1,\n  \"b\": [],\n  \"c\": 3\n}")
    #expect(try replace(text, with: "{}") == "{}")
  }

  @Test func `moved members take their texts along`() throws {
    let text = "{\n  \"a\": 1.0,\n  \"b\":  [ 2 ],\n\n  \"c\" : 3\n}"
    #expect(
      try replace(text, with: #"{"c":3,"a":1.0,"b":[2]}"#) == "{\n\n  \"c\" : 3,\n  \"a\": 1.0,\n  \"b\":  [ 2 ]\n}")
    #expect(
      try replace(text, with: #"{"c":3,"a":1.0,"b":[2,4]}"#)
        == "{\n\n  \"c\" : 3,\n  \"a\": 1.0,\n  \"b\":  [ 2, 4 ]\n}")
  }

  @Test func `line endings and tabs are the document's`() throws {
    let text = "{\r\n\t\"a\": {\r\n\t\t\"b\": 1\r\n\t},\r\n\t\"e\": []\r\n}\r\n"
    #expect(
      try replace(text, with: #"{"a":{"b":1,"c":{"d":2}},"e":[{"f":3}]}"#)
        == "{\r\n\t\"a\": {\r\n\t\t\"b\": 1,\r\n\t\t\"c\": {\r\n\t\t\t\"d\": 2\r\n\t\t}\r\n\t},\r\n\t\"e\": [\r\n\t\t{\r\n\t\t\t\"f\": 3\r\n\t\t}\r\n\t]\r\n}\r\n"
    )
  }

  @Test func `an empty container is filled as its parent is laid out`() throws {
    #expect(
      try replace("{\n  \"a\": {}\n}", with: #"{"a":{"b":[1]}}"#)
        == "{\n  \"a\": {\n    \"b\": [\n      1\n    ]\n  }\n}")
    #expect(try replace("[\n  {\"a\": []}\n]", with: #"[{"a":[1, 2]}]"#) == "[\n  {\"a\": [1, 2]}\n]")
    #expect(try replace("{\n}\n", with: #"{"a":{}}"#) == "{\n  \"a\": {}\n}\n")
    #expect(try replace("{\n  \"a\": null\n}", with: #"{"a":[1]}"#) == "{\n  \"a\": [\n    1\n  ]\n}")
    #expect(try replace("{\n  \"a\": [1, 2]\n}", with: #"{"a":{"x":1}}"#) == "{\n  \"a\": {\"x\": 1}\n}")
  }

  @Test func `new elements look like their neighbours`() throws {
    let table = "[\n  {\"id\": 1, \"n\": \"a\"},\n  {\"id\": 2, \"n\": \"b\"}\n]"
    #expect(
      try replace(table, with: #"[{"id":1,"n":"a"},{"id":3,"n":"c"},{"id":2,"n":"b"}]"#)
        == "[\n  {\"id\": 1, \"n\": \"a\"},\n  {\"id\": 3, \"n\": \"c\"},\n  {\"id\": 2, \"n\": \"b\"}\n]")
    #expect(
      try replace("{\"l\": [{\n  \"a\": 1\n}]}", with: #"{"l":[{"a":1},{"b":2}]}"#)
        == "{\"l\": [{\n  \"a\": 1\n}, {\n  \"b\": 2\n}]}")
    #expect(try replace("[\n  1, 2,\n  3, 4\n]", with: "[1,2,3,4,5]") == "[\n  1, 2,\n  3, 4, 5\n]")
    #expect(
      try replace("{ \"a\": 1\n, \"b\": 2\n}", with: #"{"a":1,"b":2,"c":3}"#) == "{ \"a\": 1\n, \"b\": 2\n, \"c\": 3\n}"
    )
    #expect(
      try replace("{\n  \"a\": 1\n\n,\n\n  \"b\": 2\n}", with: #"{"a":1,"b":2,"c":3}"#)
        == "{\n  \"a\": 1\n\n,\n\n  \"b\": 2\n\n,\n  \"c\": 3\n}")
  }

  @Test func `elements are aligned, so that a change in the middle is a small one`() throws {
    let text =
      "[\n  {\"id\": 1,  \"done\": false},\n  {\"id\": 2,  \"done\": false},\n  {\"id\":  3, \"done\": false},\n  {\"id\": 4, \"done\": false}\n]\n"
    #expect(
      try replace(text, with: #"[{"id":1,"done":true},{"id":3,"done":false},{"id":9},{"id":4,"done":true}]"#)
        == "[\n  {\"id\": 1,  \"done\": true},\n  {\"id\":  3, \"done\": false},\n  {\"id\": 9},\n  {\"id\": 4, \"done\": true}\n]\n"
    )
  }

  @Test func `modified elements are paired between those that stay`() throws {
    #expect(
      try replace(#"[{"n":1, "s":  "x"}, 5, {"n":2, "s":   "y"}, 7]"#, with: #"[5,{"n":9,"s":"y"},7]"#)
        == #"[5, {"n":9, "s":   "y"}, 7]"#)
    #expect(
      try replace(#"[{"n":1, "s":  "x"}, 5, {"n":2, "s":   "y"}]"#, with: #"[{"n":1,"s":"z"},0,5,{"n":3,"s":"y"}]"#)
        == #"[{"n":1, "s":  "z"}, 0, 5, {"n":3, "s":   "y"}]"#)
  }

  @Test func `a document is formatted with two spaces and a final newline`() throws {
    let value = try JSONValue(parsing: #"{"a":[1.0,{"b":[]},{}],"c":"x"}"#)
    let document = JSONDocument(formatting: value)
    #expect(
      String(decoding: document.bytes, as: UTF8.self)
        == """
        {
          "a": [
            1.0,
            {
              "b": []
            },
            {}
          ],
          "c": "x"
        }

        """)
    #expect(try JSONDocument(parsing: document.bytes).value.isIdentical(to: value))
  }

  @Test func `values are located by path`() throws {
    let text = "\u{FEFF}{\"é\": [1, \"x\", {\"a/b\": null}],\n  \"strings\": [\"a\", \"b\"], \"\": { \"k\" : true } }"
    let document = try JSONDocument(parsing: text)
    let table: [([String], Int, Int, Int)] = [
      ([], 3, 1, 1), (["é"], 10, 1, 7), (["é", "0"], 11, 1, 8), (["é", "1"], 14, 1, 11),
      (["é", "2", "a/b"], 27, 1, 24), (["strings", "1"], 54, 2, 20), (["", "k"], 72, 2, 38),
    ]
    for (path, offset, line, column) in table {
      #expect(document.location(of: path) == JSONLocation(offset: offset, line: line, column: column), "\(path)")
    }
    for path in [["x"], ["é", "3"], ["é", "01"], ["é", "-1"], ["é", "0", "0"], ["strings", ""]] {
      #expect(document.location(of: path) == nil, "\(path)")
    }
  }

  @Test func `a change hundreds of levels deep leaves all the levels as they are`() throws {
    func text(_ leaf: Int) -> String {
      var text = "[\(leaf)\(String(repeating: ",\"element\"", count: 2_000))]"
      for level in 0..<400 { text = level % 2 == 0 ? "[0, \(text), 1]" : "{\"a\": \(text), \"b\": 2}" }
      return text
    }
    #expect(try replace(text(1), with: text(2)) == text(2))
  }

  @Test func `documents are parsed and changed from many tasks at once`() async throws {
    let document = try JSONDocument(parsing: "{ \"n\": 0 }")
    await withTaskGroup(of: String?.self) { group in
      for number in 0..<100 {
        group.addTask {
          guard let value = try? JSONValue(parsing: "{\"n\": \(number)}") else { return nil }  // seen as a nil below
          return String(decoding: document.replacingValue(with: value).bytes, as: UTF8.self) == "{ \"n\": \(number) }"
            ? "same" : nil
        }
      }
      for await result in group { #expect(result == "same") }
    }
  }
}
