import HotReload
import StateJSON
import StoreRecording
import TerminalScreen

/// What `show` prints of a recording; a pure function of it.
struct RecordedTimeline {
  private let recording: Recording
  private let steps: ArraySlice<RecordingStep>

  /// The last steps of that many, or all.
  init(_ recording: Recording, count: Int? = nil) {
    self.recording = recording
    steps = recording.steps.suffix(count ?? recording.steps.count)
  }

  // MARK: For people

  /// A line for the recording, one for each step, one for each action that nothing followed, and one for the end.
  var lines: [String] {
    let rows = steps.map(Self.row) + recording.dispatched.enumerated().map(row)
    return [heading] + Self.aligned(rows) + [ending]
  }

  private var heading: String {
    let subject = recording.header.program.map { "\($0), recorded" } ?? "recorded"
    let start = recording.header.step > 0 ? ", from step \(recording.header.step) on" : ""
    return "\(subject) \(WallClock.localTime(milliseconds: recording.header.began))\(start)"
  }

  private var ending: String {
    recording.isEnded ? "ended in good order" : "not ended: it is still being recorded, or was cut short"
  }

  /// A step as a line of its own.
  static func line(_ step: RecordingStep) -> String { aligned([row(step)])[0] }

  private static func row(_ step: RecordingStep) -> [String] {
    ["\(step.number)", step.at.shown, step.cause.kind.rawValue, step.cause.instance ?? "", step.deed]
  }

  private func row(_ index: Int, _ dispatch: RecordedDispatch) -> [String] {
    // Others may have been dropped, or held back, long before the end.
    let isNewest = dispatch.at >= recording.steps.last?.at ?? .zero
    let isLast = index == recording.dispatched.count - 1 && isNewest && !recording.isEnded
    let end = isLast ? "nothing followed: the program ended here" : "nothing followed"
    let deed = "\(dispatch.type) \(dispatch.action.shown(columns: 80)), and \(end)"
    return ["-", dispatch.at.shown, "dispatched", "", deed]
  }

  /// Puts cells below one another: numbers and times end where those above do, and all else begins there.
  private static func aligned(_ rows: [[String]]) -> [String] {
    var widths = [0, 0, 8, 8]
    for row in rows {
      for index in widths.indices { widths[index] = max(widths[index], row[index].columns) }
    }
    return rows.map { row in
      let cells = zip(row, widths).enumerated().map { index, cell in
        let padding = String(repeating: " ", count: cell.1 - cell.0.columns)
        return index < 2 ? padding + cell.0 : cell.0 + padding
      }
      return (cells + [row[4]]).joined(separator: "  ")
    }
  }

  // MARK: For programs

  var report: JSONValue {
    JSONValue(present: [
      "file": .string(recording.file), "program": recording.header.program.map(JSONValue.string),
      "schema": JSONValue(recording.header.schema),
      "began": .string(WallClock.universalTime(milliseconds: recording.header.began)),
      "ended": .bool(recording.isEnded), "steps": .array(steps.map(\.report)),
      "dispatched": .array(recording.dispatched.map(\.report)),
      "problems": .array(recording.problems.map(\.report)),
    ])
  }
}

extension Duration {
  /// Seconds, rounded up to milliseconds, so that what is shown leads `--from` and `--until` behind the step.
  fileprivate var shown: String {
    let (seconds, attoseconds) = components
    let milliseconds = seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    let fraction = "\(milliseconds % 1000)"
    return "\(milliseconds / 1000).\(String(repeating: "0", count: 3 - fraction.count))\(fraction)s"
  }
}

extension RecordingStep {
  private static let shownPlaces = 4

  /// What was done: the action, or the places that were changed, with what is there now.
  fileprivate var deed: String {
    if let action { return action.shown(columns: 100) }
    let operations = patch.operations
    if operations.isEmpty { return text == nil ? "nothing changed" : "only the formatting changed" }
    var places = operations.prefix(Self.shownPlaces).map(\.shown)
    if operations.count > Self.shownPlaces { places.append("and \(operations.count - Self.shownPlaces) more") }
    return places.joined(separator: "  ")
  }

  fileprivate var report: JSONValue {
    JSONValue(present: [
      "step": JSONValue(number), "at": .seconds(at), "cause": .string(cause.kind.rawValue),
      "instance": cause.instance.map(JSONValue.string), "action": action,
      "changed": .array(patch.operations.map { .string("\($0.path)") }),
    ])
  }
}

extension JSONPatch.Operation {
  /// The place, and what became of it.
  fileprivate var shown: String {
    switch self {
    case .add(let value, _), .replace(_, let value), .test(_, let value): "\(path.shown) \(value.shown(columns: 40))"
    case .remove: "\(path.shown) removed"
    case .move(let from, _): "\(path.shown) moved from \(from)"
    case .copy(let from, _): "\(path.shown) copied from \(from)"
    }
  }
}

extension JSONValue {
  /// On one line, and no longer than that.
  fileprivate func shown(columns: Int) -> String { description.clipped(toColumns: columns) }
}

extension RecordedDispatch {
  fileprivate var report: JSONValue { ["at": .seconds(at), "type": .string(type), "action": action] }
}

extension RecordingLineError {
  fileprivate var report: JSONValue {
    JSONValue(present: [
      "line": JSONValue(line), "column": column.map { JSONValue($0) }, "message": .string(message),
    ])
  }
}
