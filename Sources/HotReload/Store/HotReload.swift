import StateJSON
import StoreCore

/// Mirrors a store's state in a JSON file, and the file in the store.
///
/// Each new state is written to the file, and what anybody saves there, another instance or an editor, becomes the
/// store's state, with the actions that are not in the file yet applied to it:
///
///     let store = try Store(App(), reducer: app, middleware: [HotReload(file: "app.json")])
///     store.dispatch(.add(5))
///     try await store.commit()  // it is in the file
///     try await store.close()   // … and nothing beside it
///
/// A return to an earlier state, such as time travel or a replay makes with a rebase whose cause is a restore, is mirrored
/// too: what it changed in the part that is mirrored is changed in the file. Other rebases stay in the store.
///
/// Dispatching never waits for the disk: the newest state follows within milliseconds. While the file is not valid JSON,
/// or can't be written, work goes on in memory and is committed when the cause is gone; ``StoreCore/Store/problems``
/// tells. Reducers must be pure: to commit on top of somebody else's change, actions are reduced again. Where the file has
/// more than 256 KB all of them are, so that nobody who dispatches has to copy a large state; but in the quarter of a second after
/// a change from outside, and at the first change of what isn't mirrored, he may copy an array or a dictionary once.
/// `Codable` conformances must be pure as well: parts of the file, and of the state, that are the same as before are neither
/// decoded nor encoded again.
///
/// A store that is dropped without ``StoreCore/Store/close()``, and a normal exit of the program, still commit, within
/// the `timeout`.
///
/// An effect that the state asks for, such as ``StoreCore/Store/effect(_:action:owner:id:claims:fileID:line:_:)``, is performed
/// by one of the instances of the file; when its process dies, another takes over. What it had sent by then and was not
/// in the file yet is lost with it, and the effect is performed again: at least once, and once where nobody dies.
public struct HotReload<State: Sendable, Action: Sendable>: ChangeListener, EffectClaims {
  private let runtime: HotReloadRuntime<State, Action>
  package let record: (@Sendable (Action) -> Void)?

  /// Mirrors the whole state.
  ///
  /// - Parameters:
  ///   - file: The path of the file; its folder must exist.
  ///   - join: What to do with a file that is there, or isn't.
  ///   - durability: What survives a power cut.
  ///   - externalEdits: What an editor's save does to changes that it was not made from.
  ///   - timeout: How long `commit()`, `close()` and the end of the program wait for the file.
  ///   - sharing: How the file is shared with other devices.
  ///   - recordsActions: Whether the log of versions says which actions made each, for `replicate blame` and `history`. Where the file
  ///     is shared it always does. It takes `Codable` actions, and makes commits a little slower.
  ///   - migrate: Makes the document of an older version one that the state can be decoded from. It never causes a
  ///     write; the next action does.
  @inlinable
  public init(
    file: String, join: JoinPolicy = .adopt, durability: Durability = .process,
    externalEdits: ExternalEditPolicy = .merge, timeout: Duration = .seconds(10), sharing: Sharing = Sharing(),
    recordsActions: Bool = false, migrate: (@Sendable (JSONValue) throws -> JSONValue)? = nil
  ) where State: Codable {
    self.init(
      file: file, replicating: \.self, join: join, durability: durability, externalEdits: externalEdits,
      timeout: timeout, sharing: sharing, recordsActions: recordsActions, migrate: migrate)
  }

  /// Mirrors a part of the state; the rest stays local to the instance.
  ///
  ///     let mirror = HotReload<App, AppAction>(file: "counter.json", replicating: \.counter)
  ///
  /// State effects of the rest are given to the store with `owner: .local`: other instances know nothing of them.
  @inlinable
  public init<Part: Codable & Sendable>(
    file: String, replicating part: any WritableKeyPath<State, Part> & Sendable, join: JoinPolicy = .adopt,
    durability: Durability = .process, externalEdits: ExternalEditPolicy = .merge, timeout: Duration = .seconds(10),
    sharing: Sharing = Sharing(), recordsActions: Bool = false,
    migrate: (@Sendable (JSONValue) throws -> JSONValue)? = nil
  ) {
    // Made here, where the app's types are known.
    let submissions = SubmissionQueue<State, Action>()
    self.init(
      file: file, replicating: part, join: join, durability: durability, externalEdits: externalEdits,
      timeout: timeout, sharing: sharing, recordsActions: recordsActions, migrate: migrate, submissions: submissions,
      record: { submissions.submit($0) },
      access: StoreAccess())
  }

  @usableFromInline
  init<Part: Codable & Sendable>(
    file: String, replicating part: any WritableKeyPath<State, Part> & Sendable, join: JoinPolicy,
    durability: Durability, externalEdits: ExternalEditPolicy, timeout: Duration, sharing: Sharing = Sharing(),
    recordsActions: Bool = false, migrate: (@Sendable (JSONValue) throws -> JSONValue)?,
    submissions: SubmissionQueue<State, Action>,
    record: @escaping @Sendable (Action) -> Void, access: StoreAccess<State, Action>,
    sharedSize: Int = 1 << 18
  ) {
    var options = ReplicatorOptions(
      replica: ReplicaOptions(
        file: file, instance: InstanceName.random(), join: join, externalEdits: externalEdits),
      durability: durability)
    options.sharedSize = sharedSize
    let app = sharing.appVersion
    options.app = app
    options.sharing = sharing
    options.replica.recordsActions = recordsActions
    runtime = HotReloadRuntime(
      options: options, timeout: timeout, submissions: submissions, access: access,
      makeModel: { reducer in
        TypedModel(file: file, part: part, migrate: migrate, app: app, sums: sharing.sums, reducer: reducer)
      })
    self.record = record
  }

  /// The name that this instance's changes carry in other instances, as ``StoreCore/Cause/instance``.
  public var instance: String { runtime.options.replica.instance }

  /// The problems that last at the moment.
  public var currentProblems: [Problem] { Array(runtime.problems.memory.values) }

  /// The problems that last now, then every beginning and end until the store is closed.
  public var problems: AsyncStream<ProblemEvent> { runtime.problems.events() }

  /// The newest notices, sixteen at most and oldest first, then each that comes until the store is closed.
  public var notices: AsyncStream<Notice> { runtime.notices.events() }

  public func start(_ store: Store<State, Action>) throws { try runtime.start(store) }

  public func changed(_ change: Change<State, Action>, state: borrowing State) {
    switch change.cause.kind {
    case .action: submit(change)
    case .instance, .device, .edit: runtime.submissions.submitChange()
    case .restore: submit(change, state)
    // A middleware that passes on what another store did may have causes of its own.
    default: submit(change)
    }
  }

  // Each apart, so that a change that comes from the file needn't look up their types.

  @inline(never)
  private func submit(_ change: Change<State, Action>) {
    if let action = change.action { runtime.submissions.submit(action) } else { runtime.submissions.submitChange() }
  }

  @inline(never)
  private func submit(_ change: Change<State, Action>, _ state: borrowing State) {
    guard change.action == nil, let before = change.before else { return submit(change) }
    runtime.submissions.submit(StateRestore(from: before, to: copy state))
  }

  /// Waits until every action dispatched so far is in the file.
  ///
  /// - Throws: A ``Problem`` with code ``Problem/Code/uncommitted`` that says how many are not, and why.
  public func flush() async throws { try await runtime.flush(within: runtime.timeout) }

  /// Waits, but not longer than this, until every action dispatched so far is in the file.
  ///
  /// - Throws: A ``Problem`` with code ``Problem/Code/uncommitted`` that says how many are not, and why.
  public func flush(within timeout: Duration) async throws { try await runtime.flush(within: timeout) }

  /// Commits, stops watching, and leaves nothing beside the file.
  ///
  /// - Throws: A ``Problem`` with code ``Problem/Code/uncommitted`` that says how many actions are not in the file.
  public func close() async throws { try await runtime.close() }

  public func abandon(state: borrowing State) { runtime.abandon() }

  public func claim(_ name: String, isOrigin: Bool, granted: @escaping @Sendable () -> Void) -> EffectClaim {
    runtime.claims.claim(name, isOrigin: isOrigin, granted: granted)
  }

  public func isFromElsewhere<Known>(_ state: Known, _ asks: (Known) -> Bool) -> Bool {
    // The state of a node is no other's.
    guard let state = state as? State else { return false }
    return runtime.isFromElsewhere(state) { ($0 as? Known).map(asks) ?? false }
  }
}

extension Store {
  /// The problems of all mirrored files that last now, then every beginning and end until the store is closed.
  ///
  /// Problems that nobody listens to are written to standard error.
  public var problems: AsyncStream<ProblemEvent> {
    joined(middleware(ofType: HotReload<State, Action>.self).map(\.problems))
  }

  /// What became of saves that were not taken as they are, and the like: for each mirrored file the newest notices, sixteen at
  /// most, then each that comes until the store is closed.
  ///
  ///     for await notice in store.notices { print(notice.message) }
  ///
  /// An instance tells what it has decided itself; what another one has decided, that one tells. Notices that nobody listens to
  /// are written to standard error.
  public var notices: AsyncStream<Notice> {
    joined(middleware(ofType: HotReload<State, Action>.self).map(\.notices))
  }
}

/// What comes of all, as it comes, until all have ended.
private func joined<Event: Sendable>(_ streams: [AsyncStream<Event>]) -> AsyncStream<Event> {
  if streams.count == 1 { return streams[0] }
  return AsyncStream { continuation in
    let task = Task {
      await withTaskGroup { group in
        for stream in streams {
          group.addTask { for await event in stream { continuation.yield(event) } }
        }
      }
      continuation.finish()
    }
    continuation.onTermination = { _ in task.cancel() }
  }
}
