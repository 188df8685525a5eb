import StateJSON

/// The format of a version log, as the log tells it: a record like ``LogRecord``, which is a remark to programs that know no format.
struct LogFormat {
  /// The newest format that this program knows, which ``LogRecord`` describes.
  static let known = 2
  /// What stands where a remark has the hash of a version, and is that of none: the word `format`, in ASCII.
  static let hash = ContentHash(high: 0, low: 0x0000_666F_726D_6174)
  /// What a log says of which this program writes the first record.
  static let own = LogFormat(needs: 1)

  /// The least format that a program must know to go on with the log.
  let needs: Int
  /// The record, its line feed included: another release may have said more in it.
  let line: [UInt8]

  private init(needs: Int) {
    self.needs = needs
    let version = Version(hash: Self.hash, time: 0, cause: .action, instance: "format")
    let body: JSONValue = ["format": .number(JSONNumber(Self.known)), "needs": .number(JSONNumber(needs))]
    line = LogRecord(kind: .read, version: version, before: nil, body: body).line
  }

  /// What a record says, if it says anything of the format.
  init?(_ head: LogRecord.Head, in text: UnsafeRawBufferPointer) {
    guard head.kind == .read, head.version.hash == Self.hash,
      // The check says that it is what was written: what can't be read is no such record.
      case .object(let body) = try? JSONValue(parsing: Array(text[head.body])),
      case .number(let number) = body["needs"], let needs = number.exactly(Int.self)
    else { return nil }
    self.needs = needs
    line = Array(text[head.line]) + [UInt8(ascii: "\n")]
  }

  /// The one of two that counts: which needs more, or else the second.
  static func newer(_ one: LogFormat?, _ other: LogFormat?) -> LogFormat? {
    guard let one, let other else { return one ?? other }
    return one.needs > other.needs ? one : other
  }
}
