extension JSONValue: Hashable {
  /// Hashes by meaning, as `==` compares: values that differ only in the order of members or in the literals of numbers
  /// have the same hash.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null:
      hasher.combine(0)
    case .bool(let bool):
      hasher.combine(bool)
    case .number(let number):
      hasher.combine(number)
    case .string(let string):
      hasher.combine(ScalarString(string))
    case .array(let elements):
      hasher.combine(elements)
    case .object(let object):
      // A sum, because the order must not matter.
      var sum = 0
      for member in object.members {
        var memberHasher = Hasher()
        memberHasher.combine(ScalarString(member.key))
        memberHasher.combine(member.value)
        sum &+= memberHasher.finalize()
      }
      hasher.combine(object.count)
      hasher.combine(sum)
    }
  }
}
