import StateJSON

/// One line of a version log: `CHECK KIND VERSION BEFORE TIME CAUSE INSTANCE BODY`, ended by a line feed.
///
/// The fields are separated by single spaces; CHECK is the first half of the hash of all that follows it, without the
/// line feed. BODY is compact JSON. What the fields before it say can be read without parsing it.
///
/// Before the line of a version that is yet to come to stand in the file, there is a mark, which becomes a space once it
/// does.
///
/// This is format 2 of such logs. The log says so in a record of kind `read`, whose BODY is like
/// `{"format":2,"needs":1}`. Its VERSION is ``LogFormat/hash``, and its INSTANCE the word `format`. `format` is the
/// newest format that its writer knew. `needs` is the least that a program must know to go on with the log. A program
/// that knows less neither reads the log nor changes it. The record stands at the beginning of each new log and of each
/// thinned one.
///
/// Format 1 has no such record, and not the next rule either. Its programs may run beside. To them the record says that
/// somebody had read a version, and since that isn't in the log they pass over it. They leave it out of a log that they
/// thin. Where it is missing, it is added with what is added next.
///
/// A record whose CHECK is right and whose KIND isn't known is a remark of a later format. It says something of the
/// versions before it, and none of its other fields is looked at. It stays, byte for byte, as long as the version that
/// it follows. A format that has other kinds of versions, or other causes, must raise `needs`. Who raises it puts a new
/// log in the place of the old one: of one that they know, others may read only the end of what was added.
struct LogRecord {
  /// The mark of a version that did not stand in the file yet.
  static let mark = UInt8(ascii: "?")
  /// What takes its place.
  static let space = UInt8(ascii: " ")

  enum Kind: String, CaseIterable {
    /// Whether it says something of the versions before it, and is none itself.
    var isRemark: Bool { self == .read || self == .withdrawn }

    /// BODY is the version's value.
    case whole
    /// BODY is the patch that leads here from the version of the record before this one.
    case patch
    /// The version, and any after it, never came to stand in the file, or was taken back; BODY is `null`.
    case aborted
    /// BODY lists what lost to the version of the record before when that was merged, and what was kept from the save.
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
  /// What BODY is, as text.
  var body: [UInt8]

  /// How many digits CHECK has.
  private static let checkCount = 16

  /// The line, its line feed included.
  var line: [UInt8] { line(ofKind: kind.rawValue) }

  /// The same as one of another kind: a remark, to programs that don't know it.
  func line(ofKind kind: String) -> [UInt8] {
    var text: [UInt8] = []
    // Three hashes, and the rest of the fields.
    text.reserveCapacity(body.count + 192)
    let checked = Self.checkCount + 1
    text += repeatElement(Self.space, count: checked)
    text += kind.utf8
    text.append(Self.space)
    version.hash.write(to: &text)
    text.append(Self.space)
    if let before { before.write(to: &text) } else { text.append(UInt8(ascii: "-")) }
    for field in [String(version.time), version.cause.rawValue, version.instance] {
      text.append(Self.space)
      text += field.utf8
    }
    text.append(Self.space)
    text += body
    var check: [UInt8] = []
    text.withUnsafeBytes { Self.check($0[checked...]) }.write(digits: Self.checkCount, to: &check)
    text.replaceSubrange(..<Self.checkCount, with: check)
    text.append(UInt8(ascii: "\n"))
    return text
  }

  private static func check(_ text: Slice<UnsafeRawBufferPointer>) -> ContentHash {
    ContentHash(UnsafeRawBufferPointer(rebasing: text))
  }
}

extension LogRecord {
  init(kind: Kind, version: Version, before: ContentHash?, body: JSONValue) {
    self.init(kind: kind, version: version, before: before, body: body.bytes(format: .compact))
  }

  /// What the fields of a line say, before its body is parsed.
  struct Head {
    let kind: Kind
    let version: Version
    let before: ContentHash?
    /// Where the mark is, if there still is one, in the text that the line is part of.
    let mark: Int?
    /// Where the line is in the text that it is part of, without its mark, and without its line feed.
    let line: Range<Int>
    /// Where the body is.
    let body: Range<Int>
    /// Where the lines are of records of unknown kinds that follow it, with their marks, and without their line feeds.
    var unknown: [Range<Int>] = []
  }

  /// The line that starts at a place of a text, without its line feed, its kind, if that is known, and whether it is a remark of
  /// the log's format; nil unless it is whole.
  static func line(
    startingAt start: Int, in text: UnsafeRawBufferPointer
  ) -> (line: Range<Int>, kind: Kind?, isFormat: Bool)? {
    guard let end = text.lineEnd(from: start) else { return nil }
    var fields = Fields(text[start..<end])
    guard fields.areWhole() else { return nil }
    let kind = fields.next().flatMap(Kind.init(utf8:))
    let isFormat = kind == .read && fields.next().flatMap(ContentHash.init(digits:)) == LogFormat.hash
    return (start..<end, kind, isFormat)
  }

  /// Reads a line of a text, its line feed not included; nil unless it is whole.
  static func head(of line: Range<Int>, in text: UnsafeRawBufferPointer) -> Head? {
    var fields = Fields(text[line])
    let start = fields.rest.startIndex
    guard fields.areWhole(), let kind = fields.next().flatMap(Kind.init(utf8:)),
      let hash = fields.next().flatMap(ContentHash.init(digits:)), let before = fields.next(),
      let time = fields.next().flatMap({ Int64(String(decoding: $0, as: UTF8.self)) }),
      let cause = fields.next().flatMap(Version.Cause.init(utf8:)),
      let instance = fields.next()
    else { return nil }
    return Head(
      kind: kind,
      version: Version(hash: hash, time: time, cause: cause, instance: String(decoding: instance, as: UTF8.self)),
      before: ContentHash(digits: before), mark: fields.isMarked ? line.lowerBound : nil,
      line: start..<line.upperBound, body: fields.rest.startIndex..<line.upperBound)
  }

  /// A remark on a version, read: the version before that, and where the remark's body is; nil unless the line is one of that kind.
  /// Not all programs know all kinds.
  static func remark(
    ofKind kind: String, on version: ContentHash, at line: Range<Int>, in text: UnsafeRawBufferPointer
  ) -> (before: ContentHash?, body: Range<Int>)? {
    var fields = Fields(text[line])
    guard fields.areWhole(), fields.next()?.elementsEqual(kind.utf8) == true,
      fields.next().flatMap(ContentHash.init(digits:)) == version, let before = fields.next()
    else { return nil }
    // TIME, CAUSE and INSTANCE.
    for _ in 0..<3 where fields.next() == nil { return nil }
    return (ContentHash(digits: before), fields.rest.startIndex..<fields.rest.endIndex)
  }

  /// The fields of a line, one after the other.
  struct Fields {
    private(set) var rest: Slice<UnsafeRawBufferPointer>
    let isMarked: Bool

    init(_ line: Slice<UnsafeRawBufferPointer>) {
      isMarked = line.first == mark
      rest = isMarked || line.first == space ? line.dropFirst() : line
    }

    /// The next field, up to a space.
    mutating func next() -> UnsafeRawBufferPointer? {
      guard let end = rest.base.place(of: space, from: rest.startIndex), end < rest.endIndex else { return nil }
      defer { rest = rest[(end + 1)...] }
      return UnsafeRawBufferPointer(rebasing: rest[..<end])
    }

    /// Whether the next field, the first, is the check of the others.
    mutating func areWhole() -> Bool {
      guard let check = next(), check.count == checkCount else { return false }
      return LogRecord.check(rest).begins(with: check)
    }
  }
}

extension RawRepresentable where Self: CaseIterable, RawValue == String {
  /// The case that a field names; a String of it isn't made for that.
  fileprivate init?(utf8 name: UnsafeRawBufferPointer) {
    guard let known = Self.allCases.first(where: { $0.rawValue.utf8.elementsEqual(name) }) else { return nil }
    self = known
  }
}

extension [LostValue] {
  /// As they stand in a record.
  var elements: [JSONValue] {
    map { lost in
      var object = JSONObject()
      object["path"] = .string("\(lost.pointer)")
      object["value"] = lost.value
      return .object(object)
    }
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

/// One more element of the same list, which programs that don't know it leave out.
extension KeptChanges {
  /// As they stand in a record.
  var element: JSONValue {
    ["kept": .array(pointers.map { .string("\($0)") }), "by": .array(authors.map(JSONValue.string))]
  }

  /// What a record says, if it says anything of that.
  init?(_ value: JSONValue) {
    guard case .array(let elements) = value else { return nil }
    for case .object(let object) in elements {
      guard case .array(let places) = object["kept"], case .array(let authors) = object["by"] else { continue }
      self.init(
        pointers: places.compactMap { $0.text.flatMap { try? JSONPointer(parsing: $0) } },
        authors: authors.compactMap(\.text))
      return
    }
    return nil
  }
}
