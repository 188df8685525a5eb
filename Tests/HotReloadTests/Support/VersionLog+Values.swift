import StateJSON

@testable import HotReload

extension VersionLog {
  /// Adds a version whose text doesn't matter.
  func append(
    _ version: Version, value: JSONValue, over predecessor: (hash: ContentHash, value: JSONValue)?,
    lost: [LostValue] = [], stands: Bool = true
  ) throws(SystemError) {
    try append([
      Addition(
        version: version, content: JSONDocument(formatting: value),
        predecessor: predecessor.map { ($0.hash, .parsed($0.value)) }, lost: lost, stands: stands)
    ])
  }

  /// Notes that a version was taken back, whose text doesn't matter.
  func withdraw(
    _ version: Version, value: JSONValue, over predecessor: (hash: ContentHash, value: JSONValue)
  ) throws(SystemError) {
    try withdraw(
      version, content: JSONDocument(formatting: value),
      over: (predecessor.hash, .parsed(predecessor.value)))
  }
}
