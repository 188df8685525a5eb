import StateJSON

/// The versions in a log as its records tell them, of which hardly any value is made: the first is a whole one, and each of the
/// others is a patch of the one before it.
struct VersionChain {
  struct Link {
    let version: Version
    /// Its record, by its place in the log.
    let record: Int
    /// What it changed in the one before it, where that is not what its record says, which has the whole value.
    fileprivate(set) var patch: [UInt8]?
    /// The records of what came to stand after it for a moment, and was taken back.
    fileprivate(set) var withdrawn: [Int] = []
    /// The records after it, or its own, that are followed by some of unknown kinds.
    fileprivate(set) var remarked: [Int] = []
    /// Whether somebody from outside had read it while it stood in the file.
    fileprivate(set) var wasRead = false
  }

  let records: LogRecords
  /// Oldest first.
  private(set) var links: [Link] = []

  init(_ records: LogRecords) {
    self.records = records
    for (index, head) in records.heads.enumerated() {
      add(head, at: index)
      if !head.unknown.isEmpty, !links.isEmpty { links[links.count - 1].remarked.append(index) }
    }
    connect()
  }

  /// As ``LogRecords/add(_:at:to:)`` does with values.
  private mutating func add(_ head: LogRecord.Head, at index: Int) {
    switch head.kind {
    case .lost: break
    case .read:
      guard let index = links.lastIndex(where: { $0.version.hash == head.version.hash }) else { break }
      links[index].wasRead = true
    case .withdrawn:
      guard let newest = links.last, newest.version.hash == head.before else { break }
      links[links.count - 1].withdrawn.append(index)
    case .aborted:
      guard links.last?.version.hash == head.version.hash else { break }
      repeat { links.removeLast() } while links.last?.version.cause == .merged
    case .whole:
      links.append(Link(version: head.version, record: index))
    case .patch:
      guard let newest = links.last, newest.version.hash == head.before else { return links = [] }
      links.append(Link(version: head.version, record: index))
    }
  }

  /// Finds out what the whole versions changed that aren't the first. Where a record leads to no value, the chain begins after it.
  private mutating func connect() {
    guard let last = links.lastIndex(where: isWhole), last > 0 else { return }
    var value: JSONValue?
    var first = 0
    for index in 0...last {
      let next = self.value(of: links[index], after: value)
      if let next, let value, isWhole(links[index]) { links[index].patch = JSONPatch(from: value, to: next).text }
      if next == nil { first = index + 1 }
      value = next
    }
    links.removeFirst(min(first, links.count))
  }

  private func isWhole(_ link: Link) -> Bool { records.heads[link.record].kind == .whole }

  /// The value of a version; `nil` where the record can't be read, or was made from something else.
  func value(of link: Link, after former: JSONValue?) -> JSONValue? {
    let head = records.heads[link.record]
    guard let body = records.body(of: head) else { return nil }
    if head.kind == .whole { return body }
    return (try? JSONPatch(body)).flatMap { try? former?.applying($0) }
  }

  /// How long the text is of what a version changed in the one before it.
  func patchLength(of link: Link) -> Int { link.patch?.count ?? records.heads[link.record].body.count }

  /// The record of a version as a change of the one before it.
  func line(of link: Link, before: ContentHash?) -> ArraySlice<UInt8> {
    guard let patch = link.patch else { return records.line(of: link.record) }
    return LogRecord(kind: .patch, version: link.version, before: before, body: patch).line[...]
  }

  /// The record of what lost a conflict when a version was merged, if anything did.
  func lost(of link: Link) -> ArraySlice<UInt8>? {
    let next = link.record + 1
    guard next < records.heads.count, records.heads[next].kind == .lost else { return nil }
    return records.line(of: next)
  }

  /// What else is said after a version, before the next.
  func remarks(of link: Link) -> [ArraySlice<UInt8>] {
    link.withdrawn.map(records.line) + link.remarked.flatMap(records.unknown)
  }
}
