// Not by `nil`: in an optional value that would be ambiguous between a value that is null and none at all, and the
// compiler would take the former.
extension JSONValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByStringLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  public init(booleanLiteral value: Bool) { self = .bool(value) }

  public init(integerLiteral value: Int) { self = .number(JSONNumber(value)) }

  public init(stringLiteral value: String) { self = .string(value) }

  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

  /// An object with its members in the order of the literal.
  ///
  /// - Precondition: No key occurs twice.
  public init(dictionaryLiteral members: (String, JSONValue)...) {
    var object = JSONObject()
    for (key, value) in members {
      let isNew = object.append(key, value)
      precondition(isNew, "an object literal has the key \"\(key)\" twice")
    }
    self = .object(object)
  }
}
