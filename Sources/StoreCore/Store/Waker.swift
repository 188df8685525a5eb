import Synchronization

/// Tells one loop that the state has changed. It keeps no state: the loop reads it when it gets there.
@usableFromInline
final class Waker<State: Sendable>: Sendable {
  enum Wake: Sendable {
    case changed
    case ended(State, version: UInt64)
  }

  let isFinished = Atomic<Bool>(false)
  private let continuation: AsyncStream<Wake>.Continuation

  private init(_ continuation: AsyncStream<Wake>.Continuation) {
    self.continuation = continuation
  }

  static func make() -> (AsyncStream<Wake>, Waker) {
    // One is enough, and the newest, as the end comes last.
    let (stream, continuation) = AsyncStream.makeStream(of: Wake.self, bufferingPolicy: .bufferingNewest(1))
    return (stream, Waker(continuation))
  }

  @usableFromInline
  func wake() {
    continuation.yield(.changed)
  }

  func end(_ state: State, _ version: UInt64) {
    continuation.yield(.ended(state, version: version))
    continuation.finish()
  }

  func onTermination(_ body: @escaping @Sendable () -> Void) {
    continuation.onTermination = { _ in body() }
  }
}
