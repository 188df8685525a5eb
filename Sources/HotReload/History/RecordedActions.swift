import Replication
import StateJSON

/// The actions that a version consists of, as they are encoded, where the file is shared with other devices.
///
/// They follow the version in its log, as a record of kind `actions` whose BEFORE is the version that they were done to; BODY is
/// like `{"actions":[["increment","/n",1]]}`, with the version and the name of an app, `"app":[3,"player"]`, if they are its, and
/// with what they were done to, `"on":…`, where that is none of the versions, as where a file is made. One that is made of what it
/// holds by default alone has no actions, `{"actions":[]}`. Where they can't be encoded
/// it is like `{"sums":["/n"]}`, with the places of numbers to which they added. To programs that share nothing that is a remark.
package struct RecordedActions: Sendable, Equatable {
  /// The app, and how it is written; that of no app for actions that every device knows.
  private let form: Form
  /// One after another as JSON, with commas between them; `nil` if they can't be encoded. A text, as who commits needs nothing else of
  /// them.
  private var text: [UInt8]?
  /// The places of numbers to which they added, if they can't be.
  private let sums: Set<JSONPointer>
  /// The document that they were done to, where that is no version: a save had been merged to it in the same write.
  var ground: JSONValue?

  /// None yet.
  init(_ form: Form) { (self.form, text, sums) = (form, [], []) }

  package init(app: AppVersion? = nil, actions: [JSONValue]) {
    self.init(Form(of: app))
    for action in actions { append(action.bytes(format: .compact)) }
  }

  /// Those that can't be encoded, and add to the numbers at some places.
  init(sums: Set<JSONPointer>) { (form, text, self.sums) = (.ofEveryone, nil, sums) }

  /// Whether they are none.
  var isEmpty: Bool { text?.isEmpty == true }

  /// Adds one more, as JSON without white space; nothing if that is empty.
  mutating func append(_ action: [UInt8]) {
    if text?.isEmpty == false, !action.isEmpty { text?.append(UInt8(ascii: ",")) }
    text? += action
  }

  /// These, and then others; `nil` if they are another app's, or all together would be longer than what other devices read.
  func followed(by others: RecordedActions) -> RecordedActions? {
    guard let text, let more = others.text else { return self == others ? self : nil }
    guard form == others.form, text.count + more.count < JournalLimits.lineLength else { return nil }
    if isEmpty { return others }
    var all = self
    all.append(more)
    return all
  }

  private static let kind = "actions"

  /// The record that says them, its line feed included.
  func line(of version: Version, before: ContentHash?) -> [UInt8] {
    var body: [UInt8] = []
    body.reserveCapacity((text?.count ?? 0) + 64)
    if let text {
      body += Form.start
      body += text
      body += form.end
    } else {
      body += #"{"sums":"#.utf8
      body += JSONValue.array(sums.map { "\($0)" }.sorted().map { .string($0) }).bytes(format: .compact)
      body.append(UInt8(ascii: "}"))
    }
    if let ground {
      body.removeLast()
      body += #","on":"#.utf8
      body += ground.bytes(format: .compact)
      body.append(UInt8(ascii: "}"))
    }
    return LogRecord(kind: .read, version: version, before: before, body: body).line(ofKind: Self.kind)
  }

  /// The contents of a record.
  struct Reading {
    let app: AppVersion?
    /// `nil` if they can't be encoded.
    let actions: [JSONValue]?
    let sums: Set<JSONPointer>
    let ground: JSONValue?
    /// Whether there was no version before theirs.
    var isFirst = false
    /// How many bytes the record has.
    let size: Int

    /// Whether a file was made of what it holds by default, and nothing was done to that.
    var isOfDefaults: Bool { isFirst && ground == nil && actions?.isEmpty == true }
  }

  /// The contents of a record; `nil` unless it is one, about this version, and made of the predecessor that is given, if one is.
  static func reading(
    _ line: Range<Int>, of version: ContentHash, after predecessor: ContentHash??, in text: UnsafeRawBufferPointer
  ) -> Reading? {
    guard let (before, place) = LogRecord.remark(ofKind: kind, on: version, at: line, in: text),
      predecessor.map({ $0 == before }) ?? true,
      // The check says that it is what was written.
      case .object(let body) = try? JSONValue(parsing: Array(text[place]))
    else { return nil }
    var (actions, sums): ([JSONValue]?, Set<JSONPointer>) = (nil, [])
    switch (body["actions"], body["sums"]) {
    case (.array(let list), _): actions = list
    case (nil, .array(let places)): sums = Set(places.compactMap { $0.text.flatMap { try? JSONPointer(parsing: $0) } })
    default: return nil
    }
    return Reading(
      app: body["app"].flatMap { AppVersion($0) }, actions: actions, sums: sums, ground: body["on"],
      isFirst: before == nil,
      size: line.count)
  }

  /// The text before and behind the actions of an app, in records that say nothing else. It is made once.
  package struct Form: Sendable, Equatable {
    fileprivate static let start = Array(#"{"actions":["#.utf8)
    fileprivate let end: [UInt8]

    /// The form of the actions that every device knows.
    static let ofEveryone = Form(of: nil)

    init(of app: AppVersion?) {
      let told = app.map { Array(#","app":"#.utf8) + $0.value.bytes(format: .compact) } ?? []
      end = [UInt8(ascii: "]")] + told + [UInt8(ascii: "}")]
    }
  }

  /// Where the actions are in a record of some form, without the brackets; `nil` unless it is one, about this version and made of
  /// this predecessor. It isn't parsed: what is there may say more.
  static func place(
    in line: Range<Int>, of version: ContentHash, after predecessor: ContentHash?, form: Form,
    in text: UnsafeRawBufferPointer
  ) -> Range<Int>? {
    guard let (before, body) = LogRecord.remark(ofKind: kind, on: version, at: line, in: text), before == predecessor,
      body.count > Form.start.count + form.end.count, text[body].starts(with: Form.start),
      text[body].suffix(form.end.count).elementsEqual(form.end)
    else { return nil }
    return body.dropFirst(Form.start.count).dropLast(form.end.count)
  }
}

/// One action as it is recorded.
package enum RecordedAction: Sendable {
  /// Nothing was done.
  case nothing
  /// It can't be encoded.
  case unsayable
  /// As JSON without white space; empty for what others have told already.
  case text([UInt8])
}
