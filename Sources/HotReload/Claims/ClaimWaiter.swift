import Synchronization

/// Waits for a claim that another instance has, in the kernel's queue, on a thread of its own.
///
/// A wait for a lock can't be broken off: one that isn't wanted any more lasts until the owner lets go, which it is about
/// to do, as the reason is mostly that the effect is over.
final class ClaimWaiter: Sendable {
  private struct State {
    var outcome: Result<ClaimLock, SystemError>?
    var isCancelled = false
  }

  private let state = Mutex(State())

  /// Starts to wait; the client is woken when it is over.
  init(for name: String, in folder: Folder, client: Waker) throws(SystemError) {
    _ = try DriverThread(name: "claim") {
      let outcome: Result<ClaimLock, SystemError>
      do throws(SystemError) {
        guard let lock = try ClaimLock.take(name, in: folder, waits: true) else { return }
        outcome = .success(lock)
      } catch {
        outcome = .failure(error)
      }
      let isCancelled = self.state.withLock { state in
        if !state.isCancelled { state.outcome = outcome }
        return state.isCancelled
      }
      if isCancelled { Self.release(outcome) } else { client.wake() }
    }
  }

  /// What came of it, once; nothing does after it was cancelled.
  func takeOutcome() -> Result<ClaimLock, SystemError>? { state.withLock { $0.outcome.take() } }

  /// Gives the claim back as soon as it is granted.
  func cancel() {
    let outcome = state.withLock { state in
      state.isCancelled = true
      return state.outcome.take()
    }
    Self.release(outcome)
  }

  private static func release(_ outcome: Result<ClaimLock, SystemError>?) {
    if case .success(let lock) = outcome { lock.release() }
  }
}
