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
  /// What whoever reads the recording has by now.
  private var moment: RecordedMoment
  private var number = 0
  /// Whether a line is missing before the next one.
  private var hasGap = true

  /// Begins a recording with a state.
  init(
    _ file: consuming RecordingFile, program: String?, schema: Int, began: Int64,
    clock: @escaping @Sendable () -> Duration, beginning: RecordedMoment, at: Duration? = nil
  ) throws(SystemError) {
    self.file = file
    self.program = program
    self.schema = schema
    self.began = began
    self.clock = clock
    moment = beginning
    try writeHeader(at: at)
  }

  /// Writes down a change that was made now, or `at` another time: what is recorded from then on, and the action that was reduced, if
  /// that is it.
  mutating func note(
    cause: Cause, at: Duration? = nil, _ change: () throws -> (moment: RecordedMoment, action: JSONValue?)
  ) throws {
    number += 1
    let wasGap = hasGap
    hasGap = true
    let (new, action) = try change()
    var step = RecordingStep(
      number: number, at: at ?? clock(), cause: cause, action: action,
      patch: JSONPatch(from: moment.value, to: new.value),
      hash: new.value.recordingHash)
    moment = tell(new, by: &step)
    if wasGap { return try writeHeader(at: at) }
    let trouble = try file.append(RecordingLine.step(step).bytes, .step)
    hasGap = false
    if file.needsCheckpoint { try writeHeader(at: at) }
    if let trouble { throw trouble }
  }

  /// Writes down that an action is about to be reduced.
  mutating func note(dispatched action: JSONValue, type: String) throws(SystemError) {
    let dispatch = RecordedDispatch(at: clock(), type: type, action: action)
    let trouble = try file.append(RecordingLine.dispatched(dispatch).bytes, .remark)
    // Where all that is dispatched is dropped later on, there are no steps.
    if !hasGap, file.needsCheckpoint { try writeHeader() }
    if let trouble { throw trouble }
  }

  /// Writes down that the recording ends in good order.
  mutating func end() throws(SystemError) {
    _ = try file.append(RecordingLine.end(at: clock()).bytes, .remark)
    try file.checkPlace()
  }

  /// Gives a step the text where that doesn't follow from the patch; returns what whoever reads it has then.
  private func tell(_ new: RecordedMoment, by step: inout RecordingStep) -> RecordedMoment {
    guard case .text(let document) = new else { return new }
    // What can't be patched is told as a whole.
    if case .text(let told)? = try? moment.patched(by: step.patch), new.isHeld(by: told) { return .text(told) }
    step.text = String(decoding: document.bytes, as: UTF8.self)
    return new
  }

  private mutating func writeHeader(at: Duration? = nil) throws(SystemError) {
    let header = RecordingHeader(
      program: program, schema: schema, began: began, step: number, at: at ?? clock(), contents: moment.contents)
    let trouble = try file.append(RecordingLine.header(header).bytes, .checkpoint)
    hasGap = false
    if let trouble { throw trouble }
  }
}
