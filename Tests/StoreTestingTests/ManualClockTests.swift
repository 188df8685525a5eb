import Testing

@testable import StoreTesting

@Suite(.timeLimit(.minutes(10)))
struct `A manual clock` {
  /// Where hundreds of tests take turns, whoever is on its way may take long.
  private let clock = ManualClock(patience: Patience(.seconds(120)))

  @Test func `stands still until it is moved, and measures what it was moved`() async throws {
    let start = clock.now
    try await clock.advance(by: .seconds(2), sleepers: 0)
    try await clock.advance(by: .milliseconds(500), sleepers: 0)
    #expect(start.duration(to: clock.now) == .milliseconds(2500))
    #expect("\(clock.now)" == "2.5 seconds")
    let measured = try await clock.measure { try await clock.advance(by: .seconds(1), sleepers: 0) }
    #expect(measured == .seconds(1))
    try await clock.advance(by: .seconds(-9), sleepers: 0)
    #expect(clock.now.offset == .milliseconds(3500))
  }

  @Test func `wakes in the order of the deadlines, each at his own`() async throws {
    let woken = Journal<String>()
    try await withThrowingTaskGroup { group in
      for (count, seconds) in [3, 1, 2].enumerated() {
        group.addTask {
          try await clock.sleep(for: .seconds(seconds))
          woken.note("\(seconds) at \(clock.now)")
        }
        try await clock.sleepers(count + 1)
      }
      #expect(clock.deadlines.map(\.offset) == [.seconds(1), .seconds(2), .seconds(3)])
      try await clock.advance(by: .milliseconds(2500), sleepers: 3)
      #expect(clock.deadlines.map(\.offset) == [.seconds(3)])
      try await clock.advance(by: .milliseconds(500))
      try await group.waitForAll()
    }
    #expect(Set(woken.entries.map { $0.prefix(1) }) == ["1", "2", "3"])
    #expect(clock.now.offset == .seconds(3))
  }

  @Test func `wakes one after another, those with the same deadline in the order in which they fell asleep`()
    async throws
  {
    let (names, woken) = AsyncStream.makeStream(of: String.self)
    for (count, (name, seconds)) in [("c", 3), ("a", 1), ("d", 3), ("b", 2)].enumerated() {
      Task {
        try await clock.sleep(for: .seconds(seconds))
        woken.yield(name)
      }
      try await clock.sleepers(count + 1)
    }
    let target = ManualClock.Instant(offset: .seconds(5))
    var iterator = names.makeAsyncIterator()
    for (name, seconds) in [("a", 1), ("b", 2), ("c", 3), ("d", 3)] {
      #expect(await clock.wakeNext(upTo: target))
      #expect(await iterator.next() == name)
      #expect(clock.now.offset == .seconds(seconds))
    }
    #expect(await !clock.wakeNext(upTo: target))
    #expect(clock.now.offset == .seconds(5))
  }

  @Test func `doesn't let anybody fall asleep whose deadline is over`() async throws {
    try await clock.advance(by: .seconds(1), sleepers: 0)
    try await clock.sleep(until: .init(offset: .seconds(1)))
    try await clock.sleep(for: .zero)
    try await clock.sleep(for: .seconds(-1))
  }

  @Test func `waits for those who are still on their way to sleep`() async throws {
    let ticks = Journal<Int>()
    let task = Task {
      for tick in 1... {
        // Two turns, and no more: where hundreds of tests take turns, each may last a second.
        for _ in 0..<2 { await Task.yield() }
        try await clock.sleep(for: .seconds(1))
        ticks.note(tick)
      }
    }
    for _ in 1...20 { try await clock.advance(by: .seconds(1)) }
    try await clock.sleepers(1)
    #expect(ticks.entries == Array(1...20))
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func `wakes who falls asleep while the time is moved, if his deadline is reached`() async throws {
    let task = Task {
      try await clock.sleep(for: .seconds(1))
      // A deadline that is fixed can't be missed, however late the sleep.
      try await clock.sleep(until: .init(offset: .seconds(2)))
      try await clock.sleep(until: .init(offset: .seconds(3)))
    }
    try await clock.advance(by: .seconds(5))
    try await task.value
  }

  @Test func `moves on to the next deadline`() async throws {
    let task = Task {
      try await clock.sleep(for: .seconds(3))
      try await clock.sleep(for: .seconds(4))
    }
    #expect(try await clock.advanceToNextSleeper() == .seconds(3))
    #expect(try await clock.advanceToNextSleeper() == .seconds(4))
    try await task.value
    #expect(clock.now.offset == .seconds(7))
  }

  @Test func `ends a sleep with the task that sleeps`() async throws {
    let task = Task { try await clock.sleep(for: .seconds(1)) }
    try await clock.sleepers(1)
    task.cancel()
    // At once: before the task has even been resumed.
    #expect(clock.deadlines.isEmpty)
    await #expect(throws: CancellationError.self) { try await task.value }
    let late = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await clock.sleep(for: .seconds(1))
    }
    await #expect(throws: CancellationError.self) { try await late.value }
    #expect(clock.deadlines.isEmpty)
  }

  /// Sleeps, cancellations and advances from everywhere at once: everybody wakes, or is cancelled.
  @Test func `loses nobody`() async throws {
    let ends = Journal<Bool>()
    await withTaskGroup { group in
      for number in 0..<400 {
        group.addTask {
          let task = Task { try await clock.sleep(for: .milliseconds(number % 50)) }
          if number % 3 == 0 { task.cancel() }
          ends.note(await task.result.isSuccess)
        }
      }
      group.addTask {
        while ends.entries.count < 400 {
          try? await clock.advance(by: .milliseconds(1), sleepers: 0)
          await Task.yield()
        }
      }
    }
    #expect(ends.entries.count == 400)
    #expect(clock.deadlines.isEmpty)
  }

  @Test func `fails when nobody comes to sleep, instead of hanging`() async throws {
    let real = ManualClock()
    let clock = ManualClock(patience: Patience(.seconds(10), clock: real))
    let sleeping = Task { try await clock.sleep(for: .seconds(1)) }
    let advancing = Task { try await clock.advance(by: .seconds(1), sleepers: 2, fileID: "A/B.swift", line: 7) }
    try await clock.sleepers(1)
    try await real.advance(by: .seconds(10))
    await #expect {
      try await advancing.value
    } throws: { error in
      "\(error)"
        == "A/B.swift:7: 1 task sleeps on the clock, which waited 10.0 seconds for 2; to move the time all the same, "
        + "say 'sleepers: 1'"
    }
    #expect(clock.now.offset == .zero)
    sleeping.cancel()
    let cancelled = Task { try await clock.advance(by: .seconds(1)) }
    cancelled.cancel()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
  }
}

extension Result {
  fileprivate var isSuccess: Bool { if case .success = self { true } else { false } }
}
