/// Settles among the instances that share a state which of them an effect is run by. A middleware that replicates the
/// state conforms to it; in a store without one, there is nobody to settle it with.
public protocol EffectClaims: Sendable {
  /// Asks for a claim that one instance has at a time.
  ///
  /// Called inside the store's lock: it must neither wait nor call the store. What is asked for here must be asked of the
  /// other instances before they can see the change that led to it, so that who started an effect comes first.
  ///
  /// - Parameters:
  ///   - name: What is claimed: the same in all instances.
  ///   - isOrigin: Whether an action of this instance led to it. Where nothing can be settled with the others, such a claim
  ///     is granted at once, and no other ever is.
  ///   - granted: Called once, from anywhere, also before this returns: as soon as no other instance has the claim, be
  ///     it that its owner let go of it or died, and the store has caught up with all that happened until then.
  /// - Returns: the claim, or the wait for it, for as long as it is held. It must last until what was dispatched before
  ///   it was let go of is safe.
  func claim(_ name: String, isOrigin: Bool, granted: @escaping @Sendable () -> Void) -> EffectClaim

  /// Whether it was on another device that a state which is joined came to ask for something: then that is performed there.
  ///
  /// Called inside the store's lock: it must not call the store.
  ///
  /// - Parameters:
  ///   - state: The state, which asks for it.
  ///   - asks: Whether a former state did.
  /// - Returns: Also no where that can't be known.
  func isFromElsewhere<State>(_ state: State, _ asks: (State) -> Bool) -> Bool
}

extension EffectClaims {
  /// No: there are no other devices.
  public func isFromElsewhere<State>(_ state: State, _ asks: (State) -> Bool) -> Bool { false }
}

/// A claim that an instance has, or waits for. Letting go of it gives it up.
public final class EffectClaim: Sendable {
  private let end: @Sendable () -> Void

  /// - Parameter end: Called once, when nobody holds it any more, from any thread, but not inside the store's lock.
  public init(_ end: @escaping @Sendable () -> Void) {
    self.end = end
  }

  deinit { end() }
}
