import Glibc
import StateJSON
import StoreCore
import Testing

@testable import HotReload

/// A model of plain documents whose actions add to a number.
struct SumModel: ReplicaModel {
  struct Add: Sendable {
    var key: String
    var amount: Int
  }

  func decode(_ document: JSONDocument, into state: inout JSONValue) throws(Problem) -> JSONDocument {
    guard case .object = document.value else {
      throw Problem(.undecodable, file: "state.json", message: "expected an object", line: 1, column: 1)
    }
    state = document.value
    return document
  }

  /// The sum, or `nil` where there is no number to add to.
  func apply(_ action: Add, to state: inout JSONValue) -> Int? {
    guard case .object(var object) = state, case .number(let old) = object[action.key],
      let sum = old.exactly(Int.self).map({ $0 + action.amount })
    else { return nil }
    object[action.key] = .number(JSONNumber(sum))
    state = .object(object)
    return sum
  }

  func isRefusal(_ outcome: Int?) -> Bool { outcome == nil }

  func recorded(_ action: Add, _ outcome: Int??) -> RecordedAction {
    guard case .some(.some) = outcome else { return .nothing }
    return .text(JSONValue.array([.string(action.key), .number(JSONNumber(action.amount))]).bytes(format: .compact))
  }

  func encode(_ state: JSONValue, over base: Decoded<JSONValue>?) throws(Problem) -> Decoded<JSONValue> {
    if case .object(let object) = state, object["poison"] != nil {
      throw Problem(.unencodable, file: "state.json", message: "poisoned")
    }
    let document = base.map { $0.document.replacingValue(with: state) } ?? JSONDocument(formatting: state)
    return Decoded(state: state, document: document)
  }
}

/// A replica with a file, a lock and timers made of values: carries out the replica's instructions, one after another.
struct ReplicaWorld {
  typealias Brain = Replica<SumModel>

  var replica: Brain
  /// What stands at the path.
  var file: Contents?
  /// Somebody else holds the lock.
  var isLocked = false
  /// The system refuses to write.
  var isFull = false
  /// The next swap is reported as failed.
  var failsAfterSwap = false
  var failsToSwapBack = false
  /// What an invalid save had to give way to before it stood again.
  var setAsideInstead: [Contents] = []
  /// What stands at the path when an invalid save was to be put back.
  var standsInstead: Contents?
  /// What was recorded together, each time.
  var recorded: [[Version.Cause]] = []
  /// The actions that were recorded with the newest version.
  var recordedActions: RecordedActions?
  /// Versions can't be recorded.
  var isForgetful = false
  /// Whether the recent versions can't be read.
  var failsToRecall = false
  /// What was displaced can't be kept beside the file.
  var losesDisplaced = false
  /// Done once, in the instant before the next swap.
  var beforeSwap: ((inout ReplicaWorld) -> Void)?
  var afterSwap: ((inout ReplicaWorld) -> Void)?

  /// What the instances remember of the file.
  var versions = VersionHistoryBuilder()
  var notices: [String] = []

  private let initial: JSONValue
  private(set) var holdsLock = false
  private var waitsForLock = false
  private var submitted: [SumModel.Add] = []
  private(set) var timers: [Brain.Timer: Duration] = [:]

  /// What subscribers saw, with the causes.
  var published: [(state: String, cause: Cause)] = []
  var outcomes: [Int?] = []
  var acknowledged = 0
  var problems: [Problem] = []
  var resolved: [Problem.Code] = []
  var rescued: [String] = []
  var forgotten: [String] = []
  var expected: [String] = []
  var writes = 0

  init(
    _ text: String?, join: JoinPolicy = .adopt, externalEdits: ExternalEditPolicy = .merge,
    initial: String = #"{"n":0}"#, publishesFormatting: Bool = false
  ) throws {
    var options = ReplicaOptions(
      file: "state.json", instance: "me", join: join, externalEdits: externalEdits)
    options.publishesFormatting = publishesFormatting
    self.initial = try JSONDocument(parsing: Array(initial.utf8)).value
    replica = Brain(model: SumModel(), initial: self.initial, options: options)
    if let text { save(text) }
    send(.started)
  }

  var text: String? { file.map { String(decoding: $0.bytes, as: UTF8.self) } }

  /// An editor saves.
  mutating func save(_ text: String, settled: Bool = true, at time: Int = 0) {
    file = Self.contents(text, settled: settled, at: time)
  }

  /// Another instance commits.
  mutating func commit(_ text: String, by instance: String) {
    let bytes = Array(text.utf8)
    let stamp = Stamp(content: ContentHash(bytes), predecessor: nil, instance: instance)
    file = Self.contents(text, stamp: stamp)
  }

  mutating func dispatch(_ key: String, _ amount: Int) {
    submitted.append(.init(key: key, amount: amount))
    send(.submitted)
  }

  /// The instance is killed, and another one joins.
  mutating func rejoin(judging: Bool = true) {
    var options = replica.options
    options.judgesAtJoining = judging
    replica = Brain(model: replica.model, initial: initial, options: options)
    send(.started)
  }

  /// The watcher notices.
  mutating func look() { perform([.look]) }

  mutating func fire(_ timer: Brain.Timer) {
    guard timers.removeValue(forKey: timer) != nil else { return }
    send(.timer(timer))
  }

  mutating func releaseLock() {
    isLocked = false
    guard waitsForLock else { return }
    (waitsForLock, holdsLock) = (false, true)
    send(.locked)
  }

  mutating func send(_ event: Brain.Event) { perform(replica.handle(event)) }

  private mutating func perform(_ instructions: [Brain.Instruction]) {
    var instructions = instructions
    while !instructions.isEmpty {
      let instruction = instructions.removeFirst()
      guard let event = execute(instruction) else { continue }
      let answer = replica.handle(event)
      if case .notRecorded = event {
        precondition(answer.isEmpty, "what comes after an instruction that fails is done all the same")
      } else {
        precondition(instructions.isEmpty, "only the last instruction may be answered")
        instructions = answer
      }
    }
  }

  private mutating func remember(_ record: Brain.Record) {
    // A log keeps a patch to what the version before it is taken to be.
    if let known = record.predecessor, known.hash == versions.newest?.hash {
      #expect(known.content.value == versions.value)
    }
    if let newest = versions.newest, versions.awaits(newest.hash) {
      let isSame = newest.hash == record.hash && record.cause != .merged
      if isSame && record.stands || newest.hash == record.predecessor?.hash {
        versions.confirm(newest.hash)
      } else if !isSame {
        versions.takeBack(newest.hash)
      }
    }
    guard versions.newest?.hash != record.hash else { return }
    let version = Version(hash: record.hash, time: 0, cause: record.cause, instance: "me")
    versions.append(version, whole: record.value, lost: record.lost, kept: record.kept, stands: record.stands)
  }

  private mutating func execute(_ instruction: Brain.Instruction) -> Brain.Event? {
    switch instruction {
    case .look: return .seen(file.map(Snapshot.contents) ?? .missing)
    case .lock:
      precondition(!holdsLock)
      if isLocked {
        waitsForLock = true
        return nil
      }
      holdsLock = true
      return .locked
    case .read:
      precondition(holdsLock)
      return .read(file.map(Snapshot.contents) ?? .missing)
    case .recall(let waiver):
      precondition(holdsLock)
      guard !failsToRecall, let history = versions.history else { return .recalled(.nothing) }
      if history.newest.hash == waiver.newest { return .recalled(.isNewest) }
      if let (former, patch) = waiver.apart, history.newest.hash == former.hash, !versions.awaits(former.hash),
        history.isApart(patch)
      {
        return .recalled(.isApart)
      }
      return .recalled(.history(history))
    case .record(let records):
      precondition(holdsLock)
      if isForgetful { return .notRecorded(records) }
      recorded.append(records.map(\.cause))
      recordedActions = records.last?.actions
      for record in records { remember(record) }
    case .confirm(let record):
      precondition(holdsLock)
      guard !isForgetful else { return .notRecorded([record]) }
      if versions.newest?.hash == record.hash {
        versions.confirm(record.hash)
      } else {
        let version = Version(hash: record.hash, time: 0, cause: record.cause, instance: "me")
        versions.append(version, whole: record.value, lost: record.lost, kept: record.kept)
      }
    case .unrecord(let hashes):
      for hash in hashes.reversed() { versions.takeBack(hash) }
    case .withdraw(let record):
      guard let known = record.predecessor, known.hash == versions.newest?.hash else { break }
      let version = Version(hash: record.hash, time: 0, cause: record.cause, instance: "me")
      versions.noteWithdrawn(version, JSONPatch(from: known.content.value, to: record.value))
    case .notify(let notice): notices.append(notice.message)
    case .drain:
      defer { submitted = [] }
      return .drained(submitted, nil)
    case .replace(let bytes, _, let expected):
      precondition(holdsLock)
      if isFull { return .failed(Problem(.cannotWrite, file: "state.json", message: "no space left on device")) }
      act(\.beforeSwap)
      guard let old = file else { return .vanished }
      writes += 1
      commit(String(decoding: bytes, as: UTF8.self), by: "me")
      act(\.afterSwap)
      if failsAfterSwap {
        failsAfterSwap = false
        return .failed(Problem(.cannotWrite, file: "state.json", message: "input/output error"))
      }
      guard let file, old.bytes != expected.bytes else { return .replaced }
      return .displaced(old, now: file)
    case .create(let bytes, _):
      act(\.beforeSwap)
      guard file == nil else { return .changed }
      writes += 1
      commit(String(decoding: bytes, as: UTF8.self), by: "me")
      return .replaced
    case .swapBack(let contents):
      if failsToSwapBack { return .failed(Problem(.cannotWrite, file: "state.json", message: "input/output error")) }
      if let file, file.stamp == nil { return .restored(.contents(file), setAside: losesDisplaced ? [] : [contents]) }
      file = standsInstead ?? contents
      return .restored(file.map(Snapshot.contents) ?? .missing, setAside: setAsideInstead)
    case .expectMore(let contents): expected.append(String(decoding: contents.bytes, as: UTF8.self))
    case .forget(let contents):
      precondition(holdsLock)
      forgotten.append(String(decoding: contents.bytes, as: UTF8.self))
    case .unlock:
      precondition(holdsLock)
      holdsLock = false
    case .publish(let publication): published.append((publication.state.description, publication.cause))
    case .acknowledge(let acknowledgement):
      outcomes += acknowledgement.outcomes
      acknowledged += acknowledgement.count
    case .report(.occurred(let problem)): problems.append(problem)
    case .report(.resolved(let code)): resolved.append(code)
    case .rescue(let contents, _): rescued.append(String(decoding: contents.bytes, as: UTF8.self))
    case .setTimer(let timer, let delay): timers[timer] = delay
    }
    return nil
  }

  private mutating func act(_ hook: WritableKeyPath<Self, ((inout Self) -> Void)?>) {
    let action = self[keyPath: hook]
    self[keyPath: hook] = nil
    action?(&self)
  }

  static func contents(
    _ text: String, settled: Bool = true, stamp: Stamp? = nil, at time: Int = 0, inode: ino_t = 0
  ) -> Contents {
    var status = stat()
    status.st_mtim.tv_nsec = time
    status.st_ino = inode
    let bytes = Array(text.utf8)
    return Contents(bytes: bytes, hash: ContentHash(bytes), status: FileStatus(status), stamp: stamp, settled: settled)
  }
}
