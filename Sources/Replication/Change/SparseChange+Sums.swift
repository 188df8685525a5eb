import StateJSON

extension SparseChange {
  /// The same change, which says of the numbers at some places what was added to them. Where something else than a number was or
  /// is, or a list is on the way, it stays as it is.
  ///
  ///     SparseChange(from: ["n": 5], to: ["n": 7])?.adding(at: [JSONPointer(["n"])])  // {"in":{"n":{"add":2}}}
  func adding(at places: Set<JSONPointer>) -> SparseChange {
    places.isEmpty ? self : adding(at: places.map { $0.tokens[...] })
  }

  private func adding(at places: [ArraySlice<String>]) -> SparseChange {
    switch self {
    case .replaced(.number(let old)?, .number(let new)?) where places.contains([]):
      // Where the difference is too long to be written out, the numbers are said.
      guard let difference = try? new.adding(old.negated) else { return self }
      return .added(difference)
    case .members(let members):
      return .members(
        members.map { member in
          let inner = places.filter { $0.first?.utf8.elementsEqual(member.key.utf8) == true }.map { $0.dropFirst() }
          return inner.isEmpty ? member : Member(key: member.key, change: member.change.adding(at: inner))
        })
    case .replaced, .elements, .added:
      return self
    }
  }
}

extension JSONNumber {
  /// The number with the other sign.
  fileprivate var negated: JSONNumber {
    guard let number = JSONNumber(literal.hasPrefix("-") ? String(literal.dropFirst()) : "-\(literal)") else {
      preconditionFailure("a number has one sign at most")
    }
    return number
  }
}
