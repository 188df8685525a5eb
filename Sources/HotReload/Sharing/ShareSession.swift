import Replication
import StateJSON

/// One process's part in the sharing of a file: whenever it is told to look, it says what was committed here, and brings in what
/// other devices did.
///
/// All of it is done under two locks: that of the records, which the processes of this device that look at the share take turns
/// with, and for as long as the file has to stay as it is, the file's own. Use it from one thread.
package final class ShareSession {
  let agreement: ShareAgreement
  private let options: ReplicatorOptions
  private let app: (any ActionReducer)?
  private let onNotice: @Sendable (Notice) -> Void
  private var journals: ShareJournals?
  private var log: ShareLog
  private let versions: VersionLog
  /// The file's value at the last look.
  private var home: JSONValue?
  /// Whether something else has been agreed meanwhile, so that this session must not go on.
  private(set) var isOutdated = false

  /// What a file with contents of its own means to a share that has some, too.
  package enum JoinPolicy: String, CaseIterable, Sendable {
    /// What only the file has is added; elsewhere the share's contents count.
    case merge
    /// The share's contents take the place of the file's, which stay in its history.
    case adopt
    /// The file's contents become the newest change of the share's.
    case overwrite
  }

  /// - Parameters:
  ///   - agreement: The file that is shared, and how.
  ///   - options: How the file is mirrored.
  ///   - app: What its actions come to; `nil` if they can't be reduced here.
  ///   - onNotice: Told of saves that were met with.
  package init(
    _ agreement: ShareAgreement, options: ReplicatorOptions, app: (any ActionReducer)? = nil,
    onNotice: @escaping @Sendable (Notice) -> Void
  ) {
    self.agreement = agreement
    self.options = options
    self.app = app
    self.onNotice = onNotice
    versions = VersionLog(of: agreement.file, in: options.stateFolder)
    log = ShareLog(
      of: agreement.file, stateFolder: options.stateFolder, places: HomePlaces(pointers: agreement.except))
  }

  /// Whether anything may have arrived, or been done to the file, since a process of this device looked. Takes no lock, and reads no
  /// journal.
  package func mayHaveNews() throws(Problem) -> Bool {
    try attempt { try !ShareJournals.isQuiet(agreement, stateFolder: options.stateFolder) }
  }

  /// The device as far as this process knows it, without having looked at anything else; and that the folder can be used.
  package func device() throws(Problem) -> Device {
    try attempt {
      _ = try ShareFolder(path: agreement.folder).journals()
      return try open().device
    }
  }

  /// Says what was committed, and brings in what others did.
  ///
  /// - Parameters:
  ///   - join: What the file's contents mean, where this device has never said anything of them.
  ///   - timeout: How long locks are waited for.
  /// - Returns: The device afterwards.
  /// - Throws: A problem with the folder, with what this device keeps, or with the file. Nothing is lost; it can be tried again.
  @discardableResult
  package func synchronise(join: JoinPolicy = .merge, within timeout: Duration) throws(Problem) -> Device {
    do {
      return try attempt {
        let deadline = MonotonicClock.now() + timeout.nanoseconds
        let lock = try ShareLock(agreement, stateFolder: options.stateFolder, until: deadline)
        defer { lock.release() }
        try checkAgreement()
        let journals = try open()
        try journals.catchUp()
        let unknown = try journals.unknownLabels()
        try journals.readFolder()
        let look = ShareJournals.look(of: agreement)
        let isChanged: Bool
        do {
          isChanged =
            try (unknown != nil || !tell(journals, until: deadline))
            && step(journals, join, besides: unknown, until: deadline)
        } catch {
          // Lines that were said before that can be shown all the same. If that fails too, the next look shows them.
          try? journals.publish()
          throw error
        }
        try journals.publish()
        try journals.noteLook(isChanged ? nil : look)
        return journals.device
      }
    } catch {
      // What it has made of the device may not be in its files.
      journals = nil
      throw error
    }
  }

  /// What is wrong with the journals of others, or with what they come to.
  package var faults: [String] {
    guard let journals else { return [] }
    return journals.damages.map(\.description) + journals.device.problems.map(\.description).sorted()
  }

  /// When something was last heard of each device, in milliseconds since 1970 by this machine's clock; as of the last look.
  package var heard: [String: Int64] { journals?.heard ?? [:] }

  /// Says that this device takes part no longer, after all that was committed, and ends what was agreed.
  ///
  /// - Returns: What kept it from saying so. It takes part no longer all the same.
  /// - Throws: When what was agreed can't be ended.
  package func end(within timeout: Duration) throws(Problem) -> Problem? {
    var problem: Problem?
    do throws(Problem) { try synchronise(within: timeout) } catch { problem = error }
    try attempt {
      // Held until nothing of it is there any more, so that nobody says anything after that. Where it can't be had, leaving goes before.
      let lock = try? ShareLock(
        agreement, stateFolder: options.stateFolder, until: MonotonicClock.now() + timeout.nanoseconds)
      defer { lock?.release() }
      if problem == nil {
        do throws(Problem) { try leave() } catch { problem = error }
      }
      try agreement.end(stateFolder: options.stateFolder)
    }
    return problem
  }

  private func leave() throws(Problem) {
    try attempt {
      let journals = try open()
      try journals.catchUp()
      try journals.say { (device) throws(LineFault) in try device.leave() }
      try journals.publish()
    }
  }

  /// Under the lock, so that nothing is told any more that must not be once that is agreed.
  private func checkAgreement() throws {
    if try ShareAgreement.current(for: agreement.file, stateFolder: options.stateFolder) == agreement { return }
    isOutdated = true
    throw SystemError(
      call: "share", errno: System.EAGAIN, path: agreement.file, detail: "how it is shared has just been changed")
  }

  private func open() throws -> ShareJournals {
    // Another folder may stand there than the one that is open.
    if let journals, try FileStatus(of: agreement.folder).identity == journals.folderIdentity { return journals }
    // A file that is missing, or can't be examined, is as private as can be.
    let permissions = (try? FileStatus(of: agreement.file).permissions) ?? 0o600
    let new = try ShareJournals(agreement, stateFolder: options.stateFolder, permissions: permissions)
    journals = new
    return new
  }

  // MARK: Under the file's lock

  /// Says what was committed, where nothing has arrived: then others needn't wait for more than that the log is read.
  ///
  /// What was committed must be said before what has arrived is taken, and what comes of that be brought in before anybody commits:
  /// so otherwise all is done under the file's lock.
  ///
  /// - Returns: Whether that is all that there is to do.
  private func tell(_ journals: ShareJournals, until deadline: UInt64) throws -> Bool {
    guard let exported = journals.device.exported, !journals.hasArrivals else { return false }
    var addition: ShareLog.Addition?
    var found: FoundDocument?
    try underLock(journals, until: deadline) { [self] in
      (addition, found) = (try log.addition(since: exported), $0)
      return nil
    }
    guard let found, let addition, let news = log.news(in: addition, until: found) else { return false }
    return try arrival(journals, news, .merge, isThere: true) == nil
  }

  /// Says what was committed, and brings in what others did; returns whether there was anything to bring in.
  private func step(
    _ journals: ShareJournals, _ join: JoinPolicy, besides unknown: [String]?, until deadline: UInt64
  ) throws -> Bool {
    // Nobody who commits has to wait for it. But what a device says first rests on what it had taken before.
    if journals.device.journal.count > 1 {
      let isHomeKnown = home != nil || places.pointers.isEmpty
      journals.prepare(for: isHomeKnown ? app(at: home) : nil)
    }
    var isChanged = false
    try underLock(journals, until: deadline) { [self] found in
      if let unknown { try goOn(journals, besides: unknown) }
      let news = try log.news(since: journals.device.exported, until: found)
      let arrival = try arrival(journals, news, join, isThere: found != nil)
      isChanged = arrival != nil
      return arrival
    }
    return isChanged
  }

  /// Goes on under another name, where its journal says more than the device knows: not with what it had said before what it keeps
  /// was set back.
  private func goOn(_ journals: ShareJournals, besides unknown: [String]) throws {
    var nothing: [LocalCommit] = []
    for label in unknown.reversed() where nothing.isEmpty {
      let news = try log.news(since: label)
      if news.isWhole { nothing = [LocalCommit(label: label, time: news.time, before: nil, after: nil)] }
    }
    try journals.beginAgain(saying: nothing)
    try journals.readFolder()
  }

  /// Calls while the file's lock is held and what stands there was read, and brings in what that returns.
  private func underLock(
    _ journals: ShareJournals, until deadline: UInt64,
    _ body: @escaping (_ found: FoundDocument?) throws -> ShareModel.Arrival?
  ) throws {
    var failure: (any Error)?
    let view = ShareView(onNotice: onNotice) {
      do { return try body($0) } catch {
        failure = error
        return nil
      }
    }
    var options = options
    options.watches = false
    options.completesLog = true
    options.replica.join = .create
    options.replica.instance = InstanceName.random()
    options.replica.author = DeviceName.mark(of: journals.unreadAuthors)
    let now = MonotonicClock.now()
    let timeout = Duration.nanoseconds(Int64(deadline > now ? deadline - now : 0))
    try Replicator.runAlone(
      view: view, model: ShareModel(places: places), initial: [:], options: options, log: versions, within: timeout)
    if let failure { throw failure }
    if let problem = view.failure {
      throw Problem(.cannotShare, file: options.replica.file, message: problem.message, errno: problem.errno)
    }
  }

  /// Says what was committed, and takes what others did; returns what is to be brought into the file, `nil` if it has that.
  private func arrival(
    _ journals: ShareJournals, _ whole: ShareLog.News, _ join: JoinPolicy, isThere: Bool
  ) throws -> ShareModel.Arrival? {
    let news = try whole.without(places)
    if journals.device.exported == nil {
      journals.take()
      try journals.say { (device) throws(LineFault) in
        try device.join(
          isThere ? news.value : nil, news.label ?? ShareLog.start, at: news.time, by: join, without: places)
      }
    } else {
      let commits = try commits(of: news, after: journals.device)
      if !commits.isEmpty { try journals.say { (device) throws(LineFault) in try device.export(commits) } }
    }
    home = whole.value
    try journals.say { (device) throws(LineFault) in try device.introduce(as: agreement.name) }
    journals.take()
    var standing: Set<LineID>?
    try journals.say { (device) throws(LineFault) in
      try device.respond(app: app(at: whole.value), at: ShareJournals.now) { id in
        // What can't be read now isn't there.
        if standing == nil { standing = (try? journals.standing()) ?? [] }
        return standing?.contains(id) == true
      }
    }
    let base = isThere ? news.value : nil
    guard !isThere || base != nil else {
      // What is to be brought in would take the place of what nobody has been told.
      throw SystemError(call: "share", errno: System.EIO, path: agreement.file, detail: "recent versions can't be kept")
    }
    guard let value = try places.removed(from: journals.document), value != base else { return nil }
    guard value.isNested(atMost: options.replica.limits.depth) else {
      throw SystemError(
        call: "share", errno: System.EINVAL, path: agreement.file,
        detail: "another device has nested it deeper than \(options.replica.limits.depth) levels")
    }
    return ShareModel.Arrival(base: base, value: value)
  }

  /// What is to be told of a log to those who know what a device has told.
  private func commits(of news: ShareLog.News, after device: Device) throws -> [LocalCommit] {
    guard news.isWhole else {
      // How the file came to be what it is can't be told, but what it is can.
      guard let value = news.value, let label = news.label else { return [] }
      return [LocalCommit(label: label, time: news.time, before: try told(by: device), after: value)]
    }
    guard let first = news.commits.first, first.before == nil, let told = try told(by: device) else {
      return news.commits
    }
    // The log was begun anew: it goes on from there.
    let commit = LocalCommit(
      label: first.label, time: first.time, before: told, after: first.after, actions: first.actions, size: first.size,
      sums: first.sums, app: first.app)
    return [commit] + news.commits.dropFirst()
  }

  private func told(by device: Device) throws -> JSONValue? { try places.removed(from: device.documentSaid()) }

  private var places: HomePlaces { HomePlaces(pointers: agreement.except) }

  /// The app, which finds at the places that stay here what the file has.
  private func app(at document: JSONValue?) -> (any ActionReducer)? {
    guard let app, !places.pointers.isEmpty else { return app }
    return HomeReducer(app: app, places: places, home: document)
  }

  // MARK: Problems

  private func attempt<Result>(_ body: () throws -> Result) throws(Problem) -> Result {
    do {
      return try body()
    } catch let error as Problem {
      throw error
    } catch let error as SystemError {
      throw .cannotShare(options.replica.file, error)
    } catch let error as HomePlaces.InList {
      throw Problem(
        .cannotShare, file: options.replica.file, message: "cannot share '\(options.replica.file)': \(error)")
    } catch {
      throw Problem(
        .cannotShare, file: options.replica.file,
        message: "cannot share '\(options.replica.file)': a change of it can't be said: \(error)")
    }
  }
}

extension Problem {
  /// What keeps a file from being shared, in the words of the system.
  static func cannotShare(_ file: String, _ error: SystemError) -> Problem {
    // What sharing itself refuses names the file already.
    let reason = error.call == "share" ? error.reason : "\(error)"
    return Problem(.cannotShare, file: file, message: "cannot share '\(file)': \(reason)", errno: error.errno)
  }
}

extension Device {
  /// Says what the file held when the device came to share it.
  fileprivate mutating func join(
    _ value: JSONValue?, _ label: String, at time: Int, by policy: ShareSession.JoinPolicy, without places: HomePlaces
  ) throws(LineFault) -> [JournalLine] {
    let known = try? places.removed(from: document)
    // Without a change, it says that nothing up to there is to be said.
    let nothing = LocalCommit(label: label, time: time, before: value, after: value)
    guard let value, known != value else { return try export([nothing], isReading: true) }
    switch policy {
    case .adopt where known != nil: return try export([nothing], isReading: true)
    case .overwrite where known != nil:
      return try export([LocalCommit(label: label, time: time, before: known, after: value)], isReading: true)
    case .merge, .adopt, .overwrite: return try seed(value, .contents, upto: label)
    }
  }
}
