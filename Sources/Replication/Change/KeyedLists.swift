import StateJSON

/// Two versions of a list whose elements are told apart by a member, and which element of one is which of the other.
struct KeyedLists {
  /// The member that tells elements apart.
  let key: String
  /// The elements as they were.
  let old: [JSONValue]
  /// The elements as they are.
  let new: [JSONValue]
  /// The places of new elements that were not there, ascending.
  let insertions: [Int]
  /// Whether elements that stayed are in another order.
  let hasMoves: Bool

  /// How many elements both begin with.
  private let start: Int
  /// For each old element between the common ends the place of the new one; `nil` if it is gone.
  private let between: [Int?]

  /// `nil` unless one of the usual members tells the elements of both apart.
  init?(_ old: [JSONValue], _ new: [JSONValue]) {
    guard let (key, identities) = ElementIdentity.key(of: [old, new]) else { return nil }
    let (oldIDs, newIDs) = (identities[0], identities[1])
    let shorter = min(old.count, new.count)
    var (start, end) = (0, 0)
    while start < shorter, oldIDs[start] == newIDs[start] { start += 1 }
    while end < shorter - start, oldIDs[old.count - 1 - end] == newIDs[new.count - 1 - end] { end += 1 }

    let places = Dictionary(uniqueKeysWithValues: (start..<new.count - end).lazy.map { (newIDs[$0], $0) })
    between = oldIDs[start..<old.count - end].map { places[$0] }
    let stayed = between.compactMap { $0 }
    hasMoves = zip(stayed, stayed.dropFirst()).contains { $0 > $1 }
    let known = Set(stayed)
    insertions = (start..<new.count - end).filter { !known.contains($0) }
    (self.key, self.old, self.new, self.start) = (key, old, new, start)
  }

  /// The place of the new element that has the id of an old one; `nil` if that is gone.
  func counterpart(of place: Int) -> Int? {
    if place < start { return place }
    return place - start < between.count ? between[place - start] : place + new.count - old.count
  }

  /// The id of an element of either.
  func id(of element: JSONValue) -> ElementID {
    guard let id = ElementID(of: element, key: key) else { preconditionFailure("an element has lost its '\(key)'") }
    return id
  }
}
