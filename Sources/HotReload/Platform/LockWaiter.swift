import Synchronization

/// Waits for a folder's lock on a thread of its own, in the kernel's queue, so that nobody has to ask again and again.
///
/// The lock belongs to the folder's descriptor, not to the thread: once it is granted, whoever uses the descriptor has
/// it. While a wait is under way, nobody else may take or give back the lock through the same descriptor.
final class LockWaiter: Sendable {
  private struct State {
    var request: Folder?
    /// The folder whose lock is held now, or could not be had.
    var outcome: (folder: Folder, error: SystemError?)?
    var isEnding = false
  }

  private let state = Mutex(State())
  private let waker: Waker
  private let client: Waker

  /// Starts the thread; the client is woken when a wait is over.
  init(client: Waker) throws(SystemError) {
    let waker = try Waker()
    self.waker = waker
    self.client = client
    _ = try DriverThread(name: "lock") { self.run() }
  }

  /// Begins to wait for the lock of a folder; one wait at a time.
  func wait(for folder: Folder) {
    state.withLock { $0.request = folder }
    waker.wake()
  }

  /// What came of the wait, once.
  func takeOutcome() -> (folder: Folder, error: SystemError?)? {
    state.withLock { state in
      defer { state.outcome = nil }
      return state.outcome
    }
  }

  /// Ends the thread; a lock that is granted later is given back.
  func end() {
    let late = state.withLock { state in
      state.isEnding = true
      return state.outcome
    }
    if let late, late.error == nil { late.folder.descriptor.unlock() }
    waker.wake()
  }

  private func run() {
    while true {
      // Should polling fail, the loop looks anyway.
      _ = try? Poller.wait(for: [waker.rawDescriptor], until: nil)
      waker.reset()
      let (folder, isEnding) = state.withLock { ($0.request.take(), $0.isEnding) }
      if isEnding { return }
      guard let folder else { continue }
      var failure: SystemError?
      do throws(SystemError) {
        try folder.descriptor.lock()
      } catch {
        failure = error
      }
      let isLate = state.withLock { state in
        if !state.isEnding { state.outcome = (folder, failure) }
        return state.isEnding
      }
      if isLate && failure == nil { folder.descriptor.unlock() }
      client.wake()
    }
  }
}
