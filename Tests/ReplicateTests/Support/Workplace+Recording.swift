import HotReload
import StateJSON
import StoreRecording
import TestSupport

@testable import replicate

extension Workplace {
  /// Starts to record a file, and waits until that is under way.
  func record(_ words: String..., from name: String = "f", into recording: String = "out") throws -> RunningCommand {
    let before = try? status(of: recording).identity
    let command = try start(["record", name, recording] + words)
    // One that was there already stays until there is another.
    try until("it records", by: command) { try self.status(of: recording).identity != before }
    try untilRecorded(0, in: recording, by: command)
    return command
  }

  /// Waits until so many steps are recorded.
  func untilRecorded(_ count: Int, in name: String = "out", by command: RunningCommand) throws {
    try until("\(count) steps", by: command) { try Recording(contentsOf: self.path(name)).steps.count >= count }
  }

  /// Ends what records, and returns what it recorded.
  func end(_ command: RunningCommand, in name: String = "out") throws -> Recording {
    command.signal(Signals.terminate)
    let end = try command.end()
    guard end.outcome == .signalled(Signals.terminate) else {
      throw RunningCommand.Overdue(description: "ended otherwise: \(Binary.Run(end))")
    }
    return try Recording(contentsOf: path(name))
  }

  /// Writes a recording of a file by hand: each text comes a second after the one before, told as a whole or by its patch
  /// alone.
  func writeRecording(of texts: String..., to name: String = "out", withTexts: Bool = true) throws {
    var lines = [#"{"recording":1,"program":"f","schema":0,"began":1795354242879,"step":0,"at":0,"text":"#]
    lines[0] += "\(JSONValue.string(texts[0]))}"
    for (number, text) in texts.enumerated().dropFirst() {
      let (old, new) = (try JSONValue(parsing: texts[number - 1]), try JSONValue(parsing: text))
      let whole = withTexts ? #""text":\#(JSONValue.string(text)),"# : ""
      lines.append(
        #"{"step":\#(number),"at":\#(number),"cause":"edit","patch":\#(JSONPatch(from: old, to: new).value),"#
          + #"\#(whole)"hash":"\#(new.recordingHash)"}"#)
    }
    lines.append(#"{"at":\#(texts.count),"end":true}"#)
    try write(lines.map { $0 + "\n" }.joined(), to: name)
  }
}
