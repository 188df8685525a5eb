import HotReload
import StateJSON
import StoreCore

/// What was recorded: a state, and the steps that led on from it.
///
///     let recording = try Recording(contentsOf: "session.recording")
///     for step in recording.steps { print(step.at, step.cause, step.patch) }
///
/// A file may be read while it is being written, and after its writer was killed: what comes after the last whole line
/// is left out. A line that can't be read is a problem, and the rest is read.
public struct Recording: Sendable {
  /// What it begins with.
  public let header: RecordingHeader
  /// The state that it begins with.
  public let state: JSONValue
  /// The steps, in order.
  public private(set) var steps: [RecordingStep] = []
  /// In which line of the file each step stands.
  public private(set) var lines: [Int] = []
  /// What was dispatched, and led to no step: the program died of it, or dropped it, or had not got there yet.
  public private(set) var dispatched: [RecordedDispatch] = []
  /// Whether it ended in good order.
  public private(set) var isEnded = false
  /// What is wrong with it.
  public private(set) var problems: [RecordingLineError] = []
  /// The file that it was read from.
  public let file: String

  /// Reads a file.
  ///
  /// - Throws: Where it can't be read, is no recording, or is one of a newer version.
  public init(contentsOf file: String) throws(RecordingError) {
    let bytes: [UInt8]
    do {
      bytes = try RecordingFile.contents(of: file)
    } catch {
      throw RecordingError(.unreadable, "\(error)")
    }
    try self.init(parsing: bytes, file: file)
  }

  /// Reads the text of a recording.
  ///
  /// - Parameters:
  ///   - bytes: The text; several recordings that go on from each other may stand in it, one after another.
  ///   - file: What it is called in messages.
  /// - Throws: Where it is no recording, or one of a newer version.
  public init(parsing bytes: [UInt8], file: String) throws(RecordingError) {
    self.file = file
    // What comes after the last line feed is no whole line.
    let texts = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
    do throws(RecordingLine.Refusal) {
      guard let first = texts.first else { throw .malformed("there is no whole line in it", column: nil) }
      guard case .header(let header) = try RecordingLine(parsing: Array(first)) else {
        throw .malformed("expected 'recording'", column: nil)
      }
      self.header = header
      state = try header.parsedState()
    } catch {
      throw Self.error(error, file)
    }
    var reader = Reader(header)
    for (line, text) in zip(2..., texts.dropFirst()) {
      do throws(RecordingLine.Refusal) {
        try reader.read(try RecordingLine(parsing: Array(text)), in: line)
      } catch {
        let (message, column) =
          switch error {
          case .newer(let format): ("it goes on in version \(format) of the format, which is newer", nil as Int?)
          case .malformed(let message, let column): (message, column)
          }
        problems.append(RecordingLineError(file: file, line: line, column: column, message: message))
      }
    }
    steps = reader.steps
    lines = reader.lines
    dispatched = reader.dispatched
    isEnded = reader.isEnded
  }

  private static func error(_ refusal: RecordingLine.Refusal, _ file: String) -> RecordingError {
    switch refusal {
    case .newer(let format):
      RecordingError(
        .newer,
        "'\(file)' was recorded in version \(format) of the format, and this program reads up to "
          + "\(RecordingHeader.format): update it")
    case .malformed(let message, let column):
      RecordingError(
        .noRecording, "'\(file)' is no recording: \(message)",
        problem: RecordingLineError(file: file, line: 1, column: column, message: message))
    }
  }

  /// The state after so many of the steps.
  ///
  /// - Throws: ``RecordingLineError`` with the first step that doesn't fit.
  public func state(after count: Int) throws(RecordingLineError) -> JSONValue {
    var moment = RecordedMoment.state(state)
    for index in 0..<count { try moment.follow(steps[index], in: file, line: lines[index]) }
    return moment.value
  }
}

extension RecordingHeader {
  /// The state, as JSON.
  func parsedState() throws(RecordingLine.Refusal) -> JSONValue {
    switch contents {
    case .state(let state): return state
    case .text(let text):
      do {
        return try JSONValue(parsing: text)
      } catch {
        throw .malformed("the text that it begins with is no JSON: \(error)", column: nil)
      }
    }
  }

  /// A step to the state, whatever was before.
  fileprivate func step(from cause: Cause) throws(RecordingLine.Refusal) -> RecordingStep {
    let state = try parsedState()
    var text: String?
    if case .text(let contents) = contents { text = contents }
    return RecordingStep(
      number: step, at: at, cause: cause, patch: JSONPatch([.replace(at: .root, with: state)]), text: text,
      hash: state.recordingHash)
  }
}

/// Puts together what stands in the lines.
private struct Reader {
  private var began: Int64
  private var number: Int
  private let schema: Int
  private(set) var steps: [RecordingStep] = []
  private(set) var lines: [Int] = []
  private(set) var dispatched: [RecordedDispatch] = []
  private(set) var isEnded = false
  /// Whether a step is missing since the state was last there as a whole.
  private var isBroken = false

  init(_ header: RecordingHeader) {
    began = header.began
    number = header.step
    schema = header.schema
  }

  mutating func read(_ line: RecordingLine, in place: Int) throws(RecordingLine.Refusal) {
    switch line {
    case .header(let header): try goOn(from: header, in: place)
    case .step(let step):
      // What was recorded twice, as the files that are put together overlap.
      if step.number <= number { return }
      let expected = number + 1
      add(step, in: place)
      if let action = step.action, let index = dispatched.lastIndex(where: { $0.action == action }) {
        dispatched.remove(at: index)
      }
      guard step.number == expected else {
        isBroken = true
        throw .malformed("expected step \(expected), but here is step \(step.number)", column: nil)
      }
    case .dispatched(let dispatch): dispatched.append(dispatch)
    case .end: isEnded = true
    }
  }

  /// The state once more, or one that the steps before don't lead to.
  private mutating func goOn(from header: RecordingHeader, in place: Int) throws(RecordingLine.Refusal) {
    if header.began == began && header.step <= number { return try rejoin(at: header) }
    let isAnother = header.began != began
    let whole = try header.step(from: .start)
    let missing = number + 1
    (began, isEnded, dispatched, isBroken) = (header.began, false, [], false)
    add(whole, in: place)
    if header.schema != schema {
      let versions = "version \(header.schema) of the state, and began with version \(schema)"
      throw .malformed("it goes on with \(versions); read the two apart", column: nil)
    }
    // The state is there that the last of them led to.
    if !isAnother, missing == header.step {
      throw .malformed("what led to step \(missing) is missing", column: nil)
    }
    if !isAnother {
      let steps = missing == header.step - 1 ? "step \(missing) is" : "steps \(missing) to \(header.step - 1) are"
      throw .malformed("\(steps) missing", column: nil)
    }
  }

  /// Steps that don't fit, as one before them is missing, end where the whole state is there again.
  private mutating func rejoin(at header: RecordingHeader) throws(RecordingLine.Refusal) {
    guard isBroken, header.step == number, let last = steps.last else { return }
    steps[steps.count - 1] = try header.step(from: last.cause)
    isBroken = false
  }

  private mutating func add(_ step: RecordingStep, in place: Int) {
    number = step.number
    steps.append(step)
    lines.append(place)
  }
}
