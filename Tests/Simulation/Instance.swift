import HotReload
import StateJSON
import StoreCore

/// A replica at work on the simulated machine: `Driver` and its view, with the same intervals.
final class Instance {
  typealias Brain = Replica<DocumentModel>

  enum News: Comparable { case clean, afterQuiet, now }

  static let tick: UInt64 = 1_000_000_000
  static let ticksPerRead = 10
  static let housekeeping: UInt64 = 50_000_000
  static let firstPatience: UInt64 = 100_000_000
  static let farewell: UInt64 = 1_000_000_000
  static let quiet: UInt64 = 20_000_000
  static let quietLimit: UInt64 = 250_000_000
  /// Who waits longer is told when the lock is free.
  /// How long others may be kept from the lock by commits that follow each other.
  static let longestHold = SharedFile.longestHold
  static let longestLockPause: UInt64 = 20_000_000

  let name: String
  let world: World
  let process: Process
  let file: SimulatedFile
  var replica: Brain

  // What the view knows.
  private(set) var shown: JSONValue
  private var submitted: [DocumentModel.Action] = []
  /// Drained, and not acknowledged yet.
  private var unacknowledged: [String] = []
  private var acknowledgedEarly = 0
  /// The saves that are recorded as part of what is to come to stand.
  var announced: [ContentHash] = []
  /// What has come to stand, while that is yet to be noted.
  var unconfirmed: Brain.Record?

  // What the driver knows.
  private var timers: [Brain.Timer: UInt64] = [:]
  private var nextTick: UInt64
  private var ticks = 0
  private var writes: (first: UInt64, last: UInt64)?
  private var mailbox: [(time: UInt64, news: News)] = []
  private(set) var waitsForLock = false
  private var lockPause: UInt64 = 0
  private var hasRecovered = false
  private var nextHousekeeping: UInt64?
  private var hasNewActions = false
  private var isAskedToLeave = false
  private(set) var hasLeft = false

  // What the broken variants remember.
  private var lastSnapshot: Snapshot?
  private var lastWrite: UInt64?
  private var ownState: JSONValue?

  init(name: String, world: World) {
    self.name = name
    self.world = world
    process = Process(name, in: world)
    process.isMortal = true
    file = SimulatedFile(world: world, process: process, instance: name)
    shown = DocumentModel.initial
    replica = Brain(
      model: DocumentModel(), initial: DocumentModel.initial, options: ReplicaOptions(file: "f", instance: name))
    nextTick = world.now + Self.tick
  }

  var isAtRest: Bool { replica.isCommitted && replica.hasJoined && submitted.isEmpty && !file.hasDisplaced }

  // MARK: Called by others

  func submit(_ action: DocumentModel.Action) {
    world.note(process, "is given \(action.token)")
    world.judge.submitted(action)
    submitted.append(action)
    if world.plan.viewsApply { DocumentModel().apply(action, to: &shown) }
    hasNewActions = true
    process.rouse()
  }

  func hear(_ news: News, after delay: UInt64) {
    mailbox.append((world.now + delay, news))
    process.rouse(after: delay)
  }

  func leaveSoon() {
    isAskedToLeave = true
    process.rouse()
  }

  // MARK: The loop

  func run() async throws {
    while true {
      do {
        try await perform(replica.handle(.seen(try await firstLook())))
        break
      } catch is Refusal {}
    }
    while !isAskedToLeave {
      if hasNewActions {
        hasNewActions = false
        try await perform(replica.handle(.submitted))
      }
      try await wait(until: .max)
    }
    try await lookAfterLeftovers()
    try await leave()
    hasLeft = true
  }

  private func lookAfterLeftovers() async throws {
    guard file.needsRecovery else { return }
    hasRecovered = false
    try await perform(replica.handle(.leftovers))
  }

  /// A missing file may be about to come back where the folder has just been changed.
  private func firstLook() async throws -> Snapshot {
    let deadline = world.now + Self.firstPatience
    while true {
      let snapshot = try await file.read()
      guard case .missing = snapshot, world.now < deadline, world.now - world.lastChange < Self.firstPatience else {
        return snapshot
      }
      try await process.sleep(5_000_000)
    }
  }

  private func wait(until deadline: UInt64) async throws {
    if file.isResting, !hasNewActions || world.now - file.lockedSince >= Self.longestHold { try await endCommit() }
    var next = min(deadline, nextTick)
    if waitsForLock { next = min(next, world.now + lockPause + UInt64(world.random.below(50_000))) }
    if let writes { next = min(next, writes.last + Self.quiet, writes.first + Self.quietLimit) }
    for timer in timers.values { next = min(next, timer) }
    for letter in mailbox { next = min(next, letter.time) }
    if let nextHousekeeping { next = min(next, nextHousekeeping) }
    if hasNewActions || isAskedToLeave && deadline == .max { next = world.now }
    try await process.sleep(until: next)
    lockPause = min(lockPause * 2, Self.longestLockPause)
    if waitsForLock, try await file.tryLock() {
      waitsForLock = false
      try await perform(replica.handle(.locked))
    }
    try await noticeChanges()
    try await fireTimers()
  }

  private func noticeChanges() async throws {
    let now = world.now
    let news = mailbox.filter { $0.time <= now }.map(\.news).max() ?? .clean
    mailbox.removeAll { $0.time <= now }
    switch news {
    case .clean: break
    case .now:
      writes = nil
      return try await look()
    case .afterQuiet:
      writes = (writes?.first ?? now, now)
    }
    if let writes, now >= min(writes.last + Self.quiet, writes.first + Self.quietLimit) {
      self.writes = nil
      try await look()
    }
  }

  private func fireTimers() async throws {
    let now = world.now
    for (timer, instant) in timers.sorted(by: { ($0.value, "\($0.key)") < ($1.value, "\($1.key)") })
    where instant <= now {
      guard timers[timer] == instant else { continue }
      timers[timer] = nil
      world.note(process, "timer \(timer)")
      try await perform(replica.handle(.timer(timer)))
    }
    if let nextHousekeeping, nextHousekeeping <= now { try await keepHouse() }
    guard now >= nextTick else { return }
    nextTick = now + Self.tick
    ticks += 1
    if ticks.isMultiple(of: Self.ticksPerRead) { try await lookAfterLeftovers() }
    if ticks.isMultiple(of: Self.ticksPerRead) || file.examine() { try await look() }
  }

  private func look() async throws { try await perform([.look]) }

  private func keepHouse(includingSpare: Bool = false) async throws {
    do {
      for late in try await file.retireDisplaced(includingSpare: includingSpare) { try await takeIn(late) }
    } catch is Refusal {}
    nextHousekeeping = file.hasDisplaced ? world.now + Self.housekeeping : nil
  }

  private func leave() async throws {
    let deadline = world.now + Self.farewell
    repeat {
      try await keepHouse(includingSpare: true)
      guard file.hasDisplaced || waitsForLock else { break }
      try await wait(until: min(deadline, world.now + 5_000_000))
    } while world.now < deadline
    guard hasRecovered, !waitsForLock else { return }
    while try await !file.tryLock() {
      if world.now >= deadline { return }
      try await process.sleep(200_000)
    }
    do {
      try await file.close()
    } catch is Refusal {}
    try await file.unlock()
  }

  private func endCommit() async throws {
    if world.variant != .unlockUnconfirmed { try await confirmLate() }
    unconfirmed = nil
    try await file.unlock()
  }

  // MARK: Effects

  func perform(_ effects: [Brain.Effect]) async throws {
    var effects = effects[...]
    while let effect = effects.popFirst() {
      if let event = try await execute(effect) { effects += replica.handle(event) }
    }
  }

  private func execute(_ effect: Brain.Effect) async throws -> Brain.Event? {
    switch effect {
    case .look:
      return try await attempt(.cannotRead) { .seen(try await self.see()) }
    case .lock:
      waitsForLock = true
      lockPause = 10_000
      guard try await file.tryLock() else { return nil }
      waitsForLock = false
      return .locked
    case .read:
      return try await attempt(.cannotRead) { .read(try await self.readPatiently()) }
    case .drain:
      defer { submitted = [] }
      unacknowledged += submitted.map(\.token)
      return .drained(submitted, world.plan.viewsApply ? shown : nil)
    case .replace(let bytes, let hash, let expected):
      try await confirmLate()
      return try await attempt(.cannotWrite) { try await self.replace(bytes, hash, expected) }
    case .create(let bytes, let hash):
      return try await attempt(.cannotWrite) {
        let tokens = self.unacknowledged
        return try await self.file.create(with: bytes, stamp: self.stamp(hash, over: nil), tokens: tokens) == nil
          ? .changed : .replaced
      }
    case .swapBack(let contents):
      if world.variant == .noSwapBack { return .restored(try await file.read(), setAside: []) }
      return try await attempt(.cannotWrite) {
        let restored = try await self.file.swapBack(contents)
        return .restored(restored.now, setAside: restored.setAside)
      }
    case .recall(let waiver):
      try await confirmLate()
      return .recalled(try await recall(unless: waiver))
    case .record(let records):
      let confirmsLast = unconfirmed != nil && records.first?.predecessor?.hash == unconfirmed?.hash
      if !confirmsLast { try await confirmLate() }
      guard try await remember(records) else { return .notRecorded(records) }
      unconfirmed = nil
    case .confirm(let record):
      unconfirmed = record
      noteAnnounced()
      let isProved = file.swappedOut != nil && world.versions.announces(record.hash)
      if !world.plan.hasBursts || !isProved { try await confirmLate() }
    case .unrecord(let hashes):
      try await confirmLate()
      try await takeBack(hashes)
    case .withdraw(let record):
      try await withdraw(record)
    case .notify(let notice):
      world.note(process, "tells: \(notice.message)")
    case .expectMore(let contents):
      file.expectMore(of: contents)
    case .forget(let contents):
      do {
        try await file.ingested(contents)
      } catch is Refusal {}
    case .unlock:
      if world.plan.hasBursts, !isAskedToLeave { file.rest() } else { try await endCommit() }
      nextHousekeeping = world.now + (file.hasDisplaced ? Self.housekeeping : 2 * Self.housekeeping)
    case .publish(let publication):
      show(publication.state, submitted)
      ownState = publication.state
    case .acknowledge(let acknowledgement):
      acknowledge(acknowledgement)
    case .report(let problem):
      world.note(process, "reports \(problem)")
    case .resolve(let code):
      world.note(process, "resolves \(code)")
    case .rescue(let contents, let problem):
      world.note(process, "rescues \(contents.bytes.text.debugDescription): \(problem)")
      world.judge.rescued(contents.bytes)
      do {
        try await file.ingested(contents)
      } catch is Refusal {}
    case .setTimer(let timer, let delay):
      timers[timer] =
        world.now + UInt64(delay.components.seconds) * 1_000_000_000
        + UInt64(delay.components.attoseconds / 1_000_000_000)
    }
    return nil
  }

  private func attempt(_ code: Problem.Code, _ body: () async throws -> Brain.Event) async throws -> Brain.Event {
    do {
      return try await body()
    } catch let refusal as Refusal {
      return .failed(Problem(code, file: "f", message: "\(refusal)"))
    }
  }

  private func see() async throws -> Snapshot {
    if world.variant == .echoSuppressionByTime, let lastWrite, let lastSnapshot, world.now - lastWrite < 200_000_000 {
      _ = try await file.read()
      return lastSnapshot
    }
    let snapshot = try await file.read()
    lastSnapshot = snapshot
    return snapshot
  }

  private func readUnderLock() async throws -> Snapshot {
    if world.variant == .noRereadUnderLock, hasRecovered, let lastSnapshot { return lastSnapshot }
    let snapshot = try await file.read()
    lastSnapshot = snapshot
    if world.variant == .forgetOrphans {
      hasRecovered = true
      return snapshot
    }
    if hasRecovered, case .contents(let contents) = snapshot, !file.mayHaveOrphan(of: contents) { return snapshot }
    hasRecovered = true
    let recovered = try await file.recover()
    for known in recovered.evidence {
      switch known {
      case .stood(let hash): try await confirm(newestBeginningWith: hash)
      case .gaveWay(let hash): try await confirm(newestAfter: hash)
      }
    }
    for save in recovered.saves { try await takeIn(save) }
    return try await file.read()
  }

  /// Under the lock, who has never seen the file is as patient as at the first look.
  private func readPatiently() async throws -> Snapshot {
    let deadline = world.now + Self.firstPatience
    var snapshot = try await readUnderLock()
    while case .missing = snapshot, !replica.hasBase, world.now < deadline,
      world.now - world.lastChange < Self.firstPatience
    {
      try await process.sleep(5_000_000)
      snapshot = try await file.read()
    }
    return snapshot
  }

  private func takeIn(_ save: Contents) async throws {
    let origin = file.origin(of: save)
    try await perform(replica.handle(.late(.init(save: save, base: origin?.base, successor: origin?.successor))))
  }

  private func replace(_ bytes: [UInt8], _ hash: ContentHash, _ expected: Contents) async throws -> Brain.Event {
    var (bytes, hash, expected) = (bytes, hash, expected)
    switch world.variant {
    case .noRebase:
      guard world.plan.viewsApply || ownState != nil else { break }
      let state = world.plan.viewsApply ? shown : ownState ?? shown
      guard let document = try? JSONDocument(parsing: expected.bytes) else { break }
      bytes = document.replacingValue(with: state).bytes
      hash = ContentHash(bytes)
    case .noRereadUnderLock:
      // What it takes for unchanged, whatever it is.
      if case .contents(let contents) = try await file.read() { expected = contents }
    case .acknowledgeBeforeSwap:
      for token in unacknowledged { world.judge.acknowledged(token, at: world.now) }
    default: break
    }
    let replacement = try await file.replace(
      with: bytes, expecting: expected, stamp: stamp(hash, over: expected.hash), tokens: unacknowledged)
    lastWrite = world.now
    switch replacement {
    case .replaced(let contents):
      lastSnapshot = .contents(contents)
      return .replaced
    case .displaced(let contents, let now): return .displaced(contents, now: now)
    case .changed: return .changed
    case .missing: return .vanished
    }
  }

  private func stamp(_ hash: ContentHash, over predecessor: ContentHash?) -> Stamp {
    let instance = world.variant == .forgetOwnStamp ? "somebody" : name
    return Stamp(content: hash, predecessor: predecessor, instance: instance)
  }

  // MARK: The view

  private func show(_ state: JSONValue, _ actions: [DocumentModel.Action]) {
    world.judge.shown(state, by: name)
    shown = state
    guard world.plan.viewsApply else { return }
    for action in actions { DocumentModel().apply(action, to: &shown) }
  }

  private func acknowledge(_ acknowledgement: Brain.Acknowledgement) {
    let tokens = unacknowledged.prefix(acknowledgement.count)
    world.note(process, "acknowledges \(tokens.joined(separator: " "))")
    for token in tokens { world.judge.acknowledged(token, at: world.now) }
    unacknowledged.removeFirst(acknowledgement.count)
    ownState = acknowledgement.state
    // A view that applies actions itself shows them already.
    if !world.plan.viewsApply { show(acknowledgement.state, []) }
  }
}
