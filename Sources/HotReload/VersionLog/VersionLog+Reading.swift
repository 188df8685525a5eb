import StateJSON

extension VersionLog {
  /// The versions, as ``history()``, for who holds the shared file's lock. Where none can be made of the records, the next
  /// one that is added stands by itself. What was read before isn't read again.
  func historyUnderLock() throws(SystemError) -> VersionHistory? {
    let last = try lastVersion()
    try readOn(&reader)
    let history = reader?.history
    if history == nil, last != nil {
      current?.end?.version = nil
      cache = nil
    }
    return history
  }

  /// Whether a patch of the newest version touches no place that any version has changed, or gives it a value that none had there.
  /// Needs the shared file's lock.
  func isApart(_ patch: JSONPatch, of newest: JSONDocument) throws(SystemError) -> Bool {
    _ = try lastVersion()
    try readOn(&places)
    guard let known = places?.places else { return false }
    // A place that no version has changed held the same in all of them.
    for place in known.untouched(by: patch) { insertOldest(place, of: newest) }
    let unfinished = known.unfinished(by: patch)
    if !unfinished.isEmpty, let oldest = try oldestDocument() {
      for place in unfinished { insertOldest(place, of: oldest) }
    }
    return places?.places.areApart(from: patch) ?? false
  }

  /// Notes what a place holds in a version, which is what it held in the oldest one.
  private func insertOldest(_ place: JSONPointer, of document: JSONDocument) {
    if let value = document.value(at: place) { places?.places.insert(oldest: value, at: place) }
  }

  /// The document of the oldest version; `nil` where there is none.
  private func oldestDocument() throws(SystemError) -> JSONDocument? {
    let records = LogRecords(try text(from: 0, to: current?.end?.size ?? 0))
    guard let head = records.heads.first(where: { $0.kind == .whole }) else { return nil }
    // The check says that it is what was written; of what can't be read nothing is known.
    return try? JSONDocument(parsing: Array(records.text[head.body]))
  }

  /// Reads what has been added since it was read last, or all if another log stands there now.
  private func readOn<Reader: LogReader>(_ reader: inout Reader?) throws(SystemError) {
    guard let identity = current?.identity, let size = current?.end?.size, size > 0 else { return reader = nil }
    if let known = reader, known.file != identity || known.size > size { reader = nil }
    for mark in reader?.marks ?? [] where try text(from: mark.place, to: mark.place + 1) != [LogRecord.mark] {
      reader?.confirm(mark.version)
    }
    let known = reader?.size ?? 0
    if known == size { return }
    if known > 0 { reader?.read(try text(from: known, to: size)) }
    // A program of format 1 may have cut off records that it didn't know, and gone on from there.
    if reader?.size != size {
      reader = Reader(of: identity)
      reader?.read(try text(from: 0, to: size))
    }
  }

  /// The versions in the log, also those that may never have stood, or nil where there are none. Without the shared file's
  /// lock, those that were there a moment ago.
  ///
  /// - Throws: When the log can't be read, or needs a program that knows more.
  package func history() throws(SystemError) -> VersionHistory? {
    guard let records = try records() else { return nil }
    try records.format?.check(place.path)
    return records.history
  }

  /// The whole log, as far as it is there.
  private func records() throws(SystemError) -> LogRecords? {
    guard let folder = try place.existing() else { return nil }
    let file = try folder.open(place.name, System.O_RDONLY)
    return LogRecords(try file.contents(expecting: try file.status().size, limit: .max))
  }

  /// The actions that versions consist of, where they were recorded and can be read by anybody: of an app's own the encoded form.
  ///
  /// - Returns: By the hash of a version; of those with the same bytes the newest.
  /// - Throws: When the log can't be read.
  package func actions() throws(SystemError) -> [ContentHash: [JSONValue]] {
    guard let records = try records() else { return [:] }
    var actions: [ContentHash: [JSONValue]] = [:]
    records.text.withUnsafeBytes { text in
      for head in records.heads {
        for line in head.unknown {
          let reading = RecordedActions.reading(line, of: head.version.hash, after: nil, in: text)
          if let said = reading?.actions, !said.isEmpty { actions[head.version.hash] = said }
        }
      }
    }
    return actions
  }
}
