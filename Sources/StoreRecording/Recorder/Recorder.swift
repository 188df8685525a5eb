import HotReload
import StateJSON
import StoreCore
import Synchronization

/// A middleware that records what becomes of a store, into a file that outlives the program, whatever ends it.
///
///     let store = try Store(
///       App(), reducer: app, middleware: [Recorder("session.recording"), HotReload(file: "app.json")])
///
/// Each change is a line, written inside the store's lock: its cause, its time, the action if it was one, what it changed
/// in the state, and a hash. Each action is a line before it is reduced, too, so that one that the program dies of is known.
/// The file is bounded, and begins with a whole state, also when its older half has been cut off.
///
/// It records the state as it is encoded. What can't be encoded, or written, is said once on standard error, unless you
/// listen to it, and goes on being tried: the recording then says the whole state. Where it can't even be begun, as another
/// program records there or something else is, that is said, and the program does without. It never fails because of the
/// recording, and waits for the disk only as long as the system takes to take over a line.
///
/// The file is for its owner's eyes only, as it may hold whatever the state does; see ``Redaction``.
public final class Recorder<State: Codable & Sendable, Action: Codable & Sendable>: Middleware {
  private let path: String
  private let program: String?
  private let schema: Int
  private let limits: RecordingLimits
  private let redactions: [Redaction<State, Action>]
  private let began: Int64
  private let clock: @Sendable () -> Duration
  private let report: @Sendable (RecorderError) -> Void
  private let writer = Mutex<RecordingWriter?>(nil)
  private let isStarted = Atomic<Bool>(false)
  private let isFailing = Atomic<Bool>(false)

  /// Makes a recorder for one store.
  ///
  /// - Parameters:
  ///   - path: The file. One that is there is kept in the archive.
  ///   - program: What the recording calls the program.
  ///   - schema: The version of the state and the actions, for migrations: see ``StateSchema``.
  ///   - limits: How much is kept.
  ///   - redactions: What isn't told.
  ///   - report: Called once when something can't be recorded, until something can again; from inside the store's lock.
  public convenience init(
    _ path: String, program: String? = nil, schema: Int = 0, limits: RecordingLimits = RecordingLimits(),
    redacting redactions: [Redaction<State, Action>] = [],
    report: @escaping @Sendable (RecorderError) -> Void = RecorderError.print
  ) {
    let start = ContinuousClock.now
    self.init(
      path, program: program, schema: schema, limits: limits, redacting: redactions,
      began: WallClock.now(), clock: { ContinuousClock.now - start }, report: report)
  }

  init(
    _ path: String, program: String?, schema: Int, limits: RecordingLimits,
    redacting redactions: [Redaction<State, Action>], began: Int64, clock: @escaping @Sendable () -> Duration,
    report: @escaping @Sendable (RecorderError) -> Void
  ) {
    self.path = path
    self.program = program
    self.schema = schema
    self.limits = limits
    self.redactions = redactions
    self.began = began
    self.clock = clock
    self.report = report
  }

  public func start(_ store: Store<State, Action>) {
    let isFirst = !isStarted.exchange(true, ordering: .relaxed)
    precondition(isFirst, "a Recorder records one store; make another one for another store")
    // In one instant: a change is either part of the first state or recorded.
    store.withState { state, _ in
      do {
        let value = try JSONValue(encoding: redactions.redacted(copy state))
        try writer.withLock { writer in
          writer = try RecordingWriter(
            .begin(path, limits: limits), program: program, schema: schema, began: began, clock: clock,
            beginning: .state(value))
        }
      } catch {
        report(error as? RecorderError ?? RecorderError(file: path, reason: "\(error)"))
      }
    }
  }

  public func dispatch(_ action: Action, next: @escaping @Sendable (Action) -> Void) {
    // Before the lock is taken: how it is encoded is the program's own business.
    let value = Result { try encoded(action) }
    attempt { writer in
      try writer.note(dispatched: try value.get(), type: String(reflecting: Action.self))
    }
    next(action)
  }

  public func changed(_ change: Change<State, Action>, state: borrowing State) {
    let state = redactions.redacted(copy state)
    let values = Result { (try JSONValue(encoding: state), try change.action.map { try encoded($0) }) }
    attempt { writer in
      try writer.note(cause: change.cause) {
        let (state, action) = try values.get()
        return (.state(state), action)
      }
      isFailing.store(false, ordering: .relaxed)
    }
  }

  public func close() async throws { end() }

  public func abandon(state: borrowing State) { end() }

  private func end() {
    attempt { writer in try writer.end() }
    writer.withLock { $0 = nil }
  }

  private func encoded(_ action: Action) throws -> JSONValue {
    try JSONValue(encoding: redactions.redacted(action))
  }

  private func attempt(_ body: (inout RecordingWriter) throws -> Void) {
    let outcome = writer.withLock { writer -> Result<Void, any Error>? in
      guard var current = writer.take() else { return nil }
      let outcome = Result { try body(&current) }
      writer = consume current
      return outcome
    }
    if case .failure(let failure) = outcome {
      let reason = (failure as? SystemError)?.detail ?? "\(failure)"
      if !isFailing.exchange(true, ordering: .relaxed) { report(RecorderError(file: path, reason: reason)) }
    }
  }
}

/// Something could not be recorded.
public struct RecorderError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The file.
  public let file: String
  /// Why.
  public let reason: String

  /// `cannot record into 'FILE': REASON`.
  public var description: String { "cannot record into '\(file)': \(reason)" }

  /// Says it on standard error.
  public static let print: @Sendable (RecorderError) -> Void = {
    StandardError.write("\($0)".escapedForTerminalLine + "\n")
  }
}
