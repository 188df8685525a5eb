// The app of the model in Tests/SharedFolderModel/app.py.

import Replication
import StateJSON

/// The app of the model, in its newest version.
struct ModelApp: ActionReducer {
  let version = AppVersion(version: 1, name: "app")

  private static let initial: JSONObject = JSONObject(
    unique: ["n", "m", "title", "tokens", "rows", "tags"], values: [0, 0, "", [:], [], []])

  func reducing(_ document: JSONValue?, by actions: [JSONValue]) throws -> JSONValue? {
    var document = document
    for action in actions { try reduce(&document, action) }
    return document
  }

  private func reduce(_ document: inout JSONValue?, _ action: JSONValue) throws {
    guard case .array(let parts) = action, case .string(let kind)? = parts.first else { throw UnknownRequest() }
    if let action = DocumentAction(action) { return action.apply(to: &document) }
    var state = JSONObject()
    if case .object(let object)? = document { state = object }
    for member in Self.initial.members where !(state[member.key]?.hasKind(of: member.value) ?? false) {
      state[member.key] = member.value
    }
    try reduce(&state, kind, Array(parts.dropFirst()))
    document = .object(state)
  }

  private func reduce(_ state: inout JSONObject, _ kind: String, _ arguments: [JSONValue]) throws {
    guard let first = arguments.first else { throw UnknownRequest() }
    switch kind {
    case "token": if case .string(let name) = first { state["tokens"]?.withObject { $0[name] = 1 } }
    case "add": state["n"] = .number(JSONNumber(state["n"].int + first.int))
    case "cap": state["m"] = .number(JSONNumber(min(state["m"].int + 1, min(first.int, 4))))
    case "tag": state["tags"]?.withArray { $0.append(first) }
    case "title": state["title"] = first
    case "drop": state["rows"]?.withArray { rows in rows.removeAll { $0.id == first } }
    case "row+":
      state["rows"]?.withArray { rows in
        for place in rows.indices where rows[place].id == first {
          rows[place].withObject { $0["v"] = .number(JSONNumber($0["v"].int + 1)) }
        }
      }
    case "row":
      guard arguments.count == 2 else { throw UnknownRequest() }
      state["rows"]?.withArray { rows in
        guard !rows.contains(where: { $0.id == first }) else { return }
        rows.insert(["id": first, "v": 0], at: arguments[1].int % (rows.count + 1))
      }
    default: throw UnknownRequest()
    }
  }
}

extension JSONValue {
  fileprivate var id: JSONValue? { if case .object(let object) = self { object["id"] } else { nil } }
  fileprivate var int: Int { Optional(self).int }

  fileprivate func hasKind(of other: JSONValue) -> Bool {
    switch (self, other) {
    case (.number, .number), (.string, .string), (.array, .array), (.object, .object): true
    default: false
    }
  }

  fileprivate mutating func withObject(_ body: (inout JSONObject) -> Void) {
    guard case .object(var object) = self else { return }
    body(&object)
    self = .object(object)
  }

  fileprivate mutating func withArray(_ body: (inout [JSONValue]) -> Void) {
    guard case .array(var elements) = self else { return }
    body(&elements)
    self = .array(elements)
  }
}

extension JSONValue? {
  fileprivate var int: Int { if case .number(let number)? = self { number.exactly(Int.self) ?? 0 } else { 0 } }
}
