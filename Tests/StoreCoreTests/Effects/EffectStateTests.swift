import Foundation
import StoreCore
import Testing

struct `An effect's state` {
  private struct Odd: Error, CustomStringConvertible {
    var description: String { "odd" }
  }

  private static func text(_ state: EffectState) -> String {
    "\(state.status) \(state.current.map { "\($0)" } ?? "-") \(state.failure ?? "-")"
  }

  @Test(
    arguments: [
      ([], "idle - -"),
      ([.run], "running 1.1 -"),
      ([.run, .run], "running 1.1 -"),
      ([.run, .restart], "running 2.1 -"),
      ([.restart], "running 1.1 -"),
      ([.run, .succeed()], "succeeded - -"),
      ([.run, .fail(with: "x")], "failed - x"),
      ([.run, .cancel()], "cancelled - -"),
      ([.run, .retryOrFail(with: "x")], "running 1.2 x"),
      ([.run, .retryOrFail(with: "x"), .retryOrFail(with: "y")], "failed - y"),
      ([.run, .retryOrFail(with: "x"), .run], "running 1.2 x"),
      ([.run, .retryOrFail(with: "x"), .succeed()], "succeeded - -"),
      ([.run, .retryOrFail(with: "x"), .restart], "running 2.1 -"),
      ([.run, .fail(with: "x"), .run], "running 2.1 -"),
      ([.run, .succeed(), .run, .reset], "idle - -"),
      ([.run, .succeed(), .run, .reset, .run], "running 3.1 -"),
      ([.succeed(), .cancel(), .retryOrFail(with: "x")], "idle - -"),
      // What can't even begin has failed.
      ([.fail(with: "x")], "failed - x"),
      ([.fail(with: "x"), .run], "running 1.1 -"),
      ([.run, .reset, .fail(with: "x", of: .init(run: 1, attempt: 1))], "idle - -"),
      ([.run, .succeed(), .fail(with: "x")], "succeeded - -"),
      ([.run, .cancel(), .succeed(), .fail(with: "x")], "cancelled - -"),
      ([.run, .restart, .succeed(of: .init(run: 1, attempt: 1))], "running 2.1 -"),
      ([.run, .cancel(of: .init(run: 1, attempt: 2))], "running 1.1 -"),
      ([.run, .retryOrFail(with: "x", of: .init(run: 1, attempt: 1))], "running 1.2 x"),
      ([.run, .fail(with: "x", of: .init(run: 1, attempt: 1))], "failed - x"),
    ] as [([EffectAction], String)])
  func `follows its actions`(actions: [EffectAction], result: String) {
    var state = EffectState(attempts: 2)
    for action in actions { state.apply(action) }
    #expect(Self.text(state) == result)
  }

  @Test func `has methods for reducers`() {
    var state = EffectState(attempts: 2)
    state.run()
    state.retryOrFail(with: Odd())
    #expect(Self.text(state) == "running 1.2 odd")
    state.fail(with: Odd())
    #expect(Self.text(state) == "failed - odd")
    state.run()
    state.cancel()
    #expect(!state.isRunning)
    state.restart()
    state.succeed()
    #expect((state.status, state.runs) == (.succeeded, 3))
  }

  @Test func `waits longer after each attempt, up to the limit`() {
    var state = EffectState(attempts: 6, backoff: .exponential(from: .milliseconds(500), factor: 3, upTo: .seconds(10)))
    state.run()
    var delays = [state.delay]
    for _ in 2...6 {
      state.retryOrFail(with: "x")
      delays.append(state.delay)
    }
    #expect(delays == [.zero, .seconds(0.5), .seconds(1.5), .seconds(4.5), .seconds(10), .seconds(10)])
    state.retryOrFail(with: "x")
    #expect((state.status, state.delay) == (.failed, .zero))
  }

  @Test(arguments: [EffectState.Status.idle, .running, .succeeded, .failed, .cancelled])
  func `survives a file`(status: EffectState.Status) throws {
    var state = EffectState(attempts: 3, backoff: .exponential(from: .seconds(0.1), factor: 1.1))
    state.run()
    for _ in 0..<2 { state.retryOrFail(with: "no \"network\"") }
    switch status {
    case .idle: state.reset()
    case .running: break
    case .succeeded: state.succeed()
    case .failed: state.fail(with: "x")
    case .cancelled: state.cancel()
    }
    let data = try JSONEncoder().encode(state)
    #expect(try JSONDecoder().decode(EffectState.self, from: data) == state)
    for action in [EffectAction.run, .fail(with: "x", of: .init(run: 1, attempt: 2)), .cancel()] {
      let data = try JSONEncoder().encode(action)
      #expect(try JSONDecoder().decode(EffectAction.self, from: data) == action)
    }
  }

  @Test(arguments: [
    ("{}", "idle - -"), (#"{"status": "running"}"#, "running 0.1 -"),
    (#"{"status": "running", "runs": 7, "attempt": 3, "failure": "x"}"#, "running 7.3 x"),
  ])
  func `may be written by hand`(json: String, result: String) throws {
    #expect(Self.text(try JSONDecoder().decode(EffectState.self, from: Data(json.utf8))) == result)
  }

  @Test func `takes any number that stands in a file`() throws {
    let json = """
      {"status": "running", "runs": \(Int.max), "attempt": \(Int.max - 1), "attempts": \(Int.max), "delay": 1e300,
       "backoff": {"first": 1e-300, "factor": 1e300, "limit": -1e300}}
      """
    var state = try JSONDecoder().decode(EffectState.self, from: Data(json.utf8))
    #expect(state.delay == .seconds(31_536_000))
    state.retryOrFail(with: "x")
    #expect((state.attempt, state.delay) == (Int.max, .zero))
    state.backoff = .exponential(from: .seconds(1), factor: .nan, upTo: .seconds(Int64.max))
    state.restart()
    state.retryOrFail(with: "x")
    #expect((state.runs, state.delay) == (Int.min, .seconds(1)))
  }
}
