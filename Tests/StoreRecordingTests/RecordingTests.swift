import StateJSON
import StoreCore
import Testing

@testable import StoreRecording

/// Reading what a recording holds, whatever that is.
@Suite struct `A recording` {
  private static let header =
    #"{"recording":1,"schema":0,"began":5,"step":0,"at":0,"state":{"n":0}}"#

  private static func step(_ number: Int, _ n: Int, _ more: String = "") -> String {
    let state: JSONValue = ["n": .number(JSONNumber(n))]
    return """
      {"step":\(number),"at":\(number).5,"cause":"edit","patch":[{"op":"replace","path":"/n","value":\(n)}],\
      "hash":"\(state.recordingHash)"\(more)}
      """
  }

  private func read(_ lines: [String], end: String = "\n") throws(RecordingError) -> Recording {
    try Recording(parsing: Array((lines.joined(separator: "\n") + end).utf8), file: "r")
  }

  @Test func `has a state for each step`() throws {
    let recording = try read([Self.header, Self.step(1, 5), Self.step(2, 7), #"{"at":3,"end":true}"#])
    #expect(try recording.state(after: 0) == ["n": 0])
    #expect(try recording.state(after: 2) == ["n": 7])
    #expect(recording.steps.map(\.at) == [.milliseconds(1_500), .milliseconds(2_500)])
    #expect(recording.lines == [2, 3])
    #expect(recording.isEnded)
    #expect(recording.problems == [])
  }

  @Test func `leaves out what is torn at its end`() throws {
    let whole = Array((Self.header + "\n" + Self.step(1, 5) + "\n" + Self.step(2, 7) + "\n").utf8)
    let (first, second) = (Self.header.utf8.count + 1, Self.header.utf8.count + Self.step(1, 5).utf8.count + 2)
    for length in first..<whole.count {
      let recording = try Recording(parsing: Array(whole[..<length]), file: "r")
      #expect(recording.steps.count == (length < second ? 0 : 1))
      #expect(recording.problems == [])
    }
  }

  @Test(arguments: [
    ("?", "r:2:1: expected a value"),
    ("[]", "r:2:1: expected an object"),
    ("{}", "r:2: expected 'recording', 'patch', 'dispatched' or 'end'"),
    (#"{"patch":[]}"#, "r:2: expected a whole number at 'step', which is missing"),
    (#"{"step":-1,"patch":[]}"#, "r:2: expected a whole number at 'step'"),
    (#"{"step":9223372036854775807,"patch":[]}"#, "r:2: expected a whole number at 'step'"),
    (#"{"step":1,"at":-1,"patch":[]}"#, "r:2: expected seconds at 'at'"),
    (#"{"step":1,"at":1,"patch":[]}"#, "r:2: expected a string at 'cause', which is missing"),
    (
      #"{"step":1,"at":1,"cause":"x","patch":3}"#,
      "r:2: expected a patch at 'patch': a patch must be an array of operations"
    ),
    (step(3, 5), "r:2: expected step 1, but here is step 3"),
    (#"{"recording":9,"step":3}"#, "r:2: it goes on in version 9 of the format, which is newer"),
    (
      #"{"recording":1,"schema":0,"began":5,"step":3,"at":0,"state":{}}"#, "r:2: steps 1 to 2 are missing"
    ),
    (#"{"recording":1,"schema":0,"began":5,"step":2,"at":0,"state":{}}"#, "r:2: step 1 is missing"),
  ])
  func `says in which line what is wrong, and reads the rest`(line: String, message: String) throws {
    let recording = try read([Self.header, line, #"{"at":9,"end":true}"#])
    #expect(recording.problems.map(\.description) == [message])
    #expect(recording.isEnded)
  }

  @Test(arguments: [
    ("", "'r' is no recording: there is no whole line in it"),
    (#"{"recording":1"#, "'r' is no recording: there is no whole line in it"),
    ("x\n", "'r' is no recording: expected a value"),
    (#"{"n":0}"# + "\n", "'r' is no recording: expected 'recording', 'patch', 'dispatched' or 'end'"),
    (#"{"at":1,"end":true}"# + "\n", "'r' is no recording: expected 'recording'"),
    (
      #"{"recording":2}"# + "\n",
      "'r' was recorded in version 2 of the format, and this program reads up to 1: update it"
    ),
    (
      #"{"recording":1,"schema":0,"began":0,"step":0,"at":0,"text":"{"}"# + "\n",
      "'r' is no recording: the text that it begins with is no JSON: 1:2: unexpected end of input; expected a key or '}'"
    ),
  ])
  func `refuses what is none`(text: String, message: String) {
    let error = #expect(throws: RecordingError.self) { try Recording(parsing: Array(text.utf8), file: "r") }
    #expect(error?.message == message)
  }

  @Test func `says which step doesn't fit`() throws {
    var recording = try read([Self.header, Self.step(1, 5).replacing(#""path":"/n""#, with: #""path":"/gone/n""#)])
    var problem = #expect(throws: RecordingLineError.self) { try recording.state(after: 1) }
    #expect(problem?.description.hasPrefix("r:2: step 1 doesn't fit the state before it: ") == true)
    recording = try read([Self.header, Self.step(1, 5).replacing(#""value":5"#, with: #""value":6"#)])
    problem = #expect(throws: RecordingLineError.self) { try recording.state(after: 1) }
    #expect(problem?.description.hasPrefix("r:2: step 1 leads to a state with the hash ") == true)
  }

  @Test func `of another version of the state can't be read together with it`() throws {
    let other = Self.header.replacing(#""began":5,"#, with: #""began":6,"#)
      .replacing(#""schema":0"#, with: #""schema":2"#)
    #expect(
      try read([Self.header, other]).problems.map(\.description) == [
        "r:2: it goes on with version 2 of the state, and began with version 0; read the two apart"
      ])
  }

  @Test func `says that it doesn't know what led to a state`() throws {
    let next = Self.header.replacing(#""step":0"#, with: #""step":1"#)
    #expect(try read([Self.header, next]).problems.map(\.description) == ["r:2: what led to step 1 is missing"])
  }

  @Test func `of another run may follow`() throws {
    let other = Self.header.replacing(#""began":5"#, with: #""began":6"#).replacing(#"{"n":0}"#, with: #"{"n":100}"#)
    let recording = try read([Self.header, Self.step(1, 5), other, Self.step(1, 7)])
    #expect(recording.problems == [])
    #expect(try (0...3).map { try recording.state(after: $0) } == [["n": 0], ["n": 5], ["n": 100], ["n": 7]])
  }
}
