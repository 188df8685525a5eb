import Replication
import Synchronization

/// Somebody who waits until everything submitted so far is in the file.
struct ReplicatorWaiter: Sendable {
  /// On the monotonic clock, in nanoseconds.
  var deadline: UInt64
  /// Told `nil`, or what is not in the file and why.
  var completion: @Sendable (Problem?) -> Void
}

/// A replica at work on a real file, on a thread of its own.
///
/// Safe to call from any thread; only ``init(view:model:initial:options:)`` waits for the disk.
package final class Replicator: Sendable {
  struct Requests {
    var submitted = false
    var waiters: [ReplicatorWaiter] = []
    var closers: [ReplicatorWaiter] = []
  }

  private struct Guarded {
    var requests = Requests()
    /// How the driver ended; nil while it works.
    var end: Driver.Verdict?
    var thread: DriverThread?
    /// Ends the mirror in good order when the process exits.
    var exitHook: ExitHook?
    /// Keeps the file in step with other devices, where it is shared.
    var sharer: Sharer?
  }

  private let waker: Waker
  private let signal: SubmissionSignal
  private let guarded = Mutex(Guarded())
  /// What those pay who wait for a ``flush(within:completion:)``.
  let attention = Attention()
  /// Readable for good once the driver has ended.
  private let ended: Waker
  /// The app that reduces actions of other devices; `nil` if they can't be reduced here.
  private let app: (any ActionReducer)?

  /// Reads the file, adopts or seeds it, and starts to mirror it.
  ///
  /// - Throws: A problem if the file can't be used at all. Invalid JSON is no such problem: it is reported to the view.
  package init<View: ReplicaView>(
    view: View, model: View.Model, initial: View.Model.State, options: ReplicatorOptions,
    app: (any ActionReducer)? = nil, signal: SubmissionSignal = SubmissionSignal(),
    timeoutAtExit: Duration = .seconds(10)
  ) throws(Problem) {
    self.signal = signal
    self.app = app
    let failure = Mutex<Problem?>(nil)
    do throws(SystemError) {
      let waker = try Waker()
      let start = try Waker()
      self.waker = waker
      signal.attach(waker)
      ended = try Waker()
      // Taken from there, as what the thread is started with stays for as long as it runs.
      let handedOver = Mutex<View.Model.State?>(initial)
      let thread = try DriverThread(name: "replicate") {
        let driver: Driver
        do throws(Problem) {
          driver = try Driver(
            view: view, model: model, initial: handedOver.withLock { $0.take()! }, options: options, waker: waker)
          self.share(for: driver)
          try driver.startToStay()
        } catch {
          self.endSharing(within: .zero)
          failure.withLock { $0 = error }
          return start.wake()
        }
        start.wake()
        driver.run(for: self)
      }
      guarded.withLock { $0.thread = thread }
      try Poller.wait(for: [start.rawDescriptor], until: nil)
    } catch {
      throw Problem(.cannotWatch, file: options.replica.file, error)
    }
    if let failure = failure.withLock({ $0 }) { throw failure }
    let hook = ExitHook { self.closeAndWait(within: timeoutAtExit) }
    guarded.withLock { $0.exitHook = hook }
  }

  /// Reads the file, commits what the view has submitted, and ends, all on the calling thread. Where the file is shared with other
  /// devices, what has arrived of them is read before, and what is committed is said to them.
  ///
  /// - Throws: What prevents that, at once; nothing is retried. What keeps other devices apart is told to the view.
  package static func runOnce<View: ReplicaView>(
    view: View, model: View.Model, initial: View.Model.State, options: ReplicatorOptions, within timeout: Duration
  ) throws(Problem) {
    let visit = ShareVisit(options: options, within: timeout, notify: view.notify) { view.report(.occurred($0)) }
    visit?.bringIn()
    let isWriting = view.submittedCount > 0
    try runAlone(view: view, model: model, initial: initial, options: options, within: timeout)
    if isWriting { visit?.carryOut() }
  }

  /// As ``runOnce(view:model:initial:options:within:)``, with nothing to do with other devices. Who does it again and again has a log
  /// of versions that knows what it has read.
  static func runAlone<View: ReplicaView>(
    view: View, model: View.Model, initial: View.Model.State, options: ReplicatorOptions, log: VersionLog? = nil,
    within timeout: Duration
  ) throws(Problem) {
    let deadline = MonotonicClock.now() + timeout.nanoseconds
    let waker: Waker
    do throws(SystemError) {
      waker = try Waker()
    } catch {
      throw Problem(.cannotRead, file: options.replica.file, error)
    }
    var options = options
    options.replica.judgesAtJoining = false
    let driver = try Driver(view: view, model: model, initial: initial, options: options, waker: waker)
    if let log {
      log.forgetHold()
      driver.ledger.versions = (driver.file.resolvedPath, log)
    }
    try driver.start(until: deadline)
    try driver.runOnce(until: deadline)
  }

  /// Announces that the view has actions to drain. Wakes the driver at the first call since it last drained.
  package func submitted() {
    signal.raise()
  }

  /// Tells when everything submitted so far is in the file, or that it isn't in time.
  package func flush(within timeout: Duration, completion: @escaping @Sendable (Problem?) -> Void) {
    request(within: timeout, completion) { $0.waiters.append($1) }
  }

  /// Commits, stops watching, leaves nothing beside the file, and ends the thread; then tells what could not be committed.
  package func close(within timeout: Duration, completion: @escaping @Sendable (Problem?) -> Void) {
    request(within: timeout, completion) { $0.closers.append($1) }
  }

  /// Closes, and waits until the driver has ended, unless this is its own thread.
  package func closeAndWait(within timeout: Duration, completion: @escaping @Sendable (Problem?) -> Void = { _ in }) {
    close(within: timeout, completion: completion)
    if guarded.withLock({ $0.thread?.isCurrent }) == true { return }
    // Should polling fail, the process ends without having waited, as it would without us.
    _ = try? Poller.wait(for: [ended.rawDescriptor], until: nil)
  }

  private func request(
    within timeout: Duration, _ completion: @escaping @Sendable (Problem?) -> Void,
    _ add: (inout Requests, ReplicatorWaiter) -> Void
  ) {
    let waiter = ReplicatorWaiter(deadline: MonotonicClock.now() + timeout.nanoseconds, completion: completion)
    let end = guarded.withLock { guarded in
      if guarded.end == nil { add(&guarded.requests, waiter) }
      return guarded.end
    }
    if let end { completion(end.problem) } else { waker.wake() }
  }

  func takeRequests() -> Requests {
    var requests = guarded.withLock { guarded in
      defer { guarded.requests = Requests() }
      return guarded.requests
    }
    // Last: what was submitted before somebody asked to wait for it is known when he is answered.
    requests.submitted = signal.lower()
    return requests
  }

  /// Begins to keep the file in step with other devices, if it is shared, or is to be, and that isn't done yet.
  func share(for driver: Driver) {
    driver.attemptToShare { () throws(Problem) in
      if let sharer = guarded.withLock({ $0.sharer }) { return sharer.look() }
      guard driver.devices.form != nil else { return }
      // A file that is missing is made of what has arrived, if anything has.
      if !driver.membership.stays { ShareVisit(of: driver, app: app)?.bringIn() }
      do throws(SystemError) {
        let sharer = try makeSharer(for: driver)
        guarded.withLock { $0.sharer = sharer }
      } catch {
        throw .cannotShare(driver.path, error)
      }
    }
  }

  private func makeSharer(for driver: Driver) throws(SystemError) -> Sharer? {
    let (path, view) = (driver.file.resolvedPath, driver.view)
    guard let agreement = try ShareAgreement.current(for: path, stateFolder: driver.options.stateFolder) else {
      return nil
    }
    return try Sharer(
      agreement, options: driver.options, app: app, report: { view.report($0) }, notify: { view.notify($0) })
  }

  /// Notes, for other devices, that the file has come to hold something else.
  func noteChange() { guarded.withLock { $0.sharer }?.noteChange() }

  /// Says to other devices what was committed, and has to do with them no longer.
  func endSharing(within timeout: Duration) {
    guarded.withLock { guarded in
      defer { guarded.sharer = nil }
      return guarded.sharer
    }?.end(within: timeout)
  }

  /// The driver has ended: everybody who waits, or comes later, is told what is not in the file.
  func finish(_ problem: Problem?) {
    let (left, hook) = guarded.withLock { guarded in
      guarded.end = Driver.Verdict(problem: problem)
      defer { (guarded.requests, guarded.exitHook) = (Requests(), nil) }
      return (guarded.requests, guarded.exitHook)
    }
    hook?.cancel()
    for waiter in left.waiters + left.closers { waiter.completion(problem) }
    ended.wake()
  }
}
