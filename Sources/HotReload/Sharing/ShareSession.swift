import Replication
import StateJSON

/// One process's part in the sharing of a file: whenever it is told to look, it says what was committed here, and brings in what
/// other devices did.
///
/// All of it is done under two locks: that of the records, which the processes of this device that look at the share take turns
/// with, and for as long as the file has to stay as it is, the file's own. Use it from one thread.
package final class ShareSession {
  let agreement: ShareAgreement
  let options: ReplicatorOptions
  let app: (any ActionReducer)?
  let onNotice: @Sendable (Notice) -> Void
  private var journals: ShareJournals?
  var log: ShareLog
  let versions: VersionLog
  /// The file's value at the last look.
  var home: JSONValue?
  /// Whether something else has been agreed meanwhile, so that this session must not go on.
  private(set) var isOutdated = false
  var copies = Copies()
  var declared = Declared()

  /// The copies that an engine made of the file, as they were found at this look.
  struct Copies {
    var found: [ConflictCopy] = []
    /// Those of them that nothing is to be said of any more.
    var told: [ConflictCopy] = []
    /// Why others can't be taken in.
    var faults: [String] = []
  }

  /// Saves and versions of the file that others are to be told, where it lies beside its journals.
  struct Declared {
    /// The versions that saves may have been made from, as of this look.
    var origins: SaveOrigins?
    /// Notices of saves that wait until it is clear that they were some.
    var held: [HeldNotice] = []
    /// Versions of instances that others aren't told, as nobody seems to have read them, by their hashes.
    var unnamed: [String: FileVersion] = [:]
  }

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
      of: agreement.file, stateFolder: options.stateFolder, form: agreement.form,
      places: HomePlaces(pointers: agreement.except))
  }

  /// Whether anything may have arrived, or been done to the file, since a process of this device looked. Takes no lock, and reads no
  /// journal.
  func mayHaveNews() throws(Problem) -> Bool {
    try attempt { try !ShareJournals.isQuiet(agreement, stateFolder: options.stateFolder) }
  }

  /// The device as far as this process knows it, without having looked at anything else; and that the folder can be used.
  package func device() throws(Problem) -> Device {
    try attempt {
      _ = try ShareFolder(of: agreement).journals()
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
        try readCopies()
        var look = ShareJournals.look(of: agreement)
        var isChanged: Bool
        do {
          isChanged =
            try (unknown != nil || !tell(journals, until: deadline))
            && step(journals, join, besides: unknown, until: deadline)
          if isChanged, agreement.form == .inside {
            // What was brought in is said at once: others may come upon it before anybody looks again.
            look = ShareJournals.look(of: agreement)
            isChanged = try step(journals, join, besides: nil, until: deadline)
          }
        } catch {
          // Lines that were said before that can be shown all the same. If that fails too, the next look shows them.
          try? journals.publish()
          throw error
        }
        try journals.publish()
        try journals.removeNeedlessCopies()
        try removeCopies(in: journals)
        tellHeld(knowing: journals.device)
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
    return journals.damages.map(\.description) + journals.device.problems.map(\.description).sorted() + copies.faults
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
      try agreement.end(isDeclined: true, stateFolder: options.stateFolder)
    }
    return problem
  }

  private func leave() throws(Problem) {
    try attempt {
      let journals = try open()
      try journals.catchUp()
      try journals.say { try $0.leave() }
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

  // MARK: Problems

  private func attempt<Result>(_ body: () throws -> Result) throws(Problem) -> Result {
    do {
      return try body()
    } catch let error as Problem {
      throw error
    } catch let error as SystemError {
      throw .cannotShare(options.replica.file, error)
    } catch let error as HomePlaces.InListError {
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
