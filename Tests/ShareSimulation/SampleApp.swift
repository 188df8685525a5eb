import Replication
import StateJSON

/// An app with counters that add up, one with a limit, rows, tags, and a title. In version 1 the limit is lower. The model in
/// Tests/SharedFolderModel/app.py has the same.
public struct SampleApp: ActionReducer {
  package let version: AppVersion

  /// Makes a version of the app.
  public init(_ version: Int) { self.version = AppVersion(version: version, name: "app") }

  /// The state that it begins with.
  package static let initial: JSONValue = ["n": 0, "m": 0, "title": "", "tokens": [:], "rows": [], "tags": []]

  /// An action that it doesn't know.
  struct UnknownAction: Error {}

  package func reducing(_ document: JSONValue?, by actions: [JSONValue]) throws -> JSONValue? {
    var state = Self.completed(document)
    for action in actions {
      guard case .array(let parts) = action, case .string(let kind)? = parts.first else { throw UnknownAction() }
      try reduce(&state, kind, parts.dropFirst().first ?? .null, place: parts.count > 2 ? parts[2].integer : 0)
    }
    return .object(state)
  }

  private func reduce(_ state: inout JSONObject, _ kind: String, _ argument: JSONValue, place: Int) throws {
    switch kind {
    case "token":
      guard case .object(var tokens)? = state["tokens"] else { return }
      tokens[argument.string] = 1
      state["tokens"] = .object(tokens)
    case "add": state["n"] = .number(JSONNumber(state["n"]!.integer + argument.integer))
    case "cap":
      let limit = version.version < 1 ? argument.integer : min(argument.integer, 4)
      state["m"] = .number(JSONNumber(min(state["m"]!.integer + 1, limit)))
    case "title": state["title"] = argument
    case "tag": state.change("tags") { $0.append(argument) }
    case "row":
      state.change("rows") { rows in
        guard rows.allSatisfy({ $0.id != argument }) else { return }
        rows.insert(["id": argument, "v": 0], at: place % (rows.count + 1))
      }
    case "row+":
      state.change("rows") { rows in
        for index in rows.indices where rows[index].id == argument {
          guard case .object(var row) = rows[index] else { continue }
          row["v"] = .number(JSONNumber((row["v"]?.integer ?? 0) + 1))
          rows[index] = .object(row)
        }
      }
    case "drop": state.change("rows") { $0.removeAll { $0.id == argument } }
    default: throw UnknownAction()
    }
  }

  /// A document as a state: what is missing, or is of another kind, begins anew.
  private static func completed(_ document: JSONValue?) -> JSONObject {
    guard case .object(let initial) = initial else { preconditionFailure("the initial state is an object") }
    guard case .object(var state)? = document else { return initial }
    for member in initial.members where !(state[member.key]?.hasKind(of: member.value) ?? false) {
      state[member.key] = member.value
    }
    return state
  }
}

extension JSONValue {
  var integer: Int { if case .number(let number) = self { number.exactly(Int.self) ?? 0 } else { 0 } }
  var string: String { if case .string(let string) = self { string } else { "" } }
  var id: JSONValue? { if case .object(let object) = self { object["id"] } else { nil } }
  var elements: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }

  package subscript(member key: String) -> JSONValue {
    if case .object(let object) = self { object[key] ?? .null } else { .null }
  }

  fileprivate func hasKind(of other: JSONValue) -> Bool {
    switch (self, other) {
    case (.number, .number), (.string, .string), (.array, .array), (.object, .object): true
    default: false
    }
  }
}

extension JSONObject {
  fileprivate mutating func change(_ key: String, _ change: (inout [JSONValue]) -> Void) {
    var elements = self[key]?.elements ?? []
    change(&elements)
    self[key] = .array(elements)
  }
}
