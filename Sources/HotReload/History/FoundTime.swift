import StateJSON

/// The time at which a file had been modified last that somebody had saved from outside, where it lies in the folder that it is shared
/// through: that and its bytes say which of the versions it is that devices tell each other of.
///
/// It follows the version in its log, as a record of kind `found`; BODY is the number of nanoseconds since 1970, in brackets
/// where whoever brought the file may yet have been about to set its time. To programs that share nothing that is a remark.
struct FoundTime: Sendable, Equatable {
  /// Nanoseconds since 1970.
  let modified: Int64
  /// Whether it stays. Otherwise the file was modified then, or before.
  let isSure: Bool

  private static let kind = "found"

  /// The record that says it, its line feed included.
  func line(of version: Version) -> [UInt8] {
    let body = isSure ? "\(modified)" : "[\(modified)]"
    return LogRecord(kind: .read, version: version, before: nil, body: Array(body.utf8)).line(ofKind: Self.kind)
  }

  /// The time that a record says; `nil` unless it is one, about this version.
  static func reading(_ line: Range<Int>, of version: ContentHash, in text: UnsafeRawBufferPointer) -> FoundTime? {
    guard let place = LogRecord.remark(ofKind: kind, on: version, at: line, in: text)?.body else { return nil }
    let body = String(decoding: text[place], as: UTF8.self)
    let isSure = !body.hasPrefix("[")
    return Int64(isSure ? body[...] : body.dropFirst().dropLast()).map { FoundTime(modified: $0, isSure: isSure) }
  }
}
