import Testing

@testable import replicate

@Suite struct PlaybackScheduleTests {
  private static let second: UInt64 = 1_000_000_000

  @Test(arguments: [(1, [1, 3, 10]), (10, [0.1, 0.3, 1]), (0.5, [2, 6, 20])] as [(Double, [Double])])
  func `steps come as they came, so many times faster`(speed: Double, delays: [Double]) {
    var schedule = PlaybackSchedule(speed: speed)
    schedule.begin(at: .seconds(5), now: 100 * Self.second)
    let times = [6, 8, 15].map { schedule.time(of: .seconds($0), now: 100 * Self.second) }
    #expect(times == delays.map { 100 * Self.second + UInt64($0 * 1e9) })
  }

  @Test func `who is late catches up`() {
    var schedule = PlaybackSchedule(speed: 1)
    schedule.begin(now: 0)
    #expect(schedule.time(of: .seconds(1), now: 0) == Self.second)
    #expect(schedule.time(of: .seconds(2), now: 7 * Self.second) == 2 * Self.second)
  }

  @Test func `a recording behind another begins when that is over`() {
    var schedule = PlaybackSchedule(speed: 1)
    schedule.begin(now: 0)
    _ = schedule.time(of: .seconds(50), now: 0)
    #expect(schedule.time(of: .zero, now: 51 * Self.second) == 51 * Self.second)
    #expect(schedule.time(of: .seconds(2), now: 51 * Self.second) == 53 * Self.second)
  }

  @Test func `no time is too long`() {
    var schedule = PlaybackSchedule(speed: 1e-300)
    schedule.begin(now: 5)
    #expect(schedule.time(of: .seconds(1_000_000_000), now: 5) == 1_000_000_000_000_000_005)
  }
}
