import FoundationEssentials
import StoreCore

/// What is different each time, and so is no business of a reducer.
private struct IDKey: DependencyKey {
  static func makeDefault(in dependencies: Dependencies) -> @Sendable () -> String {
    { "c-" + String(UInt32.random(in: .min ... .max), radix: 36) }
  }
}

private struct NowKey: DependencyKey {
  static func makeDefault(in dependencies: Dependencies) -> @Sendable () -> String {
    { Date.now.formatted(.iso8601) }
  }
}

extension Dependencies {
  /// Makes the identity of a comment.
  var newID: @Sendable () -> String {
    get { self[IDKey.self] }
    set { self[IDKey.self] = newValue }
  }

  /// The time, as RFC 3339 has it.
  var now: @Sendable () -> String {
    get { self[NowKey.self] }
    set { self[NowKey.self] = newValue }
  }
}
