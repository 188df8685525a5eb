import StateJSON

/// The identity of an element of a keyed list: a string or a number, as it is written. Equal are those that
/// mean the same, such as `1` and `1.0`.
package struct ElementID: Sendable {
  /// The string or number itself.
  package let value: JSONValue
  /// The form by which it is compared.
  let identity: ElementIdentity

  /// `nil` unless the value is a string or a number.
  package init?(_ value: JSONValue) {
    guard let identity = ElementIdentity(value) else { return nil }
    (self.value, self.identity) = (value, identity)
  }

  /// The id that an element of a list has in a member.
  init?(of element: JSONValue, key: String) {
    guard case .object(let object) = element, let value = object[key] else { return nil }
    self.init(value)
  }
}

extension ElementID: Hashable {
  package static func == (left: Self, right: Self) -> Bool { left.identity == right.identity }

  package func hash(into hasher: inout Hasher) { hasher.combine(identity) }
}
