import Replication
import Synchronization

/// Keeps a file in step with other devices for as long as an instance mirrors it, on a thread of its own.
///
/// Of the processes of one device one does, and the others are there in case that it ends.
final class Sharer: Sendable {
  private struct Request {
    /// Something else may have been agreed.
    var isAgreementChanged = false
    var isFileChanged = false
    var end: UInt64?
  }

  /// How long what happens to the file, or in the folder, is collected before it is looked at, in nanoseconds: so that a burst
  /// of commits is a line, and there are no more than ten lines a second.
  private static let pause: UInt64 = 125_000_000
  /// How long nothing is done about the first of it: so long whoever has just committed has the processors, and the locks, for
  /// himself, and what he does next is most likely said with it.
  private static let quiet: UInt64 = 5_000_000
  /// How often it is looked at anyway.
  private static let tick: UInt64 = 10_000_000_000
  /// The same where nothing tells of changes, something went wrong, or another process is at it.
  private static let shortTick: UInt64 = 1_000_000_000
  /// How long a look may wait for locks.
  private static let patience = Duration.seconds(5)

  private let waker: Waker
  private let thread: DriverThread
  private let request: RequestBox

  /// What is asked of the thread.
  private final class RequestBox: Sendable {
    let guarded = Mutex(Request())
  }

  /// Begins. Problems and notices are told from the thread.
  init(
    _ agreement: ShareAgreement, options: ReplicatorOptions, app: (any ActionReducer)?,
    report: @escaping @Sendable (ProblemEvent) -> Void, notify: @escaping @Sendable (Notice) -> Void
  ) throws(SystemError) {
    let (waker, request) = (try Waker(), RequestBox())
    (self.waker, self.request) = (waker, request)
    thread = try DriverThread(name: "share") {
      Work(agreement, options: options, app: app, waker: waker, request: request, report: report, notify: notify).run()
    }
  }

  /// Looks whether what was agreed is still so.
  func look() {
    request.guarded.withLock { $0.isAgreementChanged = true }
    waker.wake()
  }

  /// Notes that the file has come to hold something else, which is looked at together with what else happens in a moment.
  func noteChange() {
    let isNews = request.guarded.withLock { request in
      defer { request.isFileChanged = true }
      return !request.isFileChanged
    }
    if isNews { waker.wake() }
  }

  /// Says what was committed, and ends.
  func end(within timeout: Duration) {
    let end = MonotonicClock.now() + timeout.nanoseconds
    request.guarded.withLock { $0.end = end }
    waker.wake()
    thread.join()
  }

  /// What the thread does.
  private final class Work {
    private let path: String
    private let options: ReplicatorOptions
    private let app: (any ActionReducer)?
    private let waker: Waker
    private let request: RequestBox
    private let report: @Sendable (ProblemEvent) -> Void
    private let notify: @Sendable (Notice) -> Void
    /// The share, as it was agreed last; `nil` if it isn't any more.
    private var session: ShareSession?
    private var folder: FolderWatcher
    /// Held while this process is the one that looks after the share.
    private var turn: FileDescriptor?
    private var problem: Problem?

    init(
      _ agreement: ShareAgreement, options: ReplicatorOptions, app: (any ActionReducer)?, waker: Waker,
      request: RequestBox, report: @escaping @Sendable (ProblemEvent) -> Void,
      notify: @escaping @Sendable (Notice) -> Void
    ) {
      (path, self.options, self.app, self.waker) = (agreement.file, options, app, waker)
      (self.request, self.report, self.notify) = (request, report, notify)
      session = ShareSession(agreement, options: options, app: app, onNotice: notify)
      folder = FolderWatcher(path: agreement.folder, waker: waker, hub: .ofSharers)
    }

    func run() {
      while true {
        request.guarded.withLock { ($0.isAgreementChanged, $0.isFileChanged) = (false, false) }
        look(within: Sharer.patience)
        let isQuick = folder.isBlind || problem != nil || turn == nil
        let tick = MonotonicClock.now() + (isQuick ? Sharer.shortTick : Sharer.tick)
        // A notice that can't be told now, as a look fails, is tried again no sooner than after a short pause.
        let due = min(tick, max(session?.noticeDue ?? .max, MonotonicClock.now() + Sharer.shortTick))
        var earliest = MonotonicClock.now() + Sharer.pause
        var isDirty = false
        while true {
          let request = request.guarded.withLock { $0 }
          let now = MonotonicClock.now()
          if let end = request.end { return look(within: .nanoseconds(Int64(end > now ? end - now : 0))) }
          if request.isAgreementChanged { isDirty = true }
          if !isDirty, request.isFileChanged || folder.drain() {
            isDirty = true
            earliest = max(earliest, now + Sharer.quiet)
          }
          if now >= due || isDirty && now >= earliest { break }
          // What else happens in the folder until then is looked at with it, so that nobody needs to be told.
          let descriptors: [2 of Int32] = [waker.rawDescriptor, isDirty ? -1 : folder.rawDescriptor]
          // Should polling fail, it is looked again too often, which costs only time.
          let isWoken = try? Poller.readable(among: descriptors, until: min(isDirty ? earliest : due, due))
          if isWoken?[0] != false { waker.reset() }
        }
      }
    }

    private func look(within timeout: Duration) {
      do {
        guard let session = try agreed(), try isOurTurn(session.agreement) else { return }
        try session.synchronise(within: timeout)
        say(session.faults.first.map { Problem(.cannotShare, file: options.replica.file, message: $0) })
      } catch let error as Problem {
        // What keeps the file from being read or written is told by who mirrors it; of what was agreed anew the next look is.
        if error.code == .cannotShare, session?.isOutdated != true { say(error) }
      } catch let error as SystemError {
        say(.cannotShare(options.replica.file, error))
      } catch {
        preconditionFailure("a look fails with a problem, or by the system: \(error)")
      }
    }

    /// The share as it is agreed now.
    private func agreed() throws(SystemError) -> ShareSession? {
      guard let agreement = try ShareAgreement.current(for: path, stateFolder: options.stateFolder) else {
        session = nil
        turn = nil
        say(nil)
        return nil
      }
      if session?.agreement != agreement {
        session = ShareSession(agreement, options: options, app: app, onNotice: notify)
        turn = nil
      }
      if problem != nil || folder.path != agreement.folder || folder.isLost {
        folder = FolderWatcher(path: agreement.folder, waker: waker, hub: .ofSharers)
      }
      return session
    }

    private func isOurTurn(_ agreement: ShareAgreement) throws(SystemError) -> Bool {
      if turn != nil { return true }
      // Each app has its own, as only its processes can say what its actions come to.
      let lock = try ShareLock.turn(agreement, stateFolder: options.stateFolder, app: options.app)
      guard try lock.tryLock() else { return false }
      turn = consume lock
      return true
    }

    private func say(_ problem: Problem?) {
      if problem == self.problem { return }
      self.problem = problem
      report(problem.map(ProblemEvent.occurred) ?? .resolved(.cannotShare))
    }
  }
}
