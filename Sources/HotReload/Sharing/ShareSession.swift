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
    log = ShareLog(of: agreement.file, stateFolder: options.stateFolder)
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
        try journals.readFolder()
        let look = ShareJournals.look(of: agreement)
        let isChanged = try step(journals, join, until: deadline)
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

  /// Says that this device takes part no longer, after all that was committed.
  package func leave(within timeout: Duration) throws(Problem) {
    try synchronise(within: timeout)
    try attempt {
      let lock = try ShareLock(
        agreement, stateFolder: options.stateFolder, until: MonotonicClock.now() + timeout.nanoseconds)
      defer { lock.release() }
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

  /// Returns whether anything was brought into the file.
  private func step(_ journals: ShareJournals, _ join: JoinPolicy, until deadline: UInt64) throws -> Bool {
    var failure: (any Error)?
    var isChanged = false
    let view = ShareView(onNotice: onNotice) { [self] in
      do {
        let arrival = try arrival(journals, join, isThere: $0)
        isChanged = arrival != nil
        return arrival
      } catch {
        failure = error
        return nil
      }
    }
    var options = options
    options.watches = false
    options.replica.join = .create
    options.replica.instance = InstanceName.random()
    options.replica.author = DeviceName.mark(of: journals.unreadAuthors)
    let now = MonotonicClock.now()
    let timeout = Duration.nanoseconds(Int64(deadline > now ? deadline - now : 0))
    try Replicator.runAlone(
      view: view, model: ShareModel(places: places), initial: [:], options: options, within: timeout)
    if let failure { throw failure }
    return isChanged
  }

  /// Says what was committed, and then takes what others did; returns what is to be brought into the file, `nil` if it has that.
  private func arrival(
    _ journals: ShareJournals, _ join: JoinPolicy, isThere: Bool
  ) throws -> ShareModel.Arrival? {
    let whole = try log.news(since: journals.device.exported)
    let news = try whole.without(places)
    if journals.device.exported == nil {
      journals.take()
      try journals.say { (device) throws(LineFault) in
        try device.join(isThere ? news.value : nil, news.label ?? ShareLog.start, at: news.time, by: join)
      }
    } else if news.isWhole {
      if !news.commits.isEmpty {
        try journals.say { (device) throws(LineFault) in try device.export(news.commits) }
      }
    } else if let value = news.value, let label = news.label {
      // The log doesn't go back that far: how the file came to be what it is can't be told, but what it is can.
      try journals.say { (device) throws(LineFault) in
        let commit = LocalCommit(label: label, time: news.time, before: device.document, after: value)
        return try device.export([commit])
      }
    }
    try journals.say { (device) throws(LineFault) in try device.introduce(as: agreement.name) }
    journals.take()
    var standing: Set<LineID>?
    try journals.say { (device) throws(LineFault) in
      try device.respond(app: app(at: whole.value), at: Int(MonotonicClock.now() / 1_000_000)) { id in
        // What can't be read now isn't there.
        if standing == nil { standing = (try? journals.standing()) ?? [] }
        return standing?.contains(id) == true
      }
    }
    let base = isThere ? news.value : nil
    guard let value = try places.removed(from: journals.document), value != base else { return nil }
    return ShareModel.Arrival(base: base, value: value)
  }

  private var places: HomePlaces { HomePlaces(pointers: agreement.except) }

  /// The app, which finds at the places that stay here what the file has.
  private func app(at document: JSONValue?) -> (any ActionReducer)? {
    guard let app, let document, !places.pointers.isEmpty else { return app }
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
    Problem(.cannotShare, file: file, message: "cannot share '\(file)': \(error)", errno: error.errno)
  }
}

extension Device {
  /// Says what the file held when the device came to share it.
  fileprivate mutating func join(
    _ value: JSONValue?, _ label: String, at time: Int, by policy: ShareSession.JoinPolicy
  ) throws(LineFault) -> [JournalLine] {
    let known = document
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
