import Replication
import StateJSON
import TestSupport

/// Something on a machine that people use its document with.
enum Instance {
  /// An app, whose actions are reduced.
  case app(SampleApp)
  /// The command, whose verbs say what they do.
  case verbs
  /// An editor that saves whole documents, of what it has read last.
  case editor(buffer: JSONValue?)

  /// What a person does to a document: what it is then, and how that is said.
  typealias Deed = (document: JSONValue?, action: JSONValue?, app: AppVersion?)

  /// One thing that is done; `nil` if nothing is. The name is one that nobody has used.
  mutating func act(on document: JSONValue, _ name: String, _ random: inout SplitMix64) throws -> Deed? {
    switch self {
    case .app(let app):
      let action = Self.appAction(on: document, name, &random)
      return (try app.reducing(document, by: [action]), action, app.version)
    case .verbs:
      let verb = Self.verb(on: document, name, &random)
      guard let parsed = DocumentAction(verb) else { return nil }
      var after: JSONValue? = document
      parsed.apply(to: &after)
      return (after, verb, nil)
    case .editor(var buffer):
      if buffer == nil || random.oneIn(2) { buffer = document }
      guard let read = buffer else { return nil }
      let saved = Self.edited(read, name, &random)
      let merged = JSONMerge.value(base: read, older: document, newer: saved)
      self = .editor(buffer: random.oneIn(2) ? merged : saved)
      return merged == document ? nil : (merged, nil, nil)
    }
  }

  private static func appAction(on document: JSONValue, _ name: String, _ random: inout SplitMix64) -> JSONValue {
    let (tokens, rows) = (document.tokens, document.rows)
    switch random.below(100) {
    case ..<20: return ["token", .string(name)]
    case ..<30 where !tokens.isEmpty: return ["token", .string(random.pick(tokens) + "/" + name)]
    case ..<50: return ["add", .number(JSONNumber(1 + random.below(5)))]
    case ..<60: return ["cap", .number(JSONNumber(random.pick([3, 5, 9])))]
    case ..<72: return ["row", .string(name), .number(JSONNumber(random.below(50)))]
    case ..<80 where !rows.isEmpty: return ["row+", random.pick(rows)]
    case ..<84 where !rows.isEmpty: return ["drop", random.pick(rows)]
    case ..<92: return ["tag", .string(name)]
    default: return ["title", .string(name)]
    }
  }

  private static func verb(on document: JSONValue, _ name: String, _ random: inout SplitMix64) -> JSONValue {
    let tokens = document.tokens
    switch random.below(100) {
    case ..<25: return ["set", .string("\(JSONPointer(["tokens", name]))"), 1]
    case ..<40 where !tokens.isEmpty:
      return ["set", .string("\(JSONPointer(["tokens", random.pick(tokens) + "/" + name]))"), 1]
    case ..<65: return ["increment", "/n", 1]
    case ..<80: return ["append", "/tags", .string(name)]
    default: return ["set", "/title", .string(name)]
    }
  }

  /// What an editor makes of a document.
  private static func edited(_ document: JSONValue, _ name: String, _ random: inout SplitMix64) -> JSONValue {
    guard case .object(var state) = document else { return document }
    var rows = document[member: "rows"].elements
    switch random.below(12) {
    case ..<3:
      guard case .object(var tokens) = document[member: "tokens"] else { return document }
      tokens[random.oneIn(2) || document.tokens.isEmpty ? name : random.pick(document.tokens) + "/" + name] = 1
      state["tokens"] = .object(tokens)
    case ..<6: rows.insert(["id": .string(name), "v": 7], at: random.below(rows.count + 1))
    // Several are to meet at the same rows.
    case ..<9 where !rows.isEmpty:
      let place = random.below(min(rows.count, 2))
      guard case .object(var row) = rows[place] else { return document }
      row["note"] = .string(name)
      rows[place] = .object(row)
    case ..<10 where !rows.isEmpty: rows.remove(at: random.below(min(rows.count, 2)))
    case ..<11 where rows.count > 1: rows.append(rows.remove(at: random.below(rows.count)))
    default: state["title"] = .string(name)
    }
    state["rows"] = .array(rows)
    return .object(state)
  }
}

extension JSONValue {
  /// The names of its tokens.
  var tokens: [String] { if case .object(let tokens) = self[member: "tokens"] { tokens.keys } else { [] } }

  /// The IDs of its rows.
  var rows: [JSONValue] { self[member: "rows"].elements.compactMap(\.id) }
}
