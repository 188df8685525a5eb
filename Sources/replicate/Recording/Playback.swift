import HotReload
import RemoteControl
import StateJSON
import StoreRecording

/// A recording on its way into a file.
struct Playback {
  private let console: Console
  private let file: String
  private let pace: Request.Replay.Pace
  private let timeout: Duration
  private var way: RecordedWay
  /// How many steps there are until the end.
  private let end: Int
  private var schedule: PlaybackSchedule
  private var input = LineReader()
  private var isInputOver = false
  /// What keeps steps from the file at the moment.
  private var hold: Problem?
  /// Whether nothing was left out.
  private(set) var isWhole: Bool

  /// Prepares what the command line asks for.
  ///
  /// - Throws: Where there is no such place in the recording.
  init(
    _ recording: Recording, _ replay: Request.Replay, into file: String, within timeout: Duration, console: Console
  ) throws(Failure) {
    self.console = console
    self.file = file
    self.timeout = timeout
    pace = replay.pace
    way = RecordedWay(recording)
    isWhole = recording.problems.isEmpty
    let start = try replay.from.map { place throws(Failure) in try recording.position(of: place) } ?? 0
    end = try replay.until.map { place throws(Failure) in try recording.position(of: place) } ?? recording.steps.count
    if start > end { throw Failure(.no, "'--until' comes before '--from' in '\(recording.file)'") }
    schedule = PlaybackSchedule(speed: pace.speed)
    while way.position < start { takeStep() }
    var reached = way.reached
    if case .time(let time) = replay.from { reached = max(reached, time) }
    schedule.begin(at: reached, now: 0)
  }

  /// What was recorded of the step that was taken last.
  var moment: RecordedMoment { way.moment }

  /// Writes what it begins with, and then each step when its time has come, until the end or a signal.
  ///
  /// - Throws: ``BrokenPipeError`` when nobody reads any more what is printed; why something is not in the file in time.
  mutating func run(on observer: TextObserver) throws {
    guard try isReady(observer), try write(.begin(way.moment), to: observer) else { return }
    schedule.begin(now: MonotonicClock.now())
    if pace == .lines, StandardStream.input.isTerminal {
      let count = end - way.position
      console.tell("\(CommandTable.name): \(count) step\(count == 1 ? "" : "s"); Enter takes one, Ctrl-D ends\n")
    }
    while way.position < end, let step = way.next, try isTime(for: step, observer) {
      let before = way.moment
      guard takeStep() else { continue }
      guard try write(.step(from: before, to: way.moment), to: observer) else { return }
      if pace == .lines { try console.print(RecordedTimeline.line(step).escapedForTerminalLine + "\n") }
    }
  }

  /// Takes a step of the recording; returns whether it fits what was before.
  @discardableResult
  private mutating func takeStep() -> Bool {
    let wasLost = way.isLost
    do throws(RecordingLineError) {
      try way.advance()
      return true
    } catch {
      // Those after it don't fit either, until the whole text is there again.
      if !wasLost { console.tell(Failure(error)) }
      isWhole = false
      return false
    }
  }

  // MARK: The file

  /// Waits until the file has been read; one that nobody can read is left alone.
  private mutating func isReady(_ observer: TextObserver) throws -> Bool {
    let deadline = MonotonicClock.now() + timeout.nanoseconds
    while let news = try observer.next(until: deadline) {
      if news.change == nil, let hold = news.problems.lazy.compactMap(\.hold).first { throw Failure(hold) }
      take(news)
      if news.change != nil { return true }
      if MonotonicClock.now() >= deadline { throw overdue }
    }
    return false
  }

  /// Waits until it is in the file; returns false if a signal comes before.
  private mutating func write(_ retelling: Retelling, to observer: TextObserver) throws -> Bool {
    observer.mirror.submit(retelling)
    let deadline = MonotonicClock.now() + timeout.nanoseconds
    while observer.mirror.uncommittedCount > 0 {
      guard let news = try observer.next(until: deadline) else { return false }
      take(news)
      if MonotonicClock.now() >= deadline, observer.mirror.uncommittedCount > 0 { throw overdue }
    }
    return true
  }

  private mutating func take(_ news: TextObserver.News) {
    for event in news.problems {
      if let problem = event.hold { hold = problem }
      if case .resolved(let code) = event, code == hold?.code { hold = nil }
    }
    console.tell(news, file: file)
  }

  /// Why was told when it began.
  private var overdue: Failure {
    Failure(hold.map { Failure($0).code } ?? .system, "'\(file)' was not ready in time; --timeout allows more")
  }

  // MARK: The pace

  /// Waits for the time of a step, or for a line; returns false when none is to be taken any more.
  private mutating func isTime(for step: RecordingStep, _ observer: TextObserver) throws -> Bool {
    if pace == .lines { return try hasLine(observer) }
    let time = schedule.time(of: step.at, now: MonotonicClock.now())
    while let news = try observer.next(until: time) {
      take(news)
      if MonotonicClock.now() >= time { return true }
    }
    return false
  }

  private mutating func hasLine(_ observer: TextObserver) throws -> Bool {
    let descriptor = StandardStream.input.descriptor
    while true {
      if input.next() != nil { return true }
      if isInputOver { return input.finish() != nil }
      guard let news = try observer.next(or: descriptor) else { return false }
      take(news)
      guard try Poller.wait(for: [descriptor], until: 0) else { continue }
      let bytes = try StandardStream.input.read()
      input.append(bytes)
      isInputOver = bytes.isEmpty
    }
  }
}

extension Request.Replay.Pace {
  fileprivate var speed: Double { if case .speed(let speed) = self { speed } else { 1 } }
}

extension ProblemEvent {
  /// What keeps everything from being written while it lasts, if that is it.
  fileprivate var hold: Problem? {
    guard case .occurred(let problem) = self,
      [.invalidJSON, .cannotRead, .cannotWrite, .cannotLock].contains(problem.code)
    else { return nil }
    return problem
  }
}

extension Recording {
  /// How many steps lead to a place.
  fileprivate func position(of place: RecordedPlace) throws(Failure) -> Int {
    switch place {
    case .time(let time): return steps.prefix { $0.at <= time }.count
    case .step(header.step): return 0
    case .step(let number):
      if let index = steps.firstIndex(where: { $0.number == number }) { return index + 1 }
      let last = steps.last?.number ?? header.step
      throw Failure(.no, "'\(file)' has no step \(number); it goes from \(header.step) to \(last)")
    }
  }
}
