/// The commits that a client waits for, done one at a time, each for all who wait by then.
struct RemoteCommits {
  /// Somebody who waits until what was dispatched before is committed.
  struct Waiter {
    let addressee: Addressee
    /// Whether the answer is that to `dispatch`; otherwise it is that to `flush`.
    let isDispatch: Bool
  }

  /// Oldest first.
  private var waiters: [Waiter] = []
  /// How many bytes the requests of those who wait took.
  private(set) var size = 0
  /// How many of them the commit that is on is for; `nil` if none is on.
  private var current: Int?
  /// Whether the commit that is on, or was, is the last one.
  private var isLast = false
  /// Why not all that was dispatched is safe, once the last one has ended.
  private(set) var failure: RemoteControlError?

  /// Whether the last one has ended.
  var areDone: Bool { isLast && current == nil }

  mutating func add(_ waiter: Waiter) {
    waiters.append(waiter)
    size += waiter.addressee.size
  }

  /// Starts one, unless one is on; in the end once more, for what the program dispatched.
  ///
  /// - Returns: Whether there is one to be done.
  mutating func start(isEnding: Bool) -> Bool {
    guard current == nil, !isLast, isEnding || !waiters.isEmpty else { return false }
    (current, isLast) = (waiters.count, isEnding)
    return true
  }

  /// Ends the one that is on.
  ///
  /// - Returns: Whom it was for.
  mutating func end(_ outcome: Result<Void, any Error>) -> ArraySlice<Waiter> {
    let answered = waiters.prefix(current ?? 0)
    waiters.removeFirst(answered.count)
    size -= answered.reduce(0) { $0 + $1.addressee.size }
    current = nil
    if isLast, case .failure(let error) = outcome { failure = RemoteControlError(.uncommitted, "\(error)") }
    return answered
  }
}
