import Glibc
import StateJSON

@testable import HotReload

/// A version log as programs of format 1 read and write it, which know neither its format nor other kinds of records.
///
/// Shares nothing with what reads and writes records now.
struct FormerVersionLog {
  let path: String

  private struct Record {
    static let kinds: Set = ["whole", "patch", "aborted", "lost", "withdrawn", "read"]
    static let causes: Set = ["action", "edit", "restore", "merge", "merged"]

    let isMarked: Bool
    let kind: String
    let version: ContentHash
    let before: String
    let body: [UInt8]

    /// Nil unless it is whole, and of a kind that was known.
    init?(_ line: ArraySlice<UInt8>) {
      isMarked = line.first == UInt8(ascii: "?")
      let line = isMarked || line.first == UInt8(ascii: " ") ? line.dropFirst() : line
      let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 7, omittingEmptySubsequences: false)
      guard fields.count == 8 else { return nil }
      let words = fields.dropLast().map { String(decoding: $0, as: UTF8.self) }
      guard words[0] == Self.check(line.dropFirst(17)), Self.kinds.contains(words[1]),
        let version = ContentHash(words[2]), Int64(words[4]) != nil, Self.causes.contains(words[5])
      else { return nil }
      (kind, self.version, before, body) = (words[1], version, words[3], Array(fields[7]))
    }

    static func check(_ text: some Collection<UInt8>) -> String { String("\(ContentHash(Array(text)))".prefix(16)) }
  }

  /// The records up to the first one that isn't whole, or is of an unknown kind, and where each begins; and where that is.
  private func records() throws -> (records: [(start: Int, record: Record)], end: Int) {
    let text = try FileDescriptor(opening: path, O_RDONLY | O_CREAT, permissions: 0o600)
      .contents(expecting: 0, limit: .max)
    var records: [(start: Int, record: Record)] = []
    var end = 0
    while let newline = text[end...].firstIndex(of: UInt8(ascii: "\n")), let record = Record(text[end..<newline]) {
      records.append((end, record))
      end = newline + 1
    }
    return (records, end)
  }

  /// The versions, newest first.
  func versions() throws -> [(number: UInt64, value: JSONValue)] {
    var versions: [(hash: ContentHash, value: JSONValue)] = []
    for (_, record) in try records().records {
      switch record.kind {
      case "whole": versions.append((record.version, try JSONValue(parsing: record.body)))
      case "patch":
        guard let newest = versions.last, "\(newest.hash)" == record.before else {
          versions = []
          continue
        }
        versions.append((record.version, try newest.value.applying(JSONPatch(try JSONValue(parsing: record.body)))))
      case "aborted": if versions.last?.hash == record.version { versions.removeLast() }
      default: break
      }
    }
    return versions.reversed().map { ($0.hash.high, $0.value) }
  }

  func numbers() throws -> [UInt64] { try versions().map(\.number) }

  /// The versions of which somebody noted that they were read.
  func readNumbers() throws -> Set<UInt64> {
    let numbers = try numbers()
    let read = try records().records.lazy.filter { $0.record.kind == "read" }.map(\.record.version.high)
    return Set(read.filter(numbers.contains))
  }

  private static func hash(_ number: UInt64) -> ContentHash { ContentHash(high: number, low: 1) }

  private static func line(_ kind: String, _ number: UInt64, before: UInt64?, _ body: JSONValue) -> [UInt8] {
    let text =
      "\(kind) \(hash(number)) \(before.map { "\(hash($0))" } ?? "-") 1 action former "
      + String(decoding: body.bytes(format: .compact), as: UTF8.self)
    return Array("\(Record.check(text.utf8)) \(text)\n".utf8)
  }

  private static func line(
    _ number: UInt64, _ value: JSONValue, over former: (number: UInt64, value: JSONValue)?
  ) -> [UInt8] {
    guard let former else { return line("whole", number, before: nil, value) }
    return line("patch", number, before: former.number, JSONPatch(from: former.value, to: value).value)
  }

  /// Cuts off what it doesn't know, and adds lines.
  private func append(_ lines: [UInt8]) throws {
    let end = try records().end
    let file = try FileDescriptor(opening: path, O_RDWR)
    try file.truncate(to: end)
    try file.write(lines, at: end)
  }

  /// Adds a version over the newest, which has come to stand.
  func append(_ number: Int) throws {
    if let (start, record) = try records().records.last(where: { $0.record.kind != "read" }), record.isMarked {
      try FileDescriptor(opening: path, O_RDWR).write([UInt8(ascii: " ")], at: start)
    }
    try append(Self.line(UInt64(number), VersionLogTests.value(number), over: try versions().first))
  }

  func noteReader(of number: Int) throws { try append(Self.line("read", UInt64(number), before: nil, .null)) }

  /// Puts a log in its place that has only what is known of the versions, as thinning does.
  func rewrite() throws {
    var lines: [UInt8] = []
    var former: (number: UInt64, value: JSONValue)?
    let read = try readNumbers()
    for version in try versions().reversed() {
      lines += Self.line(version.number, version.value, over: former)
      if read.contains(version.number) { lines += Self.line("read", version.number, before: nil, .null) }
      former = version
    }
    try FileDescriptor(opening: path + "~", O_RDWR | O_CREAT | O_TRUNC, permissions: 0o600).write(lines)
    try SystemError.check("renameat2") { rename(path + "~", path) }
  }
}
