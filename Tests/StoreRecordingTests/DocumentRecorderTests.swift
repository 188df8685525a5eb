import StateJSON
import StoreCore
import TestSupport
import Testing

@testable import StoreRecording

@Suite(.timeLimit(.minutes(10)))
struct `A recorder of a file` {
  let folder: TemporaryFolder
  private var path: String { folder.path("f.recording") }

  init() throws { folder = try TemporaryFolder() }

  /// Texts of which several mean the same.
  private static let texts = [
    #"{"a": 1, "b": [1, 2], "c": {"d": "e"}}"#, #"{ "a": 1, "b": [1, 2], "c": {"d": "e"} }"#,
    #"{"a": 1.0, "b": [1, 2], "c": {"d": "e"}}"#, #"{"b": [1, 2], "a": 1, "c": {"d": "e"}}"#,
    #"{"a": 1, "b": [1, 2], "c": {"d": "\u0065"}}"#, "{\r\n\t\"a\": 1,\r\n\t\"b\": [1, 2, 3]\r\n}\r\n",
    "\u{feff}{\"a\": 1}", "{\n  \"a\": 1,\n  \"b\": [\n    1,\n    2\n  ]\n}\n", "[]", " 17\n", #""雪 \u2028""#, "null",
    #"{"a": 1, "b": [1, 2, 3], "c": {"d": "e"}}"#, #"{"a": 2, "b": [1, 2, 3], "c": {"d": "e"}}"#,
  ]

  private func record(_ texts: [String]) throws {
    var recorder = try DocumentRecorder(path, program: "f.json")
    for text in texts { try recorder.note(JSONDocument(parsing: text), cause: .edit) }
    try recorder.end()
  }

  /// The texts that a recording leads through.
  private func texts(in recording: Recording) throws -> [String] {
    var moment = recording.beginning
    var moments = [moment]
    for (step, line) in zip(recording.steps, recording.lines) {
      try moment.follow(step, in: recording.file, line: line)
      moments.append(moment)
    }
    return moments.map { moment in
      guard case .text(let text) = moment else { return "no text" }
      return String(decoding: text.bytes, as: UTF8.self)
    }
  }

  @Test func `has every byte of every version, in any order`() throws {
    var random = SplitMix64(seed: 7)
    let versions = (0..<400).map { _ in random.pick(Self.texts) }
    try record(versions)
    let recording = try Recording(contentsOf: path)
    #expect(recording.problems == [])
    #expect(recording.isEnded)
    #expect(try texts(in: recording) == versions)
  }

  @Test func `tells a text as a whole only where it doesn't follow from the patch`() throws {
    try record([Self.texts[0], Self.texts[12], Self.texts[13], Self.texts[0], Self.texts[1]])
    let recording = try Recording(contentsOf: path)
    #expect(recording.header.program == "f.json")
    #expect(recording.steps.map(\.text) == [nil, nil, nil, Self.texts[1]])
    #expect(recording.steps[0].patch.value.description == #"[{"op":"add","path":"/b/2","value":3}]"#)
    #expect(recording.steps[3].patch.operations.isEmpty)
  }

  @Test func `goes on from a whole text where a line is missing`() throws {
    var writer = try RecordingWriter(
      .begin(path, limits: RecordingLimits(size: 2_000, archive: 0)), program: nil, schema: 0, began: 0,
      clock: { .zero }, beginning: .text(JSONDocument(parsing: #"{"n": 0, "m": 0}"#)))
    for number in 1...12 {
      let text = #"{"n": \#(number), "m": \#(min(number / 2, 1))}"#
      try writer.note(cause: .edit) { (.text(try JSONDocument(parsing: text)), nil) }
    }
    var lines = try folder.text(of: "f.recording").split(separator: "\n")
    let whole = try #require(lines.lastIndex { $0.contains(#""recording":1"#) })
    #expect((4...10).contains(whole))
    lines[2] = "{"
    let recording = try Recording(parsing: Array(lines.joined(separator: "\n").utf8) + [0x0a], file: "f")
    #expect(
      recording.problems.map(\.description) == [
        "f:3:2: unexpected end of input; expected a key or '}'", "f:4: expected step 2, but here is step 3",
      ])
    var moment = recording.beginning
    let fits = zip(recording.steps, recording.lines).map { step, line in
      (try? moment.follow(step, in: "f", line: line)) != nil
    }
    // The step before the whole text, and what comes after it.
    #expect(fits == recording.steps.map { $0.number == 1 || $0.number >= whole - 1 })
    #expect(moment.value == ["n": 12, "m": 1])
  }

  @Test func `doesn't repeat a whole text that is larger than the limit before as much was written otherwise`() throws {
    var file = try RecordingFile.begin(path, limits: RecordingLimits(size: 100, archive: 0))
    let whole = [UInt8](repeating: 0x20, count: 1_000)
    _ = try file.append(whole, .checkpoint)
    var count = 0
    while !file.needsCheckpoint {
      count += 1
      _ = try file.append([UInt8](repeating: 0x20, count: 50), .step)
    }
    #expect(count == 21)
    _ = try file.append(whole, .checkpoint)
    #expect(try folder.bytes(of: "f.recording").count == 1_000)
    let isLarge = file.needsCheckpoint
    #expect(!isLarge)
  }

  @Test func `says which recording can't be written, and why`() throws {
    let path = folder.path("no/f.recording")
    let failure = #expect(throws: RecorderError.self) { _ = try DocumentRecorder(path, program: "f") }
    let reason = "cannot open '\(folder.path("no"))': no such file or directory"
    #expect(failure?.description == "cannot record into '\(path)': \(reason)")
  }
}
