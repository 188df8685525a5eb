/// What keeps a subscriber subscribed. Cancelled when it is freed, so keep it as long as the handler shall be called.
///
/// That of a subscription with an owner need not be kept: it ends with the owner.
public final class Subscription: Sendable {
  private let endsWhenFreed: Bool
  private let end: @Sendable () -> Void

  @usableFromInline
  init(endsWhenFreed: Bool = true, _ end: @escaping @Sendable () -> Void) {
    self.endsWhenFreed = endsWhenFreed
    self.end = end
  }

  deinit {
    if endsWhenFreed { end() }
  }

  /// Ends the deliveries at once; calling it again does nothing.
  ///
  /// Called from a handler, no call follows. On another thread, a call that is under way may still be finishing.
  public func cancel() {
    end()
  }
}
