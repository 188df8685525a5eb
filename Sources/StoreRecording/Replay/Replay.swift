import HotReload
import StoreCore
import Synchronization

/// A recording that is played to a store: everybody who listens sees what was to be seen then.
///
///     let replay = try Replay(Recording(contentsOf: "session.recording"), on: store)
///     try replay.step()
///     try await replay.play(speed: 10)
///
/// Each step reduces the recorded action, or takes over what came from outside, as a rebase with the cause `restore`: no
/// effect is started by it, no middleware sees an action, and an instance that mirrors the store sees a restored state. Then the
/// state is compared with the recorded one.
public final class Replay<State: Codable & Sendable, Action: Codable & Sendable>: Sendable {
  private struct Stage {
    var course: RecordedCourse<State, Action>
    var hasBegun = false
    /// How often somebody has begun to play or asked for a pause: who plays ends when another has.
    var round = 0

    /// Gives the store the state that the recording begins with, unless that was done.
    mutating func begin(_ state: inout State) -> Bool {
      if hasBegun { return false }
      hasBegun = true
      state = course.start
      return true
    }
  }

  private let store: Store<State, Action>
  private let stage: Mutex<Stage>

  /// Prepares a replay; the store stays as it is until the first step.
  ///
  /// - Throws: Where the recording is of a newer version, or the state that it begins with can't be decoded.
  public init(
    _ recording: Recording, on store: Store<State, Action>, schema: StateSchema = StateSchema()
  ) throws(RecordingError) {
    self.store = store
    stage = Mutex(Stage(course: try RecordedCourse(recording, schema)))
  }

  /// Until when to play.
  public enum End: Sendable {
    /// All there is.
    case end
    /// The step of this number has been taken.
    case step(Int)
    /// The recording has come to a time since its beginning.
    case time(Duration)
    /// An action has been reduced.
    case action(@Sendable (Action) -> Bool)
  }

  /// The step that comes next, or nil at the end.
  public var next: RecordingStep? { stage.withLock { $0.course.next } }

  /// How many steps were taken.
  public var position: Int { stage.withLock { $0.course.position } }

  /// Takes the next step, at once; the first time, the store gets the state that the recording begins with before.
  ///
  /// - Returns: whether there was one.
  /// - Throws: Where another state comes out than was recorded. The store has it then, and the next step goes on from
  ///   there.
  @discardableResult
  public func step() throws(ReplayMismatchError) -> Bool {
    var mismatch: ReplayMismatchError?
    var isTaken = false
    store.rebaseIfChanged(cause: .restore) { state, reduce in
      stage.withLock { stage in
        let isFirst = stage.begin(&state)
        guard stage.course.next != nil else { return isFirst }
        isTaken = true
        do throws(ReplayMismatchError) { try stage.course.advance(&state, reduce) } catch { mismatch = error }
        return true
      }
    }
    if let mismatch { throw mismatch }
    return isTaken
  }

  /// Takes steps as they follow one another in time, by the store's clock, until the end, a pause, or the end of the
  /// task.
  ///
  /// - Parameters:
  ///   - speed: How many times faster than it was; infinity waits for nothing.
  ///   - end: Until when.
  /// - Throws: Where another state comes out than was recorded, as ``step()``; `CancellationError`.
  public func play(speed: Double = 1, until end: End = .end) async throws {
    precondition(speed >= 0.000_001, "a replay goes forward, and a second of it takes no longer than a million")
    try await play(speed: speed, until: end, by: store.dependencies.clock)
  }

  private func play<C: Clock>(speed: Double, until end: End, by clock: C) async throws where C.Duration == Duration {
    store.rebaseIfChanged(cause: .restore) { state, _ in stage.withLock { $0.begin(&state) } }
    let (round, reached) = stage.withLock { stage in
      stage.round += 1
      return (stage.round, stage.course.reached)
    }
    let start = clock.now
    while let next, stage.withLock({ $0.round == round }) {
      if case .step(let number) = end, next.number > number { return }
      if case .time(let time) = end, next.at > time { return }
      try Task.checkCancellation()
      if speed.isFinite, next.at > reached {
        // From the beginning on, so that what a step takes delays none but itself.
        try await clock.sleep(until: start.advanced(by: (next.at - reached) / speed), tolerance: nil)
        if stage.withLock({ $0.round != round }) { return }
      }
      try step()
      let action = stage.withLock { $0.course.lastAction }
      if case .action(let isLast) = end, let action, isLast(action) { return }
    }
  }

  /// Lets ``play(speed:until:)`` take no further step: it returns when the next one is due. Another call goes on from there, also
  /// before.
  public func pause() { stage.withLock { $0.round += 1 } }
}
