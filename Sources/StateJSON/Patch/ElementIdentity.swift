/// What makes an element of a keyed array the same element in another version of it: the value of its `id`.
enum ElementIdentity: Hashable {
  case integer(Int)
  /// A number that isn't an `Int`.
  case number(JSONNumber)
  case string(ScalarString)

  /// The members that may identify elements; the first that does in all of the arrays is taken.
  static let usualKeys = ["id", "_id", "uuid", "key"]

  init?(_ value: JSONValue?) {
    switch value {
    case .number(let number): self = number.exactly(Int.self).map { .integer($0) } ?? .number(number)
    case .string(let string): self = .string(ScalarString(string))
    default: return nil
    }
  }

  /// The identities of all elements of each array by the first of `keys` that each element has, as a string or number,
  /// and no two elements of an array share; `nil` if there is no such key.
  static func identities(of arrays: [[JSONValue]], by keys: [String] = usualKeys) -> [[ElementIdentity]]? {
    for key in keys {
      var all: [[ElementIdentity]] = []
      for elements in arrays {
        guard let identities = identities(of: elements, by: key, like: all.first) else { break }
        all.append(identities)
      }
      if all.count == arrays.count { return all }
    }
    return nil
  }

  /// Most often they are those of another array, in the same order, which are known to differ from each other.
  private static func identities(
    of elements: [JSONValue], by key: String, like others: [ElementIdentity]?
  ) -> [ElementIdentity]? {
    var identities: [ElementIdentity] = []
    identities.reserveCapacity(elements.count)
    for element in elements {
      guard case .object(let object) = element, let identity = ElementIdentity(object[key]) else { return nil }
      identities.append(identity)
    }
    if identities == others { return identities }
    var seen = Set<ElementIdentity>(minimumCapacity: identities.count)
    return identities.allSatisfy { seen.insert($0).inserted } ? identities : nil
  }
}
