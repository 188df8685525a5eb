import HotReload
import StoreCore

extension Recording {
  /// Reduces what was recorded with the reducer of today, and compares each state with the recorded one: a recording is
  /// a test.
  ///
  ///     try Recording(contentsOf: "Recordings/tuesday.recording").verify(with: app)
  ///
  /// What came from outside, such as an edit, is taken over as it was recorded.
  ///
  /// - Parameters:
  ///   - reducer: The reducer.
  ///   - schema: Which versions the program understands.
  /// - Returns: the last state.
  /// - Throws: ``ReplayMismatchError``, with the line where they part and what is different; ``RecordingLineError`` for a line that can't
  ///   be read; ``RecordingError``, where the recording is of a newer version, or its state can't be decoded.
  @discardableResult
  public func verify<State: Codable & Sendable, Action: Codable & Sendable>(
    with reducer: Reducer<State, Action>, schema: StateSchema = StateSchema()
  ) throws -> State {
    if let problem = problems.first { throw problem }
    var course = try RecordedCourse<State, Action>(self, schema)
    var state = course.start
    while course.next != nil { try course.advance(&state, reducer.reduce) }
    return state
  }
}
