/// What makes an element of a keyed array the same element in another version of it: the value of its `id`.
package enum ElementIdentity: Hashable, Sendable {
  /// A number that is an `Int`, in any notation.
  case integer(Int)
  /// A number that isn't an `Int`.
  case number(JSONNumber)
  /// A string, as its Unicode scalars.
  case string(ScalarString)

  /// The members that may identify elements; the first that does in all of the arrays is taken.
  package static let usualKeys = ["id", "_id", "uuid", "key"]

  /// The identity that a member gives; `nil` unless it is a string or a number.
  package init?(_ value: JSONValue?) {
    switch value {
    case .number(let number): self = number.exactly(Int.self).map { .integer($0) } ?? .number(number)
    case .string(let string): self = .string(ScalarString(string))
    default: return nil
    }
  }

  /// The identities of all elements of each array by the first of `keys` that each element has, as a string or number,
  /// and no two elements of an array share; `nil` if there is no such key.
  static func identities(of arrays: [[JSONValue]], by keys: [String] = usualKeys) -> [[ElementIdentity]]? {
    key(of: arrays, among: keys)?.identities
  }

  /// The first of `keys` that each element of all arrays has, as a string or number, and no two elements of an array share;
  /// and these identities, array by array. `nil` if there is no such key.
  ///
  /// - Complexity: O(*n*) in the number of elements, for each key that all before the last one have.
  package static func key(
    of arrays: [[JSONValue]], among keys: [String] = usualKeys
  ) -> (name: String, identities: [[ElementIdentity]])? {
    for key in keys {
      var all: [[ElementIdentity]] = []
      for elements in arrays {
        guard let identities = identities(of: elements, by: key, like: all.first) else { break }
        all.append(identities)
      }
      if all.count == arrays.count { return (key, all) }
    }
    return nil
  }

  /// Most often they are those of another array, in the same order, or integers that ascend: then they are known to differ
  /// from each other.
  private static func identities(
    of elements: [JSONValue], by key: String, like others: [ElementIdentity]?
  ) -> [ElementIdentity]? {
    guard let identities = each(of: elements[...], by: key) else { return nil }
    if identities == others || areAscendingIntegers(identities) { return identities }
    var seen = Set<ElementIdentity>(minimumCapacity: identities.count)
    return identities.allSatisfy { seen.insert($0).inserted } ? identities : nil
  }

  /// The identity of each element by a key, whether or not they share any; `nil` if an element has none.
  static func each(of elements: ArraySlice<JSONValue>, by key: String) -> [ElementIdentity]? {
    var identities: [ElementIdentity] = []
    identities.reserveCapacity(elements.count)
    // Most elements have the keys of the one before, often the very same list of them.
    var former: (object: JSONObject, index: Int)?
    for element in elements {
      guard case .object(let object) = element else { return nil }
      if former.map({ !object.hasSameKeys(as: $0.object) }) ?? true {
        guard let index = object.index(forKey: key) else { return nil }
        former = (object, index)
      }
      guard let former, let identity = ElementIdentity(object.values[former.index]) else { return nil }
      identities.append(identity)
    }
    return identities
  }

  private static func areAscendingIntegers(_ identities: [ElementIdentity]) -> Bool {
    var last: Int?
    for identity in identities {
      guard case .integer(let integer) = identity, last.map({ $0 < integer }) ?? true else { return false }
      last = integer
    }
    return true
  }
}

extension JSONValue {
  /// Which element of an array this is, by the member of that name; `nil` if that doesn't tell.
  package func identity(by key: String) -> ElementIdentity? {
    guard case .object(let object) = self else { return nil }
    return ElementIdentity(object[key])
  }

  /// The same by the first of the usual keys that tells it, whatever else changes in the element.
  package var elementIdentity: ElementIdentity? {
    guard case .object = self else { return nil }
    return ElementIdentity.usualKeys.lazy.compactMap(identity).first
  }
}
