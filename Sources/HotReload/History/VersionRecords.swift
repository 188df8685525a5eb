import StateJSON

/// The records of a version log that are whole and belong together.
struct VersionRecords {
  let text: [UInt8]
  /// Where the last whole record ends; what follows is torn.
  private(set) var end = 0
  private(set) var heads: [VersionRecord.Head] = []
  /// How long the longest record of a whole value is.
  private(set) var largest = 0

  init(_ text: [UInt8]) {
    self.text = text
    text.withUnsafeBytes { text in
      var start = 0
      while let newline = text[start...].firstIndex(of: UInt8(ascii: "\n")) {
        // After a record that isn't whole nothing holds: it is cut off with all that follows.
        guard let head = VersionRecord.head(of: start..<newline, in: text) else { break }
        heads.append(head)
        if head.kind == .whole { largest = max(largest, newline + 1 - start) }
        start = newline + 1
        end = start
      }
    }
  }

  /// Finds the version that the log ends with.
  ///
  /// - Parameter known: The version that the text before these records ends with.
  /// - Returns: `nil` where it was aborted, so that a whole one must follow.
  func newest(after known: Version?) -> Version? {
    guard let last = heads.last(where: { !$0.kind.isRemark }) else { return known }
    return last.kind == .aborted ? nil : last.version
  }

  /// Where the mark is of the version that the log ends with, if it has not come to stand in the file.
  var mark: Int? {
    guard let last = heads.last(where: { !$0.kind.isRemark && $0.kind != .lost }), last.kind != .aborted else {
      return nil
    }
    return last.mark
  }

  /// A record as it stands in the text, its line feed included, but not its mark.
  func line(of index: Int) -> ArraySlice<UInt8> {
    let line = heads[index].line
    return text[line.lowerBound...line.upperBound]
  }

  func body(of head: VersionRecord.Head) -> JSONValue? {
    // The check says that it is what was written; what another release wrote otherwise counts as missing.
    try? JSONValue(parsing: Array(text[head.body]))
  }

  func lost(after index: Int) -> [LostValue] {
    guard index + 1 < heads.count, heads[index + 1].kind == .lost, let body = body(of: heads[index + 1]) else {
      return []
    }
    return [LostValue](body)
  }

  /// All versions; what comes before a record that doesn't fit the one before it is left out.
  var history: VersionHistory? {
    var builder = VersionHistoryBuilder()
    for (index, head) in heads.enumerated() { add(head, at: index, to: &builder) }
    return builder.history
  }

  func add(_ head: VersionRecord.Head, at index: Int, to builder: inout VersionHistoryBuilder) {
    switch head.kind {
    case .lost: break
    case .read: builder.noteReader(of: head.version.hash)
    case .withdrawn:
      guard builder.newest?.hash == head.before, let patch = body(of: head).flatMap({ try? JSONPatch($0) }) else {
        break
      }
      builder.noteWithdrawn(head.version, patch)
    case .aborted: builder.takeBack(head.version.hash)
    case .whole:
      guard let value = body(of: head) else { return builder = VersionHistoryBuilder() }
      builder.append(head.version, whole: value, lost: lost(after: index), stands: head.mark == nil)
    case .patch:
      guard builder.newest?.hash == head.before, builder.value != nil, let body = body(of: head),
        let patch = try? JSONPatch(body),
        (try? builder.append(head.version, patch, lost: lost(after: index), stands: head.mark == nil)) != nil
      else { return builder = VersionHistoryBuilder() }
    }
  }
}
