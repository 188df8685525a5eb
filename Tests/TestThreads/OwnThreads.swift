import Glibc
import Testing

/// Runs the tests of a suite on threads of their own.
///
/// The pool has as many threads as there are processors. A test that waits for a program or for a file blocks its thread, and with as
/// many such tests as threads no other test goes on. An exit test whose child has ended is worse: until its own task goes on, the
/// library's monitor of children takes a whole processor.
public struct OwnThreads: SuiteTrait, TestTrait, TestScoping {
  public var isRecursive: Bool { true }

  /// Nil for the pool: ThreadSanitizer needs no speed, and its runtime slows down with each thread.
  private static let executor = getenv("TSAN_OPTIONS") == nil ? BlockingThreads() : nil

  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(Self.executor) { try await function() }
  }
}

extension Trait where Self == OwnThreads {
  /// For suites whose tests block the thread that they run on.
  public static var ownThreads: Self { Self() }
}
