import HotReload
import StateJSON
import StoreCore

/// Writes down what becomes of a state, be it that of a store or of a file.
///
/// A line that can't be written is lost, and so the next one that can says the whole state.
struct RecordingWriter: ~Copyable {
  private var file: RecordingFile
  private let program: String?
  private let schema: Int
  private let began: Int64
  private let clock: @Sendable () -> Duration
  private var state: JSONValue
  private var number = 0
  /// Whether a line is missing before the next one.
  private var hasGap = true

  /// Begins a recording with a state.
  init(
    _ file: consuming RecordingFile, program: String?, schema: Int, began: Int64,
    clock: @escaping @Sendable () -> Duration, contents: RecordingHeader.Contents, state: JSONValue
  ) throws(SystemError) {
    self.file = file
    self.program = program
    self.schema = schema
    self.began = began
    self.clock = clock
    self.state = state
    try writeHeader(contents)
  }

  /// Writes down a change.
  ///
  /// - Parameters:
  ///   - cause: Where it came from.
  ///   - text: The text of the file from now on, where that doesn't follow from the patch.
  ///   - change: The state from now on, and the action that was reduced, if that is it.
  /// - Throws: Where that can't be encoded or written.
  mutating func note(
    cause: Cause, text: String? = nil, _ change: () throws -> (state: JSONValue, action: JSONValue?)
  ) throws {
    number += 1
    let wasGap = hasGap
    hasGap = true
    let (new, action) = try change()
    let patch = JSONPatch(from: state, to: new)
    state = new
    let contents = text.map { RecordingHeader.Contents.text($0) } ?? .state(state)
    if wasGap { return try writeHeader(contents) }
    let step = RecordingStep(
      number: number, at: clock(), cause: cause, action: action, patch: patch, text: text, hash: state.recordingHash)
    try file.append(RecordingLine.step(step).bytes, .step)
    hasGap = false
    if file.needsCheckpoint { try writeHeader(contents) }
  }

  /// Writes down that an action is about to be reduced.
  mutating func note(dispatched action: JSONValue, type: String) throws(SystemError) {
    let dispatch = RecordedDispatch(at: clock(), type: type, action: action)
    try file.append(RecordingLine.dispatched(dispatch).bytes, .remark)
  }

  /// Writes down that the recording ends in good order.
  mutating func end() throws(SystemError) {
    try file.append(RecordingLine.end(at: clock()).bytes, .remark)
  }

  private mutating func writeHeader(_ contents: RecordingHeader.Contents) throws(SystemError) {
    let header = RecordingHeader(
      program: program, schema: schema, began: began, step: number, at: clock(), contents: contents)
    try file.append(RecordingLine.header(header).bytes, .checkpoint)
    hasGap = false
  }
}
