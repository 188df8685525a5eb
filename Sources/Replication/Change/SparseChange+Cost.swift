import StateJSON

extension SparseChange {
  /// How much a save would have changed, if this is what it changed: the size of what came and three times that of what
  /// went, as little can be told from something not being there; and one for elements that came, went or moved.
  package var cost: Int {
    switch self {
    case .replaced(let was, let now): 3 * (was?.size ?? 0) + (now?.size ?? 0)
    case .members(let members): members.reduce(0) { $0 + $1.change.cost }
    case .elements(let elements):
      elements.changes.reduce(elements.was == elements.now ? 0 : 1) { $0 + $1.change.cost }
    case .added: 0
    }
  }
}

extension JSONValue {
  /// How many values it consists of, itself among them.
  package var size: Int {
    switch self {
    case .array(let elements): elements.reduce(1) { $0 + $1.size }
    case .object(let object): object.values.reduce(1) { $0 + $1.size }
    default: 1
    }
  }
}
