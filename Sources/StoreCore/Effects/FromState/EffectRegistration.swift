/// An effect that a store was given. It lasts as long as the store, also if nobody keeps this.
public struct EffectRegistration: Sendable {
  private let end: @Sendable () -> Void

  init(_ end: @escaping @Sendable () -> Void) {
    self.end = end
  }

  /// Cancels what is running, and starts nothing any more.
  public func cancel() { end() }
}
