import StoreCore
import Synchronization

/// What a store claims and lets go of, on its way to the driver, who settles it with the other instances.
package final class ClaimBoard: Sendable {
  /// What has been asked for since the last time, in order.
  enum Request: Sendable {
    case claim(Claim)
    case release(Claim)
  }

  private struct State {
    var requests: [Request] = []
    var waker: Waker?
    var isEnded = false
  }

  private let state = Mutex(State())

  /// Asks for a claim; see ``StoreCore/EffectClaims``. Called inside the store's lock.
  func claim(_ name: String, isOrigin: Bool, granted: @escaping @Sendable () -> Void) -> EffectClaim {
    let claim = Claim(name, isOrigin: isOrigin, granted: granted)
    post(.claim(claim))
    return EffectClaim { self.post(.release(claim)) }
  }

  /// The driver begins: it is woken when there is something to take.
  func attach(_ waker: Waker) {
    let isWanted = state.withLock { state in
      state.waker = waker
      return !state.requests.isEmpty
    }
    if isWanted { waker.wake() }
  }

  func take() -> [Request] {
    state.withLock { state in
      defer { state.requests = [] }
      return state.requests
    }
  }

  /// The driver has ended, and committed what could be: what is let go of from here on is released at once.
  func end() {
    let left = state.withLock { state in
      state.isEnded = true
      state.waker = nil
      defer { state.requests = [] }
      return state.requests
    }
    for case .release(let claim) in left { claim.release() }
  }

  private func post(_ request: Request) {
    let (waker, isEnded) = state.withLock { state in
      if !state.isEnded { state.requests.append(request) }
      return (state.waker, state.isEnded)
    }
    if isEnded, case .release(let claim) = request { claim.release() }
    waker?.wake()
  }
}

/// One claim of this instance, asked for or held.
final class Claim: Sendable {
  let name: String
  /// Whether an action of this instance led to it.
  let isOrigin: Bool
  let granted: @Sendable () -> Void
  private let lock = Mutex<ClaimLock?>(nil)

  init(_ name: String, isOrigin: Bool, granted: @escaping @Sendable () -> Void) {
    self.name = name
    self.isOrigin = isOrigin
    self.granted = granted
  }

  func keep(_ new: ClaimLock) { lock.withLock { $0 = new } }

  /// The lock, for another claim of the same name.
  func takeLock() -> ClaimLock? { lock.withLock { $0.take() } }

  func release() { takeLock()?.release() }
}
