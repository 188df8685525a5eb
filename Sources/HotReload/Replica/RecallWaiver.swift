import StateJSON

/// What makes it needless to recall the versions themselves.
struct RecallWaiver: Sendable {
  /// That this is the newest.
  var newest: ContentHash?
  /// That the former one is the newest, and what the patch changes in it is apart from all that versions changed: then the save was made
  /// from that, or comes to the same.
  var apart: (former: Former, patch: JSONPatch)?

  /// The version that was read before.
  typealias Former = (hash: ContentHash, content: JSONDocument)

  /// Nothing does.
  static let none = RecallWaiver()
}
