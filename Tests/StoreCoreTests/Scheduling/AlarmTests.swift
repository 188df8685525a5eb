import StoreTesting
import Testing

@testable import StoreCore

@Suite(.timeLimit(.minutes(10)))
struct `An alarm` {
  /// A clock that notes which task sleeps.
  private struct SleepClock: Clock {
    let time: ManualClock
    let tasks: Journal<Int>

    var now: ManualClock.Instant { time.now }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
      tasks.note(withUnsafeCurrentTask { $0.hashValue })
      try await time.sleep(until: deadline, tolerance: tolerance)
    }
  }

  /// Where it is set again while it calls, another sleeper would call beside this one.
  @Test(arguments: [false, true])
  func `that is moved forward while it calls is waited for by who calls`(isCancelled: Bool) async throws {
    let time = ManualClock()
    let tasks = Journal<Int>()
    let calls = Journal<ManualClock.Instant>()
    let own = Shared<(any Alarm)?>(nil)
    let alarm = makeAlarm(on: SleepClock(time: time, tasks: tasks)) {
      calls.note(time.now)
      guard calls.entries.count == 1, let alarm = own.value.withLock({ $0 }) else { return }
      alarm.set(after: .seconds(10))
      if isCancelled { alarm.cancel() }
      alarm.set(after: .seconds(2))
    }
    own.value.withLock { $0 = alarm }
    alarm.set(after: .seconds(1))
    try await time.advance(by: .seconds(1))
    try await time.advance(by: .seconds(2))
    let heard = await calls.entries(2)
    #expect(heard.map(\.offset) == [.seconds(1), .seconds(3)])
    #expect(Set(tasks.entries).count == 1)
    own.value.withLock { $0 = nil }
  }
}
