import StateJSON

extension SparseChange.Elements {
  /// Does to a list what was done to another one.
  ///
  /// Elements that have no id, or that of one before them, are inert: they stay behind the element that they stand behind,
  /// and come last where that is gone.
  func apply(to elements: inout [JSONValue], ghosts: Ghosts) {
    if applyInPlace(to: &elements, ghosts: ghosts) { return }
    var list = NumberedElements(elements, key: key)
    let (was, now) = (was.map { list.number(of: $0.identity) }, now.map { list.number(of: $0.identity) })
    elements = []
    for element in changes {
      guard let number = list.numbers[element.id.identity] else { continue }
      element.change.apply(to: &list.values[number], ghosts: ghosts.ofElement(element.id.identity, key: key))
    }
    let versions = MergeVersions(base: was, older: list.present, newer: now)
    let closed = Self.insertionsBeforeGaps(was, now) { list.values[$0] != nil }
    let order = MergeOrder.merged(
      versions, count: list.values.count, survives: { list.values[$0] != nil }, isClosed: closed.contains)
    elements = list.elements(in: order)
  }

  /// Elements that came where the one behind is gone. How far the insertions of others reach there is not known, so it stands
  /// right behind the element before it.
  private static func insertionsBeforeGaps(_ was: [Int], _ now: [Int], survives: (Int) -> Bool) -> Set<Int> {
    guard !now.allSatisfy(survives) else { return [] }
    let before = Set(was)
    var (closed, isGone) = (Set<Int>(), false)
    for number in now.reversed() {
      if before.contains(number) {
        isGone = !survives(number)
      } else if isGone {
        closed.insert(number)
      }
    }
    return closed
  }

  /// Where elements are only changed inside, and all of them are there, the list stays in its order; `false` otherwise.
  private func applyInPlace(to elements: inout [JSONValue], ghosts: Ghosts) -> Bool {
    guard was == now, changes.allSatisfy({ !$0.change.isRemoval }), let places = placesOfChanges(in: elements) else {
      return false
    }
    // What is there and isn't removed comes out as something.
    for (place, element) in zip(places, changes) {
      var value: JSONValue? = elements[place]
      elements[place] = .null
      element.change.apply(to: &value, ghosts: ghosts.ofElement(element.id.identity, key: key))
      elements[place] = value ?? .null
    }
    return true
  }

  /// The place of each element that changes; `nil` unless all are there.
  private func placesOfChanges(in elements: [JSONValue]) -> [Int]? {
    var sought = Dictionary(changes.enumerated().map { ($1.id.identity, $0) }, uniquingKeysWith: { first, _ in first })
    guard sought.count == changes.count else { return nil }
    var places = [Int](repeating: 0, count: changes.count)
    for (place, element) in elements.enumerated() {
      if sought.isEmpty { break }
      guard let identity = element.identity(by: key), let change = sought[identity] else { continue }
      places[change] = place
      sought[identity] = nil
    }
    return sought.isEmpty ? places : nil
  }
}

extension SparseChange {
  /// Whether this leaves nothing of what it knows.
  fileprivate var isRemoval: Bool { if case .replaced(_, nil) = self { true } else { false } }
}
