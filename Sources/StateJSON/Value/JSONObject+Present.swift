extension JSONObject {
  /// An object of these members in this order, without those that have no value.
  ///
  ///     JSONObject(present: ["kind": "instance", "instance": name.map(JSONValue.string)])
  package init(present members: KeyValuePairs<String, JSONValue?>) {
    self.init()
    for (key, value) in members { self[key] = value }
  }
}

extension JSONValue {
  /// A whole number.
  package init(_ number: some BinaryInteger) { self = .number(JSONNumber(number)) }

  /// An object of those of these members that have a value: see ``JSONObject/init(present:)``.
  package init(present members: KeyValuePairs<String, JSONValue?>) { self = .object(JSONObject(present: members)) }
}
