import StateJSON

/// Performs a replica's effects on a real file, and tells it what happens there.
///
/// Everything here runs on one thread, where waiting for a lock or a disk holds up nobody else.
final class Driver {
  typealias Brain = Replica<AnyReplicaModel>

  /// How often a quiet file is examined, should a notification have been missed.
  static let tick: UInt64 = 1_000_000_000
  /// Every so many ticks the bytes are compared too, where size and times would hide a change.
  static let ticksPerRead = 10
  /// How often the file is read where nothing notifies of changes.
  static let blindTick: UInt64 = 250_000_000
  /// After so many ticks without an action it is looked whether those led to the same as in the program.
  static let ticksBeforeComparison = 10
  /// How long a file that is being written is read again and again before that is put off.
  static let moment: UInt64 = 30_000_000
  /// How long what another instance did may go unseen while this one waits for the lock to commit.
  static let longestUnseen: UInt64 = 150_000_000
  /// For how long the driver shares a large state with a program that got it from the file: to make one of its own takes three times as
  /// long as a change from outside, and there may be many.
  static let sharing: UInt64 = 250_000_000
  /// How often displaced files are looked into.
  static let housekeeping: UInt64 = 50_000_000
  /// How long those that somebody still writes to are waited for at the end.
  static let farewell: UInt64 = 1_000_000_000
  /// For how long a file that is missing at first may be about to come back.
  static let firstPatience: UInt64 = 100_000_000
  /// How long somebody is waited for at the start who has moved the file aside.
  static let longestStart: UInt64 = 10_000_000_000
  /// An action that follows the last commit within this time is one of many, most likely, and so long the lock is kept for the next
  /// one: what it costs to leave it to others and to get it back.
  static let pauseInBurst: UInt64 = 500_000
  /// The same where the lock had to be waited for: whoever dispatches has to wait for a processor then as well, most likely.
  static let burstGap: UInt64 = 2_000_000
  /// At first it is asked for again and again: mostly it comes before this thread could go to sleep and wake up.
  static let attentionInBurst: UInt64 = 50_000
  /// After so long a wait for the lock is reported.
  static let patience: UInt64 = 2_000_000_000

  let view: AnyReplicaView
  let options: ReplicatorOptions
  var replica: Brain
  let file: SharedFile
  let watcher: FileWatcher?
  let waker: Waker
  /// How the thread that works is woken.
  private(set) lazy var wakeUp = WakeUp()

  var timers: [Brain.Timer: UInt64] = [:]
  var nextTick: UInt64
  var ticks = 0
  /// At which of them what the replica reduced by itself is compared with what the view shows.
  var comparison: Int?
  /// The first and the last of the writes that have not been followed by a close.
  var writes: (first: UInt64, last: UInt64)?
  var lockWait: LockWait?
  /// Whether this thread does nothing but look after the file, so that the lock can be kept between two commits.
  var isRunning = false
  /// When the last commit ended, and whether the next is expected to follow at once.
  var lastCommit: UInt64 = 0
  var isInBurst = false
  /// Whether whoever waits for these commits is on the processor of this thread.
  var crowding = Crowding()
  /// Whether the lock had to be waited for in the kernel's queue the last time.
  var isContended = false
  var lockWaiter: LockWaiter?
  /// Whether what killed instances left was looked after.
  var hasRecovered = false
  /// What this place does not allow, as last reported.
  var weaknesses: [Problem.Code: String] = [:]
  /// The kind of file system that a folder is on; `nil` for one of which that can't be told.
  var place: (folder: FileIdentity, kind: FileSystemKind?)?
  /// Why displaced files, and those that killed instances left, could not be looked after lately.
  var housekeepingFailure: SystemError?
  /// Why the last burst of commits may not survive a power cut.
  var flushFailure: SystemError?
  /// Whether the file had another name, a hard link, that was left behind.
  var hasPartedNames = false
  /// The recent versions of what the path means now.
  var versions: (path: String, log: VersionLog)?
  /// How the file is shared with other devices; `nil` if it isn't, as far as this instance knows.
  var shareForm: ShareForm? {
    didSet { replica.recordsActions = shareForm != nil || options.replica.recordsActions }
  }
  /// Why it can't be told, or not be brought about, that the file is shared, as last reported. It is tried again on the next tick.
  private var sharingFailure: Problem?
  /// The journals beside the file, and the file, as they were looked at last; only as long as it isn't shared.
  var invitationLook: InvitationLook?
  /// The last notice about them.
  var invitation: Notice?
  /// The version that was recorded last, if its file is to be known by its time.
  var recorded: Version?
  /// What has come to stand in the file, while that is yet to be noted among them: see ``confirmLate()``.
  var unconfirmed: Brain.Record?
  /// Why the recent versions can't be kept.
  var versionsFailure: SystemError?
  /// Whether this is an instance that others can ask.
  var staysJoined = false
  var registration: InstanceRegistration?
  /// Whether somebody may have asked how this instance is.
  var isAsked = false
  /// Why others don't find this instance.
  var registrationFailure: SystemError?
  /// What this instance has claimed.
  var claims: [HeldClaim] = []
  /// The one of those that others have which is waited for.
  var claimWait: (claim: Claim, waiter: ClaimWaiter)?
  /// Whether what killed instances had claimed was looked after.
  var hasClaimed = false
  /// Why claims can't be settled.
  var claimsFailure: SystemError?
  /// The version that the file was last told to hold to whoever looks after other devices, and whether it was there.
  var shared: (version: ContentHash?, isThere: Bool) = (nil, true)
  /// When what another instance has changed is looked at, unless this one has the lock before that.
  var lookDue: UInt64?
  /// When the replica is to have a state of its own: see ``separate()``.
  var separationDue: UInt64?
  /// When displaced files and unflushed writes are looked after.
  var nextHousekeeping: UInt64?

  var drained = 0
  var acknowledged = 0
  var appointments: [Appointment] = []

  init<View: ReplicaView>(
    view: View, model: View.Model, initial: View.Model.State, options: ReplicatorOptions, waker: Waker
  ) throws(Problem) {
    self.view = AnyReplicaView(view)
    self.options = options
    self.waker = waker
    let path = options.replica.file
    do throws(SystemError) {
      file = try SharedFile(
        path: path, instance: options.replica.instance, durability: options.durability,
        sizeLimit: options.replica.limits.size, stateFolder: options.stateFolder)
    } catch {
      throw Problem(.cannotRead, file: path, error)
    }
    replica = Brain(model: AnyReplicaModel(model), initial: AnyState(initial), options: options.replica)
    watcher = options.watches ? FileWatcher(path: file.path, waker: waker) : nil
    nextTick = MonotonicClock.now() + (watcher?.blindness == nil ? Self.tick : Self.blindTick)
    noteShareForm()
  }

  /// Finds out how the file is shared.
  func noteShareForm() {
    let path = file.resolvedPath
    // One that can't be read is told by who looks after it.
    let agreement = (try? ShareAgreement.current(for: path, stateFolder: options.stateFolder)) ?? nil
    let isShared = agreement != nil || ShareAgreement.exists(for: path, stateFolder: options.stateFolder)
    shareForm = isShared ? agreement?.form ?? .apart : nil
    file.deviceMark = shareForm == .inside ? agreement.map { String($0.device.prefix(Self.deviceMarkLength)) } : nil
  }

  /// How many characters of a device's name make a mark. Two devices with one would take each other's stamps for their own.
  private static let deviceMarkLength = 8

  /// Does what sharing the file takes, and says when that fails, and when it no longer does.
  func attemptToShare(_ body: () throws(Problem) -> Void) {
    var failure: Problem?
    do throws(Problem) {
      // A program that wants that agrees when it starts, and not again once it could.
      if !staysJoined || sharingFailure != nil { try agreeToShare() }
    } catch {
      // An agreement of before holds although another one failed.
      failure = error
    }
    do throws(Problem) {
      try acceptInvitation()
      try body()
    } catch {
      failure = failure ?? error
    }
    if failure == sharingFailure { return }
    sharingFailure = failure
    view.report(failure.map(ProblemEvent.occurred) ?? .resolved(.cannotShare))
  }

  /// Shares the file, if the program wants that and it isn't shared yet.
  private func agreeToShare() throws(Problem) {
    guard let sharing = options.sharing, let folder = sharing.folder else { return }
    _ = try ShareAgreement.agree(
      for: options.replica.file, folder: folder, name: sharing.device, stateFolder: options.stateFolder)
  }

  /// Takes part in what other devices share, if the file has come here with their journals.
  ///
  /// A notice that was given of journals and a file isn't given again.
  private func acceptInvitation() throws(Problem) {
    noteShareForm()
    guard let look = lookForInvitation(), look != invitationLook else { return }
    let notices = try ShareAgreement.join(path, options: options)
    for notice in notices where notice != invitation { view.notify(notice) }
    (invitation, invitationLook) = (notices.first, look)
    noteShareForm()
  }

  /// Whether sharing failed, or journals have come here since that was looked at: then it is to be attempted.
  var mayBeShared: Bool { sharingFailure != nil || lookForInvitation().map { $0 != invitationLook } ?? false }

  /// The journals that have come here with the file; `nil` if there are none, or it is shared.
  private func lookForInvitation() -> InvitationLook? {
    let folder = ShareAgreement.folder(beside: file.resolvedPath)
    // A folder that can't be examined is none.
    guard shareForm == nil, let status = (try? FileStatus(ofLinkIfThere: folder)) ?? nil, status.isDirectory else {
      return nil
    }
    // Journals that are written in place grow while their folder stays as it is. Those that can't be listed are told by who joins.
    let journals = (try? ShareFolder(path: folder).journals()) ?? []
    return InvitationLook(
      folder: status.modified, size: journals.reduce(0) { $0 + $1.status.size }, file: replica.base?.hash)
  }

  /// How journals beside the file, and the file, were when they were looked at.
  struct InvitationLook: Equatable {
    let folder: Int64
    let size: Int
    let file: ContentHash?
  }

  /// Joins the file: adopts what stands there, or seeds it.
  ///
  /// - Parameter deadline: Until when somebody is waited for who has moved the file aside.
  /// - Throws: When there is nothing to join, or it can't be read.
  func start(until deadline: UInt64 = MonotonicClock.now() + longestStart) throws(Problem) {
    reportWeaknesses()
    perform(replica.handle(.seen(try firstLook(until: deadline))))
    separate()
  }

  /// Joins the file to stay: as ``start()``, and can be asked from then on.
  func startToStay() throws(Problem) {
    try start()
    staysJoined = true
    register()
    view.claims?.attach(waker)
  }

  var path: String { options.replica.file }
}
