extension Entities {
  /// Puts an element over the one with its identity, or at the end.
  ///
  /// - Returns: the element that was there.
  /// - Complexity: O(1)
  @inlinable
  @discardableResult
  public mutating func upsert(_ element: Element) -> Element? {
    guard let position = positions[element.id] else {
      append(new: element)
      return nil
    }
    let old = slots[position]
    slots[position] = element
    return old
  }

  /// Puts each element over the one with its identity, or at the end, as what arrives from a service.
  ///
  /// - Complexity: O(*m*), the number of elements given.
  @inlinable
  public mutating func upsert(contentsOf elements: some Sequence<Element>) {
    slots.reserveCapacity(slots.count + elements.underestimatedCount)
    positions.reserveCapacity(positions.count + elements.underestimatedCount)
    for element in elements { upsert(element) }
  }

  /// Inserts an element before the one at a position, unless one with its identity is there already.
  ///
  /// - Returns: whether it was inserted.
  /// - Complexity: O(*n*)
  @inlinable
  @discardableResult
  public mutating func insert(_ element: Element, at position: Int) -> Bool {
    precondition((0...slots.count).contains(position), "the position to insert at is out of bounds")
    if positions[element.id] != nil { return false }
    slots.insert(element, at: position)
    renumber(from: position)
    return true
  }

  /// Removes the element with the identity.
  ///
  /// - Returns: the element, or nil if there is none.
  /// - Complexity: O(1) at the end, else O(*n*).
  @inlinable
  @discardableResult
  public mutating func remove(id: ID) -> Element? {
    guard let position = positions.removeValue(forKey: id) else { return nil }
    let element = slots.remove(at: position)
    renumber(from: position)
    return element
  }

  /// Removes the elements of which the closure says so.
  ///
  /// - Complexity: O(*n*)
  @inlinable
  public mutating func removeAll<E: Error>(where isOut: (Element) throws(E) -> Bool) throws(E) {
    var kept: [Element?] = []
    for slot in slots where try !isOut(slot!) { kept.append(slot) }
    guard kept.count < slots.count else { return }
    slots = kept
    positions.removeAll(keepingCapacity: true)
    renumber(from: 0)
  }

  /// Removes all elements.
  @inlinable
  public mutating func removeAll() {
    self = Entities()
  }

  /// Moves an element to a position, counted without it: at 0 it is the first, at `count - 1` the last.
  ///
  /// Does nothing if there is no element with the identity. Positions out of bounds mean the nearest end, as somebody
  /// else may have removed elements since the position was chosen.
  ///
  /// - Complexity: O(*n*)
  @inlinable
  public mutating func move(id: ID, to target: Int) {
    guard let source = positions[id] else { return }
    let target = Swift.min(Swift.max(target, 0), slots.count - 1)
    if source == target { return }
    let element = slots.remove(at: source)
    slots.insert(element, at: target)
    renumber(from: Swift.min(source, target), upTo: Swift.max(source, target) + 1)
  }

  /// Moves an element to right before another one. Does nothing if either isn't there.
  ///
  /// Unlike a position, this means the same after others have changed the order, so it is what an action should say.
  ///
  /// - Complexity: O(*n*)
  @inlinable
  public mutating func move(id: ID, before other: ID) {
    guard id != other, let source = positions[id], let target = positions[other] else { return }
    move(id: id, to: source < target ? target - 1 : target)
  }

  /// Moves an element to right after another one. Does nothing if either isn't there.
  ///
  /// - Complexity: O(*n*)
  @inlinable
  public mutating func move(id: ID, after other: ID) {
    guard id != other, let source = positions[id], let target = positions[other] else { return }
    move(id: id, to: source < target ? target : target + 1)
  }

  /// Sorts the elements. Those of which none comes before the other keep their order.
  ///
  /// - Complexity: O(*n* log *n*)
  @inlinable
  public mutating func sort(by areInOrder: (Element, Element) throws -> Bool) rethrows {
    // Also after a throw, which leaves them as far as they were sorted.
    defer { renumber(from: 0) }
    try slots.sort { try areInOrder($0!, $1!) }
  }

  /// Sorts the elements by a part of them: `episodes.sort(by: \.title)`.
  ///
  /// - Complexity: O(*n* log *n*)
  @inlinable
  public mutating func sort(by part: (Element) -> some Comparable) {
    sort { part($0) < part($1) }
  }
}

extension Entities where Element: Comparable {
  /// Sorts the elements.
  ///
  /// - Complexity: O(*n* log *n*)
  @inlinable
  public mutating func sort() {
    sort { $0 < $1 }
  }
}

extension Entities: ElementsByID {}
