/// What keeps a subscriber subscribed. Cancelled when it is freed, so keep it as long as the handler shall be called.
public final class Subscription: Sendable {
  private let end: @Sendable () -> Void

  init(_ end: @escaping @Sendable () -> Void) {
    self.end = end
  }

  deinit {
    end()
  }

  /// Ends the deliveries at once; calling it again does nothing.
  ///
  /// Called from a handler, no call follows. On another thread, a call that is under way may still be finishing.
  public func cancel() {
    end()
  }
}
