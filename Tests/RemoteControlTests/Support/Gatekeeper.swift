import StoreCore
import Synchronization

/// A middleware that keeps commits, or the end, waiting at a gate.
final class Gatekeeper: Middleware {
  typealias State = Desk
  typealias Action = DeskAction

  let commits = Gate()
  let end = Gate()

  func flush() async throws { try await commits.pass() }
  func close() async throws { try await end.pass() }

  /// Open, closed, or closed for good.
  final class Gate: Sendable {
    private struct Shut {
      var isShut = false
      var failure: Locked?
      var waiting: [CheckedContinuation<Void, Never>] = []
      var onArrival: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(Shut())

    func shut() { state.withLock { $0.isShut = true } }

    func open() {
      let waiting = state.withLock { state in
        state.isShut = false
        defer { state.waiting = [] }
        return state.waiting
      }
      for continuation in waiting { continuation.resume() }
    }

    /// Lets nobody through, but says why.
    func lock(_ reason: String?) { state.withLock { $0.failure = reason.map { Locked(description: $0) } } }

    /// Waits until somebody stands at the gate.
    func arrival() async {
      await withCheckedContinuation { continuation in
        let isThere = state.withLock { state in
          if state.waiting.isEmpty { state.onArrival.append(continuation) }
          return !state.waiting.isEmpty
        }
        if isThere { continuation.resume() }
      }
    }

    func pass() async throws {
      await withCheckedContinuation { continuation in
        let (isShut, onArrival) = state.withLock { state in
          guard state.isShut else { return (false, [CheckedContinuation<Void, Never>]()) }
          state.waiting.append(continuation)
          defer { state.onArrival = [] }
          return (true, state.onArrival)
        }
        for continuation in onArrival { continuation.resume() }
        if !isShut { continuation.resume() }
      }
      if let failure = state.withLock({ $0.failure }) { throw failure }
    }
  }

  struct Locked: Error, CustomStringConvertible {
    let description: String
  }
}
