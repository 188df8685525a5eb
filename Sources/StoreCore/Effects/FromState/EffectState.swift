/// What an effect is to do, and what became of it: a part of the state, so that it is saved, replicated and shown like
/// the rest.
///
///     struct Feed: Codable, Sendable {
///       var loading = EffectState(attempts: 3, backoff: .exponential(from: .seconds(1)))
///     }
///
/// Reducers change it, by its methods or by ``apply(_:)``; ``Store/effect(_:action:owner:id:claims:fileID:line:_:)`` does
/// what it says. It has no clock and no random identity: a counter tells one run from the next, so that every replay of
/// the same actions comes to the same state.
public struct EffectState: Sendable, Hashable {
  /// Where it stands.
  public enum Status: String, Sendable, Codable {
    /// It has never run, or was reset.
    case idle
    /// An attempt is to be made, is waited for, or is under way.
    case running
    /// The last run has succeeded.
    case succeeded
    /// The last run has failed; ``EffectState/failure`` says why.
    case failed
    /// The last run was cancelled.
    case cancelled
  }

  /// One attempt of one run.
  public struct Attempt: Sendable, Hashable, Codable, CustomStringConvertible {
    /// Which run, counted from 1.
    public var run: Int
    /// Which attempt in the run, counted from 1.
    public var attempt: Int

    /// Makes an attempt of its parts.
    public init(run: Int, attempt: Int) {
      self.run = run
      self.attempt = attempt
    }

    public var description: String { "\(run).\(attempt)" }
  }

  /// Where it stands.
  public internal(set) var status = Status.idle

  /// How many runs there have been, with the present one.
  public internal(set) var runs = 0

  /// The number of the last attempt in the last run, counted from 1; 0 if there was none.
  public internal(set) var attempt = 0

  /// How many attempts a run has.
  public var attempts: Int

  /// How long it waits between them.
  public var backoff: EffectBackoff

  /// Why the last attempt failed, unless it succeeded later.
  public internal(set) var failure: String?

  var delayInSeconds = 0.0

  /// Makes the state of an effect that has never run.
  ///
  /// - Parameters:
  ///   - attempts: How many attempts a run has.
  ///   - backoff: How long it waits between them.
  public init(attempts: Int = 1, backoff: EffectBackoff = .none) {
    self.attempts = attempts
    self.backoff = backoff
  }

  /// Whether a run is on.
  public var isRunning: Bool { status == .running }

  /// How long the present attempt waits before it starts.
  public var delay: Duration { .seconds(delayInSeconds) }

  /// The attempt that is to be made now, or nil if none is.
  public var current: Attempt? { isRunning ? Attempt(run: runs, attempt: attempt) : nil }

  /// Starts a run, unless one is on.
  public mutating func run() {
    if !isRunning { restart() }
  }

  /// Starts a run, in the place of the one that is on.
  public mutating func restart() {
    // A counter from a file may be any number.
    runs = runs &+ 1
    attempt = 1
    failure = nil
    delayInSeconds = 0
    status = .running
  }

  /// The attempt failed: makes another after the backoff, or fails if there are none left.
  public mutating func retryOrFail(with failure: String) {
    guard isRunning else { return }
    guard attempt < attempts else { return fail(with: failure) }
    delayInSeconds = backoff.delay(after: attempt)
    attempt += 1
    self.failure = failure
  }

  /// The attempt failed: makes another after the backoff, or fails if there are none left.
  public mutating func retryOrFail(with error: any Error) { retryOrFail(with: "\(error)") }

  /// Ends a run that is on; its task is cancelled.
  public mutating func cancel() { end(.cancelled) }

  /// Ends a run that is on, as it has succeeded.
  public mutating func succeed() {
    if isRunning { failure = nil }
    end(.succeeded)
  }

  /// Ends a run that is on, as it has failed, whatever attempts are left; or says why there is none, where none has been. What had an
  /// end already keeps it.
  public mutating func fail(with failure: String) {
    guard isRunning || status == .idle else { return }
    self.failure = failure
    status = .failed
    delayInSeconds = 0
  }

  /// Ends a run that is on, or says why there is none, as the form with a text does.
  public mutating func fail(with error: any Error) { fail(with: "\(error)") }

  /// Makes it as if it had never run, but for the counter.
  public mutating func reset() {
    status = .idle
    attempt = 0
    failure = nil
    delayInSeconds = 0
  }

  private mutating func end(_ status: Status) {
    guard isRunning else { return }
    self.status = status
    delayInSeconds = 0
  }
}
