import StateJSON

/// What a merged save would have taken back, had it been taken as it is.
package struct KeptChanges: Sendable, Hashable {
  /// The places.
  package let pointers: [JSONPointer]
  /// Who had made what was kept there: instances, and ``edit``; empty where nothing is known of that.
  package let authors: [String]

  /// What stands for somebody who saved from outside, among the names of instances.
  static let edit = "edit"

  package init(pointers: [JSONPointer], authors: [String]) {
    (self.pointers, self.authors) = (pointers, authors)
  }

  /// What was kept of two saves that were merged one after the other.
  func adding(_ other: KeptChanges) -> KeptChanges {
    KeptChanges(
      pointers: pointers + other.pointers.filter { !pointers.contains($0) },
      authors: authors + other.authors.filter { !authors.contains($0) })
  }

  /// - Parameters:
  ///   - changes: What was kept: from the save to what it was merged to.
  ///   - versions: Those that came after the one that the save was made from.
  init(_ changes: JSONPatch, in versions: some Sequence<VersionHistory.Entry>) {
    let pointers = changes.operations.map(\.path)
    var authors: [String] = []
    for entry in versions where entry.version.cause != .merged {
      let isKept = entry.changes?.operations.contains { operation in
        pointers.contains { $0.isPrefix(of: operation.path) || operation.path.isPrefix(of: $0) }
      }
      let author = entry.version.cause == .edit ? Self.edit : entry.version.instance
      if isKept == true, !authors.contains(author) { authors.append(author) }
    }
    self.init(pointers: pointers, authors: authors)
  }
}
