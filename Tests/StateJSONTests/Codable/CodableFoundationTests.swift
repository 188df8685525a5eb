import Foundation
import StateJSON
import Testing

/// Foundation's coders as the measure: what both encode is the same JSON.
@Suite struct CodableFoundationTests {
  struct Everything: Codable, Equatable {
    var url = URL(string: "https://example.org/a%20b?q=1#f")
    var date = Date(timeIntervalSinceReferenceDate: 12_345.678_9)
    var data = Data([0, 255, 16])
    var decimal = Decimal(string: "0.1")
    var uuid = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
    var double = 1e21
    var float: Float = 0.1
    var bool = true
    var text = "é \u{1F600} \"\\/\n"
    var optional: Int?
    var route = Route.details(id: 1, tab: nil)
    var dictionary = ["b": [1], "a": []]
    var numbered = [1: "x"]
    var cells = [Cell(x: 1): 2.5]
    var set: Set = [7]
    var tuple = [[Date(timeIntervalSinceReferenceDate: -1)]]
    var range = 1..<3
    var urls = [URL(string: "file:///a")]
    var dates = ["d": Date(timeIntervalSinceReferenceDate: 0)]
  }

  static let values: [any Codable & Equatable & Sendable] = [
    Everything(), [Everything()], 1, "a", 0.1, Float(16_777_217), Int8.min, UInt64.max, [Int?]([nil, 1]),
    Decimal(string: "12345678901234567890.123456789") ?? 0, Decimal(string: "-1e30") ?? 0, Decimal(0),
    Date(timeIntervalSinceReferenceDate: 1), Data(), URL(string: "relative/path") ?? URL(filePath: "/"),
    [Data([1, 2, 3])], [1.0, 1.5, 1e-7, 1e15, 1e16, 123_456_789.125], ["a": ["b": ["c": 1]]],
  ]

  @Test(arguments: values.indices)
  func `both encode the same JSON, and each reads the other's`(index: Int) throws {
    try compare(Self.values[index])
  }

  private func compare<T: Codable & Equatable>(_ value: T) throws {
    let ours = try JSONValueEncoder().encode(value)
    let theirs = try JSONEncoder().encode(value)
    #expect(try ours == JSONDocument(parsing: Array(theirs)).value)
    #expect(try JSONValueDecoder().decode(T.self, from: JSONDocument(parsing: Array(theirs)).value) == value)
    #expect(try JSONDecoder().decode(T.self, from: Data(ours.bytes())) == value)
  }

  @Test(arguments: ["0.1", "123456789012345678901234567890.12345678", "1e-20", "-5", "79228162514264337593543950335"])
  func `decimals keep every digit`(literal: String) throws {
    let decimal = try JSONValueDecoder().decode(Decimal.self, from: parsed(literal))
    #expect(decimal == Decimal(string: literal))
    #expect(try JSONValueEncoder().encode(decimal) == parsed(literal))
  }

  @Test func `decimals round what they can't hold, and refuse what is out of range`() throws {
    let long = "1." + String(repeating: "3", count: 60)
    #expect(try JSONValueDecoder().decode(Decimal.self, from: parsed(long)) == Decimal(string: long))
    #expect(try JSONValueDecoder().decode(Decimal.self, from: parsed("1E2")) == 100)
    #expect(
      decodingFailure([Decimal].self, "[1e400]")?.description == "at /0: expected a number, found the number 1e400")
  }

  @Test func `a decimal that is no number is an error`() {
    #expect(throws: EncodingError.self) { try JSONValueEncoder().encode([Decimal.nan]) }
  }

  @Test(arguments: [
    ("12", "at /0: expected a string with a URL, found the number 12"),
    (#""""#, #"at /0: expected a string with a URL, found the string """#),
  ])
  func `a URL is expected to be one`(text: String, message: String) {
    #expect(decodingFailure([URL].self, "[\(text)]")?.description == message)
  }

  @Test func `data and dates say what form they take`() {
    #expect(
      decodingFailure([Data].self, #"["?"]"#)?.description
        == #"at /0: expected a string in base64, found the string "?""#)
    #expect(
      decodingFailure([Date].self, #"["now"]"#)?.description == #"at /0: expected a number, found the string "now""#)
    #expect(decodingFailure([Decimal].self, "[null]")?.description == "at /0: expected a number, found null")
    struct State: Decodable { var since: Date }
    #expect(decodingFailure(State.self, "{}")?.description == "at /since: missing; expected a number")
  }

  @Test(arguments: [
    #"{"a":[1,-2.5,18446744073709551615,null,true,"x"],"b":{"c":{}}}"#, "[]", "3", "null", #""text""#, "-9e3",
  ])
  func `JSON values pass through Foundation's coders`(text: String) throws {
    let value = try parsed(text)
    let encoded = try JSONEncoder().encode(value)
    #expect(try JSONDocument(parsing: Array(encoded)).value == value)
    #expect(try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)) == value)
  }

  @Test func `Foundation's errors make sentences with pointers too`() throws {
    do {
      _ = try JSONDecoder().decode([[Int]].self, from: Data("[[1],[2,true]]".utf8))
      Issue.record("true is no integer")
    } catch {
      #expect(JSONDecodingError(error).pointer == JSONPointer(["1", "1"]))
      #expect(JSONDecodingError(error).code == .typeMismatch)
    }
  }
}
