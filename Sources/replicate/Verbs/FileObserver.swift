import HotReload
import RemoteControl
import StateJSON
import Synchronization
import TerminalScreen

/// A mirrored file, seen from a thread that waits for news of it.
///
/// Changes that come while the thread is busy replace one another, unless it wants each; problems and notices are all kept.
final class FileObserver<Model: MirrorModel>: Sendable {
  struct News {
    /// The newest, or all, oldest first.
    var changes: [MirrorView<Model>.Change] = []
    var problems: [ProblemEvent] = []
    var notices: [Notice] = []

    /// The newest.
    var change: MirrorView<Model>.Change? { changes.last }

    /// Adds what was told for who has such an interest.
    mutating func add(_ event: MirrorView<Model>.Event, _ interest: FileInterest) {
      switch event {
      case .change(let change):
        if !interest.contains(.eachChange) { changes = [] }
        changes.append(change)
      case .problem(let event): problems.append(interest.contains(.writing) ? event : event.forOnlookers)
      case .notice(let notice): notices.append(notice)
      }
    }
  }

  let mirror: FileMirror<Model>
  private let news: News.Box
  private let waker: Waker
  private let interruption: Interruption
  private let timeout: Duration

  /// Joins the file. The end may take as long as `timeout`; a second interrupt gives the terminal back and ends the
  /// process at once.
  init(
    options: ReplicatorOptions, timeout: Duration, terminal: Terminal = Terminal(), interest: FileInterest = []
  ) throws {
    let waker = try Waker()
    let interruption = try Interruption(terminal: terminal)
    // Before there is another thread, so that they all leave the signals to the one that takes them.
    try Signals.deliver(Signals.ending + [Signals.windowChange, Signals.suspend, Signals.resume]) { signal in
      switch signal {
      case Signals.windowChange: waker.wake()
      case Signals.suspend:
        terminal.suspend()
        Signals.stop()
      case Signals.resume:
        terminal.resume()
        waker.wake()
      default: interruption.receive(signal)
      }
    }
    self.waker = waker
    news = News.Box(interest) { waker.wake() }
    self.interruption = interruption
    self.timeout = timeout
    mirror = try FileMirror(options: options, tell: news.add)
  }

  /// Becomes readable when a signal wants the end.
  var interruptionDescriptor: Int32 { interruption.descriptor }

  /// Whether a signal wants the end.
  var isInterrupted: Bool { interruption.signal != nil }

  /// Wants something else from now on.
  func setInterest(_ interest: FileInterest) { news.guarded.withLock { $0.interest = interest } }

  /// Ends the wait for news, from any thread.
  func wake() { waker.wake() }

  /// Waits for news, for another descriptor, or for a time of ``MonotonicClock``, and hands over what is new, if
  /// anything is; `nil` if a signal wants the end.
  ///
  /// - Throws: ``BrokenPipeError`` as soon as nobody reads standard output any more, and what the system says.
  func next(until deadline: UInt64? = nil, or descriptor: Int32 = -1) throws -> News? {
    let isSilent = news.guarded.withLock { $0.interest.contains(.silence) }
    try Poller.wait(
      for: [waker.rawDescriptor, interruption.descriptor, descriptor],
      orFailureOf: isSilent ? -1 : StandardStream.output.descriptor, until: deadline)
    if interruption.signal != nil { return nil }
    if !isSilent, StandardStream.output.isBroken { throw BrokenPipeError() }
    waker.reset()
    return news.take()
  }

  /// What is new by now, without waiting.
  func pending() -> News { news.take() }

  /// As ``next(until:or:)``, for verbs that end in good order when nobody reads standard output any more.
  func nextUnlessUnread(until deadline: UInt64? = nil) throws -> News? {
    do { return try next(until: deadline) } catch is BrokenPipeError { return nil }
  }

  /// Commits and leaves; if a signal asked for the end, the process ends by it.
  ///
  /// That may take as long as was said at joining, or as is said now; something is done with the last news before the
  /// process ends.
  ///
  /// - Throws: A failure if something could not be committed in time.
  func close(within timeout: Duration? = nil, _ finish: (News) throws -> Void) throws {
    let problem = Mutex<Problem?>(nil)
    let isClosed = try Waker()
    mirror.close(within: timeout ?? self.timeout) { outcome in
      problem.withLock { $0 = outcome }
      isClosed.wake()
    }
    try Poller.wait(for: [isClosed.rawDescriptor], until: nil)
    try finish(news.take())
    if let problem = problem.withLock({ $0 }) { throw Failure(problem) }
    if let signal = interruption.signal { Signals.end(by: signal) }
  }
}

extension FileObserver.News {
  /// Where news wait to be fetched.
  final class Box: Sendable {
    let guarded: Mutex<(news: FileObserver.News, interest: FileInterest)>
    private let wake: @Sendable () -> Void

    /// Each of the news wakes whoever fetches them.
    init(_ interest: FileInterest, wake: @escaping @Sendable () -> Void) {
      guarded = Mutex((FileObserver.News(), interest))
      self.wake = wake
    }

    func add(_ event: MirrorView<Model>.Event) {
      guarded.withLock { $0.news.add(event, $0.interest) }
      wake()
    }

    func take() -> FileObserver.News {
      guarded.withLock { box in
        defer { box.news = FileObserver.News() }
        return box.news
      }
    }
  }
}

extension ProblemEvent {
  /// The event as those put it who never change the file, and so never make it again.
  var forOnlookers: ProblemEvent {
    guard case .occurred(let problem) = self, problem.code == .missing else { return self }
    let message = "'\(problem.file)' was deleted; waiting for it to be made again"
    return .occurred(Problem(.missing, file: problem.file, message: message))
  }
}

extension Console {
  /// Says what is wrong, or no longer, and what became of saves.
  func tell<Model>(_ news: FileObserver<Model>.News, file: String) {
    for event in news.problems { tell(event, file: file) }
    for notice in news.notices { tell(notice) }
  }

  /// Says what became of a save.
  func tell(_ notice: Notice) { tell("\(CommandTable.name): \(notice)\n") }

  /// Says what began or ended to keep the file and the document apart.
  func tell(_ event: ProblemEvent, file: String) {
    switch event {
    case .occurred(let problem): tell(Failure(problem))
    case .resolved(let code): tell("\(CommandTable.name): \(code.recovery(of: file))\n")
    }
  }
}

extension Problem.Code {
  /// What is said when a problem is over.
  func recovery(of file: String) -> String {
    switch self {
    case .invalidJSON: "'\(file)' is valid JSON again"
    case .missing: "'\(file)' is there again"
    case .cannotRead: "'\(file)' can be read again"
    case .cannotWrite: "'\(file)' can be written again"
    case .cannotLock: "the lock of '\(file)' can be had again"
    default: "'\(file)': the problem '\(self)' is over"
    }
  }
}
