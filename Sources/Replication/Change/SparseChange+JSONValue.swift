import StateJSON

// The JSON form of a change is one of
//
//     {"was": V, "is": W}                 V gave way to W; a member that is missing: nothing was, or is, there
//     {"in": {KEY: CHANGE}}               members of an object
//     {"by": KEY, "was": [ID], "is": [ID], "of": [[ID, CHANGE]]}
//                                         elements of a list that KEY tells apart
//     {"add": N}                          an addition to a number

extension SparseChange {
  /// Reads a change from its JSON form, which must have all members of its kind and no others.
  ///
  /// - Throws: The first place, as a pointer within the form, where something else is expected than is there.
  package init(_ value: JSONValue) throws(JSONDecodingError) {
    guard case .object(let form) = value else { throw .unexpected(value, expected: "a change") }
    if let members = form["in"] {
      try form.checkMembers(["in"])
      self = .members(try at("in", try Self.members(members)))
    } else if form["by"] != nil {
      try form.checkMembers(["by", "was", "is", "of"])
      self = .elements(try Elements(form))
    } else if let number = form["add"] {
      try form.checkMembers(["add"])
      guard case .number(let number) = number else { throw .unexpected(number, expected: "a number", at: ["add"]) }
      self = .added(number)
    } else {
      try form.checkMembers(["was", "is"])
      guard !form.isEmpty else {
        throw JSONDecodingError(
          code: .missing, pointer: .root, message: #"expected "was", "is", "in", "by" or "add", found no member"#)
      }
      self = .replaced(was: form["was"], is: form["is"])
    }
  }

  /// The JSON form.
  package var value: JSONValue {
    switch self {
    case .replaced(let was, let now):
      return .object(JSONObject(present: ["was": was, "is": now]))
    case .members(let members):
      var changes = JSONObject()
      for member in members { changes.append(member.key, member.change.value) }
      return ["in": .object(changes)]
    case .elements(let elements):
      return [
        "by": .string(elements.key),
        "was": .array(elements.was.map(\.value)),
        "is": .array(elements.now.map(\.value)),
        "of": .array(elements.changes.map { [$0.id.value, $0.change.value] }),
      ]
    case .added(let number):
      return ["add": .number(number)]
    }
  }

  private static func members(_ value: JSONValue) throws(JSONDecodingError) -> [Member] {
    guard case .object(let changes) = value else { throw .unexpected(value, expected: "changes of members") }
    var members: [Member] = []
    for (key, change) in zip(changes.keys, changes.values) {
      members.append(Member(key: key, change: try at(key, try SparseChange(change))))
    }
    return members
  }
}

extension SparseChange.Elements {
  fileprivate init(_ form: JSONObject) throws(JSONDecodingError) {
    guard case .string(let key)? = form["by"] else { throw .unexpected(form["by"], expected: "a string", at: ["by"]) }
    let was = try at("was", try Self.ids(form["was"]))
    let now = try at("is", try Self.ids(form["is"]))
    let changes = try at("of", try Self.changes(form["of"], among: Set(was).union(now)))
    self.init(key: key, was: was, now: now, changes: changes)
  }

  private static func ids(_ value: JSONValue?) throws(JSONDecodingError) -> [ElementID] {
    guard case .array(let values)? = value else { throw .unexpected(value, expected: "a list of ids") }
    var known: Set<ElementID> = []
    var ids: [ElementID] = []
    for (index, value) in values.enumerated() {
      ids.append(try at("\(index)", try id(value, unlike: &known)))
    }
    return ids
  }

  /// Reads changes of elements that are in the list, or were. Others would be done to who knows what.
  private static func changes(
    _ value: JSONValue?, among listed: Set<ElementID>
  ) throws(JSONDecodingError) -> [SparseChange.Element] {
    guard case .array(let entries)? = value else { throw .unexpected(value, expected: "a list of ids and changes") }
    var known: Set<ElementID> = []
    var changes: [SparseChange.Element] = []
    for (index, entry) in entries.enumerated() {
      changes.append(try at("\(index)", try element(entry, among: listed, unlike: &known)))
    }
    return changes
  }

  private static func element(
    _ entry: JSONValue, among listed: Set<ElementID>, unlike known: inout Set<ElementID>
  ) throws(JSONDecodingError) -> SparseChange.Element {
    guard case .array(let parts) = entry, parts.count == 2 else {
      throw .unexpected(entry, expected: "an array of an id and its change")
    }
    let id = try at("0", try id(parts[0], unlike: &known))
    guard listed.contains(id) else { throw .unexpected(parts[0], expected: #"an id of "was" or "is""#, at: ["0"]) }
    return SparseChange.Element(id: id, change: try at("1", try SparseChange(parts[1])))
  }

  private static func id(
    _ value: JSONValue, unlike known: inout Set<ElementID>
  ) throws(JSONDecodingError) -> ElementID {
    guard let id = ElementID(value) else { throw .unexpected(value, expected: "a string or a number") }
    guard known.insert(id).inserted else { throw .unexpected(value, expected: "an id that isn't there yet") }
    return id
  }
}

/// Reads what stands at a token; what is wrong there is said to be there.
private func at<Result>(
  _ token: String, _ read: @autoclosure () throws(JSONDecodingError) -> Result
) throws(JSONDecodingError) -> Result {
  do { return try read() } catch { throw error.inside(token) }
}

extension JSONObject {
  /// Throws if there is a member that isn't one of these.
  fileprivate func checkMembers(_ names: [String]) throws(JSONDecodingError) {
    for key in keys where !names.contains(where: { ScalarString($0) == ScalarString(key) }) {
      let expected = names.map { "\"\($0)\"" }.joined(separator: ", ")
      throw JSONDecodingError(
        code: .invalid, pointer: JSONPointer([key]), message: "expected no member but \(expected)")
    }
  }
}

extension JSONDecodingError {
  static func unexpected(_ value: JSONValue?, expected: String, at path: [String] = []) -> Self {
    Self(
      code: value == nil ? .missing : .invalid, pointer: JSONPointer(path),
      message: "expected \(expected), found \(value?.foundDescription ?? "nothing")")
  }

  /// The same seen from what has the value in question at a token.
  func inside(_ token: String) -> Self {
    Self(code: code, pointer: JSONPointer([token] + pointer.tokens), message: message)
  }
}
