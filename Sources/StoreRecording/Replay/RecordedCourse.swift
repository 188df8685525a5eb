import HotReload
import StateJSON
import StoreCore

/// The way through a recording, in the types of today.
struct RecordedCourse<State: Codable & Sendable, Action: Codable & Sendable>: Sendable {
  let recording: Recording
  private let schema: StateSchema
  /// The state that it begins with.
  let start: State
  /// How many steps were taken.
  private(set) var position = 0
  /// The action of the step that was taken last, if it was one.
  private(set) var lastAction: Action?
  /// The state as it was recorded.
  private var recorded: RecordedMoment

  /// - Throws: Where the recording is of a newer version, or its first state can't be decoded.
  init(_ recording: Recording, _ schema: StateSchema) throws(RecordingError) {
    do {
      try schema.refuse(recording.header.schema)
    } catch {
      throw RecordingError(.newer, "'\(recording.file)' can't be replayed: \(error)")
    }
    self.recording = recording
    self.schema = schema
    recorded = .state(recording.state)
    do {
      start = try Self.state(recording.state, recording.header.schema, schema)
    } catch {
      let versions = "of version \(recording.header.schema), can't be decoded in version \(schema.version)"
      let problem = RecordingLineError(
        file: recording.file, line: 1, message: "the state that it begins with, \(versions): \(error)")
      throw RecordingError(.undecodable, problem.description, problem: problem)
    }
  }

  /// The next step, if there is one.
  var next: RecordingStep? { position < recording.steps.count ? recording.steps[position] : nil }

  /// The time of the step that was taken last.
  var reached: Duration { position == 0 ? recording.header.at : recording.steps[position - 1].at }

  /// Takes the next step, from the state before it.
  ///
  /// - Throws: Where another state comes out than was recorded; the step is taken then. An action that can't be decoded leads
  ///   to the recorded state.
  mutating func advance(_ state: inout State, _ reduce: (inout State, Action) -> Void) throws(ReplayMismatchError) {
    guard let step = next else { return }
    lastAction = nil
    defer { position += 1 }
    do {
      try recorded.follow(step, in: recording.file, line: recording.lines[position])
    } catch {
      throw mismatch(error.message)
    }
    let expected: State
    do {
      expected = try Self.state(recorded.value, recording.header.schema, schema)
    } catch {
      throw mismatch("the state after step \(step.number) can't be decoded: \(error)")
    }
    guard let encoded = step.action else {
      state = expected
      return
    }
    let action: Action
    do {
      action = try schema.actions(encoded, recording.header.schema).decoded(as: Action.self)
    } catch {
      state = expected
      throw mismatch("the action of step \(step.number), \(encoded.shortened), isn't known: \(error)")
    }
    lastAction = action
    reduce(&state, action)
    try compare(state, with: expected, after: action, step)
  }

  private func compare(
    _ state: State, with expected: State, after action: Action, _ step: RecordingStep
  ) throws(ReplayMismatchError) {
    let (came, wanted): (JSONValue, JSONValue)
    do {
      (came, wanted) = (try JSONValue(encoding: state), try JSONValue(encoding: expected))
    } catch {
      throw mismatch("the state after step \(step.number) can't be encoded: \(error)")
    }
    if came == wanted { return }
    var difference = StateDifference(from: expected, to: state)
    // What a type says of itself may be the same for values that are not.
    if difference.isEmpty { difference = StateDifference(from: "\(wanted)", to: "\(came)") }
    throw mismatch(
      "step \(step.number), \(Readable.text(action)), leads to another state than was recorded", difference)
  }

  private func mismatch(_ message: String, _ difference: StateDifference? = nil) -> ReplayMismatchError {
    ReplayMismatchError(
      file: recording.file, line: recording.lines[position], step: recording.steps[position].number, message: message,
      difference: difference)
  }

  private static func state(_ value: JSONValue, _ version: Int, _ schema: StateSchema) throws -> State {
    try schema.states(value, version).decoded(as: State.self)
  }
}

extension JSONValue {
  /// As it is told in a message.
  fileprivate var shortened: String {
    let text = "\(self)"
    return text.count <= 80 ? text : text.prefix(79) + "…"
  }
}
