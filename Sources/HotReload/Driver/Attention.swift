import Synchronization

/// Looks out for an answer that mostly comes sooner than a sleeping thread wakes up, for a moment, before it is waited for.
///
/// To wake a thread on another processor takes 20 µs or more, a good part of a commit in a burst. Where the last answer took long the
/// next one is expected to, and nobody looks out for it; nor does anybody who is on the processor where it is worked on, and would
/// only be in the way.
final class Attention: Sendable {
  /// How long it is paid, in nanoseconds.
  private static let span: UInt64 = 300_000

  /// Whether the last answer came within that time.
  let paysOff = Atomic<Bool>(false)
  /// Where the last answer was given.
  private let processor = Atomic<Int32>(-1)
  /// Where the last one was asked for.
  private let asker = Atomic<Int32>(-1)

  /// An answer that another thread gives.
  final class Answer: Sendable {
    private let attention: Attention
    private let start = MonotonicClock.now()
    private let isGiven = Atomic<Bool>(false)

    fileprivate init(_ attention: Attention) { self.attention = attention }

    /// Says that it is there.
    func give(on processor: Int32 = Processor.current) {
      attention.processor.store(processor, ordering: .relaxed)
      attention.paysOff.store(MonotonicClock.now() - start < Attention.span, ordering: .relaxed)
      isGiven.store(true, ordering: .releasing)
    }

    /// Returns when it is there, or isn't expected within the next moment: whether it is there.
    @discardableResult
    func lookOut(on processor: Int32 = Processor.current) -> Bool {
      attention.asker.store(processor, ordering: .relaxed)
      guard attention.paysOff.load(ordering: .relaxed), attention.processor.load(ordering: .relaxed) != processor else {
        return false
      }
      while !isGiven.load(ordering: .acquiring) {
        if MonotonicClock.now() - start >= Attention.span { return false }
      }
      return true
    }
  }

  /// An answer that is asked for now.
  func ask() -> Answer { Answer(self) }

  /// Whether the last one was asked for on a processor.
  func isAsked(on processor: Int32) -> Bool { asker.load(ordering: .relaxed) == processor }
}
