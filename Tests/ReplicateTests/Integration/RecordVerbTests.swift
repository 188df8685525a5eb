import Glibc
import StateJSON
import StoreCore
import StoreRecording
import TestSupport
import TestThreads
import Testing

@testable import replicate

/// `record`: what becomes of a file, line by line.
@Suite(.ownThreads) struct RecordVerbTests {
  @Test func `every version is recorded with what it came from, and comes back byte by byte`() throws {
    let place = try Workplace("f", try Workplace.sample())
    let record = try place.record()
    let changes: [() throws -> Void] = [
      { _ = try place.run("increment", "f", "/show/viewers", "5") },
      { try place.save(place.text(of: "f").replacing(#""query": "café""#, with: #""query": "雪""#), to: "f") },
      // Only laid out anew.
      { try place.save(place.text(of: "f").replacing("    ", with: "\t").replacing("\n", with: "\r\n"), to: "f") },
      { _ = try place.run("set", "f", "/search/isOpen", "true") },
      { _ = try place.run("undo", "f") },
      { try place.write("\u{feff}[ 1.0 ]", to: "f") },
    ]
    var texts = [try place.text(of: "f")]
    for (number, change) in changes.enumerated() {
      try change()
      texts.append(try place.text(of: "f"))
      try place.untilRecorded(number + 1, by: record)
    }
    let recording = try place.end(record)
    #expect(recording.header.program == "f")
    #expect(recording.isEnded)
    #expect(recording.problems == [])
    #expect(recording.steps.map(\.cause.kind) == [.instance, .edit, .edit, .instance, .restore, .edit])
    #expect(recording.steps[0].cause.instance?.count == 8)
    #expect(recording.steps[2].patch.operations.isEmpty)
    #expect(zip(recording.steps, recording.steps.dropFirst()).allSatisfy { $0.at < $1.at })

    for (number, text) in texts.enumerated() {
      let words = ["replay", "--create", "--speed", "1000000", "--until", "\(number)", "out", "copy"]
      #expect(try place.run(words) == .silent)
      #expect(try place.text(of: "copy") == text)
    }
    #expect(try place.names == ["copy", "f", "out"])
  }

  @Test func `what was there when the signal came is recorded, also where nobody had seen it yet`() throws {
    let place = try Workplace("f", "0")
    for number in 1...20 {
      let record = try place.record()
      // So that it hears of both at once.
      record.signal(SIGSTOP)
      try place.save("\(number)", to: "f")
      record.signal(Signals.terminate)
      record.signal(SIGCONT)
      let recording = try place.end(record)
      #expect(try recording.state(after: recording.steps.count) == JSONValue(number))
    }
  }

  @Test(arguments: [Signals.interrupt, Signals.hangUp, Signals.quit])
  func `a signal ends it in good order`(signal: Int32) throws {
    let place = try Workplace("f", "1")
    let record = try place.record()
    record.signal(signal)
    let end = try record.end()
    #expect(end.outcome == .signalled(signal))
    #expect(end.messages == [])
    #expect(try Recording(contentsOf: place.path("out")).isEnded)
  }

  @Test func `it goes on when nobody reads its output any more`() throws {
    let place = try Workplace("f", "1")
    let record = try place.record()
    record.closeOutput()
    try place.save("2", to: "f")
    try place.untilRecorded(1, by: record)
    #expect(try place.end(record).steps.count == 1)
  }

  @Test func `an invalid file is reported, and recording goes on once it is mended`() throws {
    let place = try Workplace("f", "{")
    let record = try place.start("record", "f", "out")
    #expect(try record.message() == "f:1:2: unexpected end of input; expected a key or '}'")
    try place.save("{}", to: "f")
    #expect(try record.message() == "replicate: 'f' is valid JSON again")
    try place.untilRecorded(0, by: record)
    try place.save("{]", to: "f")
    #expect(try record.message() == "f:1:2: expected a key or '}'")
    try place.save("[]", to: "f")
    #expect(try record.message() == "replicate: 'f' is valid JSON again")
    let recording = try place.end(record)
    #expect(try recording.state(after: 1) == [])
  }

  @Test func `a file that is deleted is waited for`() throws {
    let place = try Workplace("f", "1")
    let record = try place.record()
    try place.remove("f")
    #expect(try record.message() == "replicate: 'f' was deleted; waiting for it to be made again")
    try place.write("2", to: "f")
    try place.untilRecorded(1, by: record)
    let recording = try place.end(record)
    #expect(try recording.state(after: 1) == 2)
  }

  @Test func `without a file nothing is recorded`() throws {
    let place = try Workplace()
    try place.writeRecording(of: "1", "2")
    let before = try place.text(of: "out")
    #expect(try place.run("record", "f", "out") == .failed(4, "replicate: there is no file 'f'\n"))
    #expect(try place.names == ["out"])
    #expect(try place.text(of: "out") == before)
  }

  @Test func `a recording that is there already is kept`() throws {
    let place = try Workplace("f", "3")
    try place.writeRecording(of: "1", "2")
    let before = try place.text(of: "out")
    _ = try place.end(place.record())
    #expect(try place.names == ["f", "out", "out.1"])
    #expect(try place.text(of: "out.1") == before)
    #expect(try Recording(contentsOf: place.path("out")).state == 3)
    #expect(try place.status(of: "out").permissions == 0o600)
  }

  @Test func `nobody records where another one does`() throws {
    let place = try Workplace("f", "1")
    let record = try place.record()
    let message = "another program is recording there; give each a file of its own"
    #expect(try place.run("record", "f", "out") == .failed(4, "replicate: cannot record into 'out': \(message)\n"))
    try place.save("2", to: "f")
    try place.untilRecorded(1, by: record)
    #expect(try place.end(record).problems == [])
    #expect(try place.names == ["f", "out"])
  }

  @Test(arguments: [
    ("f", "'f' is 'f' itself"), ("./f", "'./f' is 'f' itself"), ("g", "'g' is 'f' itself"),
    ("h", "'h.1' is 'f' itself"),
  ])
  func `a recording is no name of the file`(path: String, reason: String) throws {
    let place = try Workplace("f", "1")
    #expect(try place.shell("ln -s f g; ln f h.1") == .silent)
    let message = "replicate: \(reason); give the recording a file of its own\n"
    #expect(try place.run("record", "f", path) == .failed(2, message))
    #expect(try place.text(of: "f") == "1")
  }

  @Test(arguments: [
    ("no/out", "cannot open 'no': no such file or directory"),
    ("f/out", "cannot open 'f': not a directory"),
    ("d", "something else than a recording is there; give it another name, or remove that"),
    ("g", "something else than a recording is there; give it another name, or remove that"),
    ("d/", "cannot open 'd/': is a directory"),
  ])
  func `what can't be recorded into is refused`(path: String, reason: String) throws {
    let place = try Workplace("f", "1")
    try place.write("precious", to: "g")
    try place.makeFolder("d")
    let run = try place.run("record", "f", path)
    #expect(run == .failed(4, "replicate: cannot record into '\(path)': \(reason)\n"))
    #expect(try place.names == ["d", "f", "g"])
    #expect(try place.names(in: "d") == [])
  }

  @Test func `a recording that can't grow ends with 4, and is whole as far as it goes`() throws {
    let place = try Workplace("f", "\"\(String(repeating: "x", count: 20_000))\"")
    // Without its signal, the limit is an error like that of a full disk.
    let record = try RunningCommand(
      ["bash", "-c", #"trap "" XFSZ; exec "$0" record f out"#, Binary.path], in: place.path)
    try place.untilRecorded(0, by: record)
    // From here on, as a sanitizer has larger files at the start.
    let limiting = try Subprocess(command: ["prlimit", "--pid", "\(record.child)", "--fsize=32768"], environment: [:])
      .run(input: [], output: .inherited)
    #expect(limiting.outcome == .exited(0))
    try place.save(" " + place.text(of: "f"), to: "f")
    let run = try Binary.Run(record.end())
    #expect(run == .failed(4, "replicate: cannot record into 'out': file too large\n"))
    let recording = try Recording(contentsOf: place.path("out"))
    #expect(recording.steps.count == 0)
    #expect(recording.problems == [])
    #expect(try place.names == ["f", "out"])
  }
}
