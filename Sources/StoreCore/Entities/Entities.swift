/// Things with an identity, each there once, in an order, and found by identity at once: a normalised repository.
///
///     struct Episode: Identifiable, Codable, Sendable { var id: Int; var title: String }
///
///     var episodes: Entities<Episode> = [Episode(id: 1, title: "Fog"), Episode(id: 2, title: "Light")]
///     episodes[id: 2]?.title = "Lights"                  // in place
///     episodes.upsert(Episode(id: 3, title: "Storm"))    // at the end, or over the one with that identity
///     episodes.remove(id: 1)
///
/// It is a collection of its elements, in their order. Other parts of the state refer to an element by its identity, so
/// that there is one place to change it.
///
/// Finding, changing and appending by identity take the same time however many there are. What changes the order, or
/// removes from the middle, takes a time that grows with the number of elements behind.
public struct Entities<Element: Identifiable> {
  /// What an element is known by.
  public typealias ID = Element.ID

  /// The elements in order. Nil only while the one there is being changed: it is taken out, so that it isn't copied.
  @usableFromInline var slots: [Element?]
  /// Where in `slots` an element is.
  @usableFromInline var positions: [ID: Int]

  /// Makes an empty one.
  @inlinable
  public init() {
    slots = []
    positions = [:]
  }

  /// Makes one of elements in their order. Of those with the same identity the last counts, at the place of the first.
  @inlinable
  public init(_ elements: some Sequence<Element>) {
    self.init()
    upsert(contentsOf: elements)
  }

  /// The element with the identity, or nil. Setting an element that isn't there appends it, setting nil removes it.
  ///
  /// `entities[id: 7]?.title = "Fog"` changes the element where it is, and does nothing if there is none. An element
  /// that is given another identity stays at its place. That the identity is free, and that an element set here has the
  /// identity it is set for, is a precondition.
  ///
  /// - Complexity: O(1), but to remove: as ``remove(id:)``.
  @inlinable
  public subscript(id id: ID) -> Element? {
    get {
      positions[id].flatMap { slots[$0] }
    }
    _modify {
      guard let position = positions[id] else {
        var added: Element?
        defer {
          if let added {
            precondition(added.id == id, "an element is set for the identity of another")
            append(new: added)
          }
        }
        yield &added
        return
      }
      defer { settle(position, known: id) }
      yield &slots[position]
    }
  }

  /// Changes the element with the identity where it is; does nothing if there is none.
  ///
  /// An element that is given another identity stays at its place. That the identity is free is a precondition.
  ///
  /// - Complexity: O(1)
  @inlinable
  public mutating func update(id: ID, _ change: (inout Element) -> Void) {
    guard let position = positions[id] else { return }
    change(&slots[position]!)
    settle(position, known: id)
  }

  /// Changes all elements where they are, in their order. That their identities stay different is a precondition.
  ///
  /// - Complexity: O(*n*)
  @inlinable
  public mutating func updateAll(_ change: (inout Element) -> Void) {
    for position in slots.indices {
      let id = slots[position]!.id
      change(&slots[position]!)
      settle(position, known: id)
    }
  }

  /// Brings the positions up to date with what became of the element that was known by the identity.
  @inlinable
  mutating func settle(_ position: Int, known id: ID) {
    guard let now = slots[position]?.id else {
      slots.remove(at: position)
      positions[id] = nil
      renumber(from: position)
      return
    }
    if now == id { return }
    positions[id] = nil
    precondition(positions.updateValue(position, forKey: now) == nil, "an element was given the identity of another")
  }

  @inlinable
  mutating func append(new element: Element) {
    positions[element.id] = slots.count
    slots.append(element)
  }

  @inlinable
  mutating func renumber(from start: Int, upTo end: Int? = nil) {
    for position in start..<(end ?? slots.count) { positions[slots[position]!.id] = position }
  }
}

extension Entities: Sendable where Element: Sendable, Element.ID: Sendable {}

extension Entities: Equatable where Element: Equatable {
  /// Whether both have equal elements in the same order.
  @inlinable
  public static func == (left: Entities, right: Entities) -> Bool { left.slots == right.slots }
}

extension Entities: Hashable where Element: Hashable {
  @inlinable
  public func hash(into hasher: inout Hasher) { hasher.combine(slots) }
}
