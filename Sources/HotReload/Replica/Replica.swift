import StateJSON
import StoreCore

/// The brain of replication: what an instance knows of the file, and what it does next.
///
/// A value without clock, thread or file. It holds the document last agreed on with the file (`base`) and the actions
/// since (`pending`); what the program sees is the pending actions applied to the base. To commit, it reads the file
/// under the lock; if that moved on, the new contents become the base and the pending actions are applied to them, like
/// a git rebase; then it replaces exactly what it read.
///
/// A driver carries out the instructions on a real file, a simulator on a simulated one; both feed the events back in order.
struct Replica<Model: ReplicaModel>: Sendable {
  /// A version of the file, and what it means. It never changes, and is shared instead of copied.
  final class Base: Sendable {
    /// The hash of the file's bytes.
    let hash: ContentHash
    /// When the file was modified last, if somebody saved it from outside.
    let saved: FoundTime?
    var isSave: Bool { saved != nil }
    /// How many bytes the file has.
    let size: Int
    /// What the file's bytes say; a migration may have made another document of it in `decoded`.
    let content: JSONDocument
    // What `decoded` has, so that the runtime needn't look up its layout.
    private let state: Model.State
    private let document: JSONDocument
    private let encoding: TypedDump?
    var decoded: Decoded<Model.State> { Decoded(state: state, document: document, encoding: encoding) }
    /// The value of the file's bytes.
    var value: JSONValue { content.value }

    init(hash: ContentHash, saved: FoundTime?, size: Int, content: JSONDocument, decoded: Decoded<Model.State>) {
      (self.hash, self.saved, self.size) = (hash, saved, size)
      self.content = content
      (state, document, encoding) = (decoded.state, decoded.document, decoded.encoding)
    }

    /// The same file, taken for something else.
    func meaning(_ decoded: Decoded<Model.State>) -> Base {
      Base(hash: hash, saved: saved, size: size, content: content, decoded: decoded)
    }
  }

  /// What is remembered of a version that isn't the base any more. Not its state, which the program may have as well, and changes in
  /// place.
  struct Former: Sendable {
    let hash: ContentHash
    let isSave: Bool
    let size: Int
    let content: JSONDocument
    var value: JSONValue { content.value }

    init(_ base: Base) { (hash, isSave, size, content) = (base.hash, base.isSave, base.size, base.content) }
  }

  enum Phase: Sendable {
    case idle
    /// Waiting for the lock.
    case locking
    /// Under the lock, from here on.
    case reading
    case reviewing(Review)
    /// With what was read, which is to be replaced.
    case draining(Snapshot)
    case writing(Write)
    case swappingBack(Problem, Contents)
  }

  /// A replacement under way.
  struct Write: Sendable {
    var hash: ContentHash
    var size: Int
    var content: JSONDocument
    var decoded: Decoded<Model.State>
    /// How many of the pending actions are part of it.
    var actions: Int
    var outcomes: [Model.Outcome]
    /// How many of the late saves are part of it.
    var late: Int
    /// What others had set where folded actions won.
    var lost: [LostValue] = []
    /// Whether one of the actions brought an earlier state back.
    var isRestore = false
    /// What is remembered of it; nothing if there is nothing to write.
    var record: Record?
    /// Whether that could be recorded.
    var isRecorded = true
  }

  /// A replacement that stands in the file already, but displaced a save that is to be taken in by the next one.
  struct Overtaking: Sendable {
    var write: Write
    var save: LateSave
    /// What it was before its actions, which are still pending and are to be applied to the save; none if it holds no
    /// pending actions, or is no version of its own.
    var ground: Ground?
    /// Whether a write before it stood in the file as well.
    var isFollowUp: Bool
  }

  /// What a write applied its actions to.
  enum Ground: Sendable {
    /// The version before it, or what the state was without one; `nil` if that can't be encoded.
    case predecessor(JSONDocument?)
    /// What a save, or a late one, had been merged to.
    case merge(hash: ContentHash, JSONValue)
  }

  /// A save was merged with what had been committed since its writer's version: the file must still get the result.
  struct Revision: Sendable {
    /// What had been committed where the save won.
    var lost: [LostValue]
    /// What the save would have taken back.
    var kept: KeptChanges?
    /// What is told once the result stands in the file.
    var notices: [Notice]
  }

  /// Why nothing is written at the moment.
  enum Obstacle: Sendable {
    /// The file's contents, until somebody changes them.
    case contents(Problem)
    /// This instance's state, until an action or a change of the file.
    case state(Problem)
    /// The system, until it is tried again.
    case system(Problem)
  }

  /// The file was there, and is no longer.
  enum Absence: Sendable {
    case momentary
    /// The grace is over, and one last look is under way.
    case overdue
    case deleted
  }

  /// Contents that wait to be believed: somebody was writing them, or they are incomplete.
  struct Unsettled: Sendable {
    var hash: ContentHash
    /// A file that is emptied again and again, each time to be filled, has not stayed the same.
    var status: FileStatus
    /// For how long they have stayed the same, at least.
    var age = Duration.zero
    /// How long that is to be when the timer is over.
    var awaitedAge: Duration?
  }

  /// What the program and others are to be told, and what is to be written.
  struct Outbox: Sendable {
    /// Drained actions that are not in the file yet.
    var actions: [Model.Action] = []
    /// What became of the actions before those, if these were too many.
    var patch: PendingPatch?
    var lateSaves: [LateSave] = []
    /// Whether more actions wait to be drained.
    var hasMore = false
  }

  /// What this instance brings to a file that it joins.
  struct Seeding: Sendable {
    /// The initial state is to be written although no action asks for it.
    var isDue = false
    /// Whether it was shown.
    var isDone = false
    /// Whatever stands at the path is to be replaced by it.
    var overwrites: Bool
  }

  /// Whether the file is there, and to be believed.
  struct Presence: Sendable {
    var absence: Absence?
    var wasSeen = false
    var unsettled: Unsettled?
  }

  /// What a commit has, and nothing outside of one.
  struct Commit: Sendable {
    var overtaking: Overtaking?
    /// The late save that is about to take the place of invalid contents.
    var mending: LateSave?
    var findings = Findings()
  }

  /// What is found out about versions under the lock, for as long as what was read stands at the path.
  struct Findings: Sendable {
    /// The recent versions, as far as they were asked for.
    var history: VersionHistory?
    /// The saves that are versions only as part of what they are merged to.
    var passing: [ContentHash] = []
    /// Those of them that are not recorded yet: that is done together with what they are part of, so that nobody who is
    /// killed in between leaves one that nothing comes of.
    var unrecorded: [Record] = []
  }

  /// What somebody's save means.
  struct Judgement: Sendable {
    /// The base was saved by somebody else, and what that means is not decided yet.
    var isAwaited = false
    /// What this instance has written or judged last.
    var last: ContentHash?
    /// What is still to come of it in the file.
    var revision: Revision?
  }

  /// What is not known for sure to be in the file, or among the versions.
  struct Doubts: Sendable {
    /// A write that seemed to fail, in case it did not.
    var write: Write?
    /// What is remembered of a write that turned out to stand in the file, and may be taken for one that never did.
    var record: Record?
    /// Versions that could not be recorded, oldest first, since this instance or another last could.
    var unkept: [Record] = []
  }

  /// What is in the way.
  struct Trouble: Sendable {
    var obstacle: Obstacle?
    /// How often the system has refused something since it last did not.
    var failures = 0
    var reported: [Problem.Code: Problem] = [:]
  }

  let model: Model
  let options: ReplicaOptions
  /// What the state is as long as there is no file; none any more once there has been a large one.
  private(set) var initial: Model.State?
  /// Whether versions are recorded with their actions: the file is shared with other devices, or the program wants it.
  var recordsActions: Bool

  // What is known of the file.
  var base: Base?
  /// The newest bases before this one, oldest first: late saves were made over them.
  var recent: [Former] = []
  /// How many versions are remembered at most, and how many bytes of text they may have together; one always is.
  static var recentLimit: (count: Int, size: Int) { (16, 1 << 20) }
  var presence = Presence()
  var judgement = Judgement()
  var doubts = Doubts()

  // What is to be done, each a value of its own.
  var outbox = Outbox()
  var seeding: Seeding
  var phase = Phase.idle
  var commit = Commit()
  /// Displaced saves that are part of the base, but not in the file yet.
  var taken: [Contents] = []
  var trouble = Trouble()
  /// The file may have changed while a commit was under way.
  var looksAgain = false
  /// Why the view shows something else than the pending actions applied to the base.
  var staleness: Cause?

  init(model: Model, initial: Model.State, options: ReplicaOptions) {
    self.model = model
    self.initial = initial
    self.options = options
    seeding = Seeding(overwrites: options.join == .overwrite)
    recordsActions = options.recordsActions
  }

  /// What actions are applied to, and what has no part in a document is kept from.
  var baseState: Model.State {
    guard let state = base?.decoded.state ?? initial else {
      preconditionFailure("there is a base, or there has never been one")
    }
    return state
  }
  /// Whether the file has been read, or found not to be there.
  var hasJoined: Bool { base != nil || presence.absence == .deleted }
  /// Whether everything drained is in the file.
  var isCommitted: Bool { pendingCount == 0 && outbox.lateSaves.isEmpty && !seeding.isDue }
  /// How many drained actions are not in the file yet.
  var pendingCount: Int { (outbox.patch?.count ?? 0) + outbox.actions.count }
  /// The value of the document that was last agreed on with the file.
  var document: JSONValue? { base?.value }
  /// Whether the view has been shown all that was read, and nothing waits to be believed.
  var isCurrent: Bool { staleness == nil && presence.unsettled == nil }
  /// Whether what is being written brings an earlier state back.
  var isRestoring: Bool {
    if case .writing(let write) = phase { write.isRestore } else { false }
  }
  /// Whose what is being written is.
  var author: String {
    if case .writing(let write) = phase, let record = write.record { return options.author(of: record.cause) }
    return options.instance
  }
  /// Why nothing is written at the moment.
  var obstacle: Problem? {
    switch trouble.obstacle {
    case .contents(let problem), .state(let problem), .system(let problem): problem
    case nil: trouble.reported[.missing]
    }
  }

  /// Lets the base's state share no memory with a program that has it as well and changes it in place, as far as that would have to
  /// be copied for long: see ``ReplicaModel/separated(_:above:)``.
  mutating func separate(above size: Int) {
    guard let base, base.size > size else { return }
    initial = nil
    var decoded = base.decoded
    decoded.state = model.separated(decoded, above: size)
    self.base = base.meaning(decoded)
  }

  /// Takes in what happened; returns what is to be done about it, in order.
  mutating func handle(_ event: Event) -> [Instruction] {
    switch event {
    case .started: [.look]
    case .submitted: submit()
    case .seen(let snapshot): see(snapshot)
    case .locked: resolve(.cannotLock) + underLock(.reading, .read)
    case .read(let snapshot): readUnderLock(snapshot)
    case .recalled(let recollection): recalled(recollection)
    case .notRecorded(let records): rememberUnkept(records)
    case .crowded: relieve()
    case .drained(let actions, let state): if case .idle = phase { foldAway(actions) } else { write(actions, state) }
    case .replaced: committed()
    case .displaced(let contents, let now): displaced(contents, now: now)
    case .vanished: vanish()
    case .changed: changed()
    case .restored(let snapshot, let setAside): restored(snapshot, setAside)
    case .leftovers: lookAfterLeftovers()
    case .late(let save): late(save)
    case .delayed(let problem): report(problem) + publishIfStale()
    case .failed(let problem): fail(problem)
    case .timer(let timer): expire(timer)
    }
  }
}
