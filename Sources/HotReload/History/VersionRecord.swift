import StateJSON

/// One line of a version log: `CHECK KIND VERSION BEFORE TIME CAUSE INSTANCE BODY`, ended by a line feed.
///
/// The fields are separated by single spaces; CHECK is the first half of the hash of all that follows it, without the
/// line feed. BODY is compact JSON. What the fields before it say can be read without parsing it.
///
/// Before the line of a version that is yet to come to stand in the file, there is a mark, which becomes a space once it
/// does.
struct VersionRecord {
  /// The mark of a version that did not stand in the file yet.
  static let mark = UInt8(ascii: "?")
  /// What takes its place.
  static let space = UInt8(ascii: " ")

  enum Kind: String {
    /// Whether it says something of the versions before it, and is none itself.
    var isRemark: Bool { self == .read || self == .withdrawn }

    /// BODY is the version's value.
    case whole
    /// BODY is the patch that leads here from the version of the record before this one.
    case patch
    /// The version, and any after it, never came to stand in the file, or was taken back; BODY is `null`.
    case aborted
    /// BODY lists what lost to the version of the record before when that was merged.
    case lost
    /// The version stood in the file for a moment and was taken back, so that it is none, but a save may be made from it;
    /// BODY is the patch that leads to it from the version of the record before.
    case withdrawn
    /// Somebody from outside had read the version, one of those before, while it stood in the file; BODY is `null`.
    case read
  }

  var kind: Kind
  var version: Version
  /// The hash of the version of the record before this one, if there is one.
  var before: ContentHash?
  var body: JSONValue

  /// The line, its line feed included.
  var line: [UInt8] {
    let body = body.bytes(format: .compact)
    var text: [UInt8] = []
    // Three hashes, and the rest of the fields.
    text.reserveCapacity(body.count + 192)
    text += kind.rawValue.utf8
    text.append(Self.space)
    version.hash.write(to: &text)
    text.append(Self.space)
    if let before { before.write(to: &text) } else { text += "-".utf8 }
    for field in [String(version.time), version.cause.rawValue, version.instance] {
      text.append(Self.space)
      text += field.utf8
    }
    text.append(Self.space)
    text += body
    let check = Self.check(text[...])
    text.insert(contentsOf: check + [Self.space], at: 0)
    text.append(UInt8(ascii: "\n"))
    return text
  }

  private static func check(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var digits: [UInt8] = []
    text.withUnsafeBytes { ContentHash($0) }.write(digits: 16, to: &digits)
    return digits
  }
}

extension VersionRecord {
  /// What the fields of a line say, before its body is parsed.
  struct Head {
    let kind: Kind
    let version: Version
    let before: ContentHash?
    /// Where the mark is, if there still is one, in the text that the line is part of.
    let mark: Int?
    /// Where the body is in the text that the line is part of.
    let body: Range<Int>
  }

  /// Reads a line, given without its line feed; nil unless it is whole.
  static func head(of line: ArraySlice<UInt8>) -> Head? {
    let mark = line.first == Self.mark ? line.startIndex : nil
    let line = line.first == Self.mark || line.first == space ? line.dropFirst() : line
    var fields: [ArraySlice<UInt8>] = []
    var start = line.startIndex
    while fields.count < 7, let end = line[start...].firstIndex(of: space) {
      fields.append(line[start..<end])
      start = end + 1
    }
    func text(_ field: Int) -> String { String(decoding: fields[field], as: UTF8.self) }
    guard fields.count == 7, Self.check(line[fields[1].startIndex...])[...] == fields[0],
      let kind = Kind(rawValue: text(1)),
      let hash = ContentHash(digits: fields[2]), let time = Int64(text(4)), let cause = Version.Cause(rawValue: text(5))
    else { return nil }
    return Head(
      kind: kind, version: Version(hash: hash, time: time, cause: cause, instance: text(6)),
      before: ContentHash(digits: fields[3]), mark: mark, body: start..<line.endIndex)
  }
}

extension [LostValue] {
  /// As it stands in a record.
  var value: JSONValue {
    .array(
      map { lost in
        var object = JSONObject()
        object["path"] = .string("\(lost.pointer)")
        object["value"] = lost.value
        return .object(object)
      })
  }

  /// What a record says; what can't be read is left out.
  init(_ value: JSONValue) {
    self = []
    guard case .array(let elements) = value else { return }
    for case .object(let object) in elements {
      guard case .string(let path) = object["path"], let pointer = try? JSONPointer(parsing: path) else { continue }
      append(LostValue(pointer: pointer, value: object["value"]))
    }
  }
}
