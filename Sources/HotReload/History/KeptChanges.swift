import StateJSON

/// The changes that a merged save would have taken back, had it been taken as it is.
package struct KeptChanges: Sendable, Hashable {
  /// The places.
  package let pointers: [JSONPointer]
  /// The authors of what was kept there: instances, and ``edit``; empty where nothing is known of them.
  package let authors: [String]

  /// The name that stands for somebody who saved from outside, among those of instances.
  static let edit = "edit"

  package init(pointers: [JSONPointer], authors: [String]) {
    (self.pointers, self.authors) = (pointers, authors)
  }

  /// The changes kept from two saves that were merged one after the other.
  func adding(_ other: KeptChanges) -> KeptChanges {
    KeptChanges(
      pointers: pointers + other.pointers.filter { !pointers.contains($0) },
      authors: authors + other.authors.filter { !authors.contains($0) })
  }

  /// - Parameters:
  ///   - changes: What was kept: from the save to what it was merged to.
  ///   - versions: Those that came after the one that the save was made from, newest first.
  init(_ changes: JSONPatch, in versions: some Sequence<VersionHistory.Entry>) {
    let pointers = changes.operations.map(\.path)
    var authors: [String] = []
    var keptByMerge: [JSONPointer] = []
    for entry in versions {
      // Others had made the changes that a merge put back; all else is its save's.
      if entry.version.cause == .merge { keptByMerge = entry.kept?.pointers ?? [] }
      let isOfMerge = entry.version.cause == .merge || entry.version.cause == .merged
      let own = (entry.changes?.operations ?? []).map(\.path).filter { !isOfMerge || !keptByMerge.contains($0) }
      guard own.contains(where: { changed in pointers.contains { $0.mayConcern(changed) } }) else { continue }
      let author = entry.version.cause.told == .edit ? Self.edit : entry.version.instance
      if !authors.contains(author) { authors.append(author) }
    }
    self.init(pointers: pointers, authors: authors)
  }
}

extension JSONPointer {
  /// Whether what is at the one place may be part of what is at the other. The index of an element may have become another.
  fileprivate func mayConcern(_ other: JSONPointer) -> Bool {
    zip(tokens, other.tokens).allSatisfy { one, other in one == other || one.isIndex && other.isIndex }
  }
}

extension String {
  fileprivate var isIndex: Bool { !isEmpty && utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } }
}
