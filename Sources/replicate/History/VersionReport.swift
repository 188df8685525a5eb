import HotReload
import StateJSON
import TerminalScreen

extension VersionHistory.Entry {
  /// As many digits as mostly tell versions apart.
  private static let shownDigits = 8
  private static let shownPointers = 4

  /// The beginning of its hash.
  var digits: String { String(version.hash.description.prefix(Self.shownDigits)) }

  /// The places that the version changed.
  var pointers: [JSONPointer] { changes?.operations.map(\.path) ?? [] }

  /// The version as words of one width: its digits, its time, its cause and its author.
  var words: [String] {
    [
      digits, WallClock.localTime(milliseconds: version.time), cause.padding(to: 7), author.padding(to: 8),
    ]
  }

  /// The version on one line, with the places that it changed.
  var line: String {
    var words = words
    // What a merge alone changed in a save is what it kept.
    if pointers != kept?.pointers { words += Self.shown(pointers) }
    if let kept {
      let authors = kept.authors.isEmpty ? [] : ["of"] + kept.authors
      words.append("(kept \((Self.shown(kept.pointers) + authors).joined(separator: " ")))")
    }
    if !lost.isEmpty { words.append("(won over \(lost.map { "\($0.pointer)" }.joined(separator: " ")))") }
    return words.joined(separator: "  ")
  }

  private static func shown(_ pointers: [JSONPointer]) -> [String] {
    pointers.prefix(shownPointers).map(\.shown)
      + (pointers.count > shownPointers ? ["and \(pointers.count - shownPointers) more"] : [])
  }

  private var device: String? { DeviceName.named(by: version.instance) }
  var cause: String { device == nil || version.cause != .action ? version.cause.told.rawValue : "device" }
  var author: String { device ?? version.instance }

  /// Which version it is, as members of a report.
  var identification: [(String, JSONValue)] {
    [
      ("version", .string("\(version.hash)")), ("time", .string(WallClock.universalTime(milliseconds: version.time))),
      ("cause", .string(cause)), ("instance", .string(author)),
    ]
  }
}

extension HistoryStep {
  /// The version as JSON; with the values that stood at the places it changed, if they are wanted, and the actions that made it, if
  /// these are known.
  func report(withValues: Bool, actions: [JSONValue]?) -> JSONValue {
    let lost = entry.lost.map {
      JSONValue(present: ["path": .string("\($0.pointer)"), "value": $0.value])
    }
    var object = JSONObject()
    for (key, value) in entry.identification { object[key] = value }
    object["changed"] = .array(entry.pointers.map { .string("\($0)") })
    object["lost"] = .array(lost)
    object["kept"] = .array((entry.kept?.pointers ?? []).map { .string("\($0)") })
    object["by"] = .array((entry.kept?.authors ?? []).map(JSONValue.string))
    object["actions"] = actions.map(JSONValue.array)
    if withValues { object["changes"] = .array(changes.map(\.report)) }
    return .object(object)
  }
}

/// Who set a value, in words.
struct BlameReport {
  enum Origin {
    case version(VersionHistory.Entry)
    /// It was there before the first version that is known.
    case before(VersionHistory.Entry)
    /// It was saved, and no instance has seen that yet.
    case unseen
  }

  let line: Blame.Line
  let origin: Origin
  /// What the version was made of, where that was recorded.
  let actions: [JSONValue]?

  /// The value on one line, behind the version that set it.
  var text: String {
    // One action says what was done; of several nobody knows which it was.
    let action = actions.flatMap { $0.count == 1 ? "  by \($0[0])" : nil } ?? ""
    return [source, "\(line.pointer.shown): \(line.value)\(action)"].joined(separator: "  ")
  }

  private var source: String {
    switch origin {
    case .version(let entry): entry.words.joined(separator: "  ")
    case .before(let entry):
      "before \(entry.digits)".padding(to: entry.words.joined(separator: "  ").columns)
    case .unseen: "not seen by an instance yet"
    }
  }

  /// The same as JSON.
  var value: JSONValue {
    var object = JSONObject(present: ["path": .string("\(line.pointer)"), "value": line.value])
    switch origin {
    case .version(let entry):
      for (key, value) in entry.identification { object[key] = value }
      object["actions"] = actions.map(JSONValue.array)
    case .before(let entry): object["before"] = .string("\(entry.version.hash)")
    case .unseen: break
    }
    return .object(object)
  }
}
