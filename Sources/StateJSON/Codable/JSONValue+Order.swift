extension JSONValue {
  /// Whether this value stands before another where values without an order have to be written in some order.
  ///
  /// A total order on the values an encoder makes, the same in every process: numbers by size, strings by their UTF-8,
  /// arrays and objects as sequences.
  func sortsBefore(_ other: Self) -> Bool { compare(to: other) < 0 }

  /// Negative, zero or positive, as this value sorts before, with or after the other.
  private func compare(to other: Self) -> Int {
    switch (self, other) {
    case (.bool(let left), .bool(let right)): (left ? 1 : 0) - (right ? 1 : 0)
    case (.number(let left), .number(let right)): left.compare(to: right)
    case (.string(let left), .string(let right)): left.compareScalars(to: right)
    case (.array(let left), .array(let right)):
      zip(left, right).lazy.map { $0.compare(to: $1) }.first { $0 != 0 } ?? left.count - right.count
    case (.object(let left), .object(let right)):
      zip(left.sortedMembers, right.sortedMembers).lazy
        .map { left, right in
          let keys = left.key.compareScalars(to: right.key)
          return keys != 0 ? keys : left.value.compare(to: right.value)
        }
        .first { $0 != 0 } ?? left.count - right.count
    default: rank - other.rank
    }
  }

  private var rank: Int {
    switch self {
    case .null: 0
    case .bool: 1
    case .number: 2
    case .string: 3
    case .array: 4
    case .object: 5
    }
  }
}

extension JSONObject {
  fileprivate var sortedMembers: [Member] { members.sorted { $0.key.compareScalars(to: $1.key) < 0 } }
}

extension JSONNumber {
  fileprivate func compare(to other: Self) -> Int { self == other ? 0 : self < other ? -1 : 1 }
}

extension String {
  fileprivate func compareScalars(to other: Self) -> Int {
    hasSameScalars(as: other) ? 0 : utf8.lexicographicallyPrecedes(other.utf8) ? -1 : 1
  }
}
