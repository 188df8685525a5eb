import StateJSON
import StoreRecording
import Testing

@testable import replicate

@Suite struct RetellingTests {
  private static func text(_ text: String) throws -> RecordedMoment { .text(try JSONDocument(parsing: text)) }
  private static func state(_ text: String) throws -> RecordedMoment { .state(try JSONValue(parsing: text)) }

  /// What was recorded before and after a step, the file, and what it becomes.
  @Test(arguments: [
    (#"{"a":1}"#, #"{ "a": 2 }"#, #"{"a":1}"#, #"{ "a": 2 }"#),
    // Laid out in another way by somebody.
    (#"{"a":1}"#, #"{ "a": 2 }"#, "{\n\"a\": 1 }", "{\n\"a\": 2 }"),
    // Only laid out anew: nobody's change is undone for that.
    (#"{"a":1}"#, #"{ "a": 1 }"#, #"{"a":1,"b":1}"#, #"{"a":1,"b":1}"#),
    (#"{"a":1,"c":0}"#, #"{"a":2,"c":0}"#, #"{"a":1,"b":1,"c":5}"#, #"{"a":2,"b":1,"c":5}"#),
    (#"{"a":1}"#, #"{"a":2}"#, #"{"a":7}"#, #"{"a":2}"#),
    (#"{"a":1}"#, "{}", #"{"a":1,"b":1}"#, #"{"b":1}"#),
    ("[1]", "[1,2]", "[0,1]", "[0,1,2]"),
  ])
  func `a step is merged with what others did`(from: String, to: String, file: String, result: String) throws {
    let step = Retelling.step(from: try Self.text(from), to: try Self.text(to))
    let document = step.result(on: try JSONDocument(parsing: file))
    #expect(String(decoding: document.bytes, as: UTF8.self) == result)
  }

  @Test(arguments: [
    (#"{"a":1}"#, #"{ "a": 2 }"#, #"{ "a":1}"#, #"{ "a":2}"#),
    (#"{"a":1}"#, #"{"a":2}"#, #"{"a":1.0, "b": 1}"#, #"{"a":2, "b": 1}"#),
  ])
  func `a step of a store keeps the file's formatting`(from: String, to: String, file: String, result: String) throws {
    let step = Retelling.step(from: try Self.state(from), to: try Self.state(to))
    let document = step.result(on: try JSONDocument(parsing: file))
    #expect(String(decoding: document.bytes, as: UTF8.self) == result)
  }
}
