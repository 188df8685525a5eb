import StateJSON

/// The records of a version log that are whole and belong together.
struct LogRecords {
  let text: [UInt8]
  /// Where the last whole record ends; what follows is torn.
  private(set) var end = 0
  private(set) var heads: [LogRecord.Head] = []
  /// What they say of the log's format, if they do.
  private(set) var format: LogFormat?

  init(_ text: [UInt8]) {
    self.text = text
    text.withUnsafeBytes { text in
      var start = 0
      while let newline = text.lineEnd(from: start) {
        if let head = LogRecord.head(of: start..<newline, in: text) {
          heads.append(head)
          format = .newer(format, LogFormat(head, in: text))
        } else if let (line, kind, _) = LogRecord.line(startingAt: start, in: text), kind == nil {
          if !heads.isEmpty { heads[heads.count - 1].unknown.append(line) }
        } else {
          // After a record that isn't whole nothing holds: it is cut off with all that follows.
          break
        }
        start = newline + 1
        end = start
      }
    }
  }

  /// A record as it stands in the text, its line feed included, but not its mark.
  func line(of index: Int) -> ArraySlice<UInt8> {
    let line = heads[index].line
    return text[line.lowerBound...line.upperBound]
  }

  /// The records of unknown kinds that follow another, as they stand in the text.
  func unknown(after index: Int) -> [ArraySlice<UInt8>] {
    heads[index].unknown.map { text[$0.lowerBound...$0.upperBound] }
  }

  func body(of head: LogRecord.Head) -> JSONValue? { value(in: head.body) }

  /// The value that a record's body says.
  func value(in body: Range<Int>) -> JSONValue? {
    text.withUnsafeBufferPointer {
      // The check says that it is what was written; what another release wrote otherwise counts as missing.
      try? JSONValue(parsing: UnsafeBufferPointer(rebasing: $0[body]))
    }
  }

  /// What lost when a version was merged, and what was kept.
  private func outcome(after index: Int) -> (lost: [LostValue], kept: KeptChanges?) {
    guard index + 1 < heads.count, heads[index + 1].kind == .lost, let body = body(of: heads[index + 1]) else {
      return ([], nil)
    }
    return ([LostValue](body), KeptChanges(body))
  }

  /// All versions; what comes before a record that doesn't fit the one before it is left out.
  var history: VersionHistory? {
    var builder = VersionHistoryBuilder()
    for (index, head) in heads.enumerated() { add(head, at: index, to: &builder) }
    return builder.history
  }

  func add(_ head: LogRecord.Head, at index: Int, to builder: inout VersionHistoryBuilder) {
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
      let (lost, kept) = outcome(after: index)
      builder.append(head.version, whole: value, lost: lost, kept: kept, stands: head.mark == nil)
    case .patch:
      let (lost, kept) = outcome(after: index)
      guard builder.newest?.hash == head.before, builder.value != nil, let body = body(of: head),
        let patch = try? JSONPatch(body),
        (try? builder.append(head.version, patch, lost: lost, kept: kept, stands: head.mark == nil)) != nil
      else { return builder = VersionHistoryBuilder() }
    }
  }
}
