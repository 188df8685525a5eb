import StateJSON
import StoreCore
import Synchronization

/// What a ``HotReload`` becomes once its store has started it.
final class HotReloadRuntime<State: Sendable, Action: Sendable>: Sendable {
  private typealias View = StoreReplicaView<State, Action>

  let options: ReplicatorOptions
  let problems: ProblemBoard
  let notices: NoticeBoard
  let timeout: Duration
  let claims = ClaimBoard()
  private let makeModel: @Sendable (@escaping Store<State, Action>.Reducer) -> TypedModel<State, Action>
  private let access: StoreAccess<State, Action>
  /// There is no replicator while the file is being joined.
  private let running = Mutex<(isStarted: Bool, replicator: Replicator?)>((false, nil))
  /// What the store does is recorded here from the instant on in which the mirror is started.
  let submissions: SubmissionQueue<State, Action>

  init(
    options: ReplicatorOptions, timeout: Duration, submissions: SubmissionQueue<State, Action>,
    access: StoreAccess<State, Action>,
    makeModel: @escaping @Sendable (@escaping Store<State, Action>.Reducer) -> TypedModel<State, Action>
  ) {
    self.options = options
    self.timeout = timeout
    self.submissions = submissions
    self.access = access
    self.makeModel = makeModel
    problems = ProblemBoard { event in
      guard case .occurred(let problem) = event else { return }
      // It names a file, and keys in it, which anybody may have chosen.
      StandardError.write("replicate: \(problem)".escapedForTerminalLine + "\n")
    }
    notices = NoticeBoard { $0.writeToStandardError() }
  }

  func start(_ store: Store<State, Action>) throws(Problem) {
    let model = makeModel(store.reducer)
    let view = View(
      store: store, model: model, submissions: submissions, problems: problems, notices: notices, claims: claims,
      sharedSize: options.sharedSize, access: access)
    // In one instant: an action is either part of the initial state or recorded.
    let initial = store.withState { state, _ in
      running.withLock { running in
        precondition(!running.isStarted, "a HotReload mirrors one store; make another one for another store")
        running.isStarted = true
      }
      submissions.open()
      return copy state
    }
    let actions = options.app.flatMap { TypedActions($0, model: makeModel(store.reducer), initial: initial) }
    let replicator = try Replicator(
      view: view, model: model, initial: initial, options: options, app: actions, signal: submissions.signal,
      timeoutAtExit: timeout)
    running.withLock { $0.replicator = replicator }
  }

  /// Whether it was another device's change after which the file has asked for something that it asks for now, as far as its versions
  /// tell.
  func isFromElsewhere(_ state: State, _ asks: (State) -> Bool) -> Bool {
    guard let path = try? SharedFile(path: options.replica.file, instance: options.replica.instance).resolvedPath,
      ShareAgreement.exists(for: path, stateFolder: options.stateFolder),
      // A log that can't be read tells of nobody else.
      let history = (try? VersionLog(of: path, in: options.stateFolder).history()) ?? nil
    else { return false }
    let model = makeModel { _, _ in }
    var value = history.value
    var first: Version?
    for entry in history.entries {
      var former = state
      // A version that can't be read tells nothing of what it asked for.
      let isReadable = (try? model.decode(JSONDocument(compact: value), into: &former)) != nil
      if isReadable, !asks(former) { break }
      first = entry.version
      value.takeBack(entry.undo)
    }
    return first.map { DeviceName.isMark($0.instance) } ?? false
  }

  func flush(within timeout: Duration) async throws {
    guard let replicator else { return }
    try await wait(for: replicator) { replicator.flush(within: timeout, completion: $0) }
  }

  /// Commits and ends; if that isn't possible in time, throws and goes on, so that it can be tried again.
  func close() async throws {
    guard let replicator else { return }
    try await flush(within: timeout)
    try await wait(for: replicator) { replicator.close(within: timeout, completion: $0) }
    problems.close()
    notices.close()
  }

  /// Closes on this thread, and says on standard error what could not be committed.
  func abandon() {
    guard let replicator else { return }
    replicator.closeAndWait(within: timeout) { [problems, notices] problem in
      if let problem { problems.post(.occurred(problem)) }
      problems.close()
      notices.close()
    }
  }

  private var replicator: Replicator? { running.withLock { $0.replicator } }

  private func wait(
    for replicator: Replicator, _ body: (@escaping @Sendable (Problem?) -> Void) -> Void
  ) async throws {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      let answer = replicator.attention.ask()
      body { problem in
        if let problem { continuation.resume(throwing: problem) } else { continuation.resume() }
        answer.give()
      }
      answer.lookOut()
    }
  }
}
