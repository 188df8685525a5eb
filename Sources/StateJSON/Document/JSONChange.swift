/// How a value differs from an older one, in terms of what can be kept of the older one's text.
enum JSONChange {
  /// The text is written anew.
  case replaced
  /// A container keeps items of the older one; a slot for each new item, in order.
  case items([Slot])

  struct Slot {
    /// The position of the older item that this one takes the place of, or `nil` for an addition.
    var old: Int?
    /// What changed in that item; `nil` if it is identical.
    var change: JSONChange?
  }

  /// `nil` where the values are identical, literals and order included.
  ///
  /// - Complexity: Linear in the values, but for what they share, for a change in one place; see ``alignment(_:_:prefix:)`` for arrays.
  init?(from old: JSONValue, to new: JSONValue) {
    var path: [Int] = []
    guard Self.differs(old, new, path: &path) else { return nil }
    self.init(from: old, to: new, at: path)
  }

  /// The path leads to the first difference, innermost index first. It says what needn't be compared again on the way
  /// down, without which the cost of a change would grow with its depth.
  private init(from old: JSONValue, to new: JSONValue, at path: [Int]) {
    var path = path
    let first = path.popLast()
    switch (old, new) {
    case (.object(let old), .object(let new)) where !old.isEmpty && !new.isEmpty:
      self = .items(
        new.members.enumerated().map { index, member in
          let isAligned = index < old.count && old.keys[index].hasSameScalars(as: member.key)
          guard let position = isAligned ? index : old.index(forKey: member.key) else { return Slot() }
          if let first, index < first { return Slot(old: index) }
          let oldValue = old.values[position]
          return index == first
            ? Slot(old: position, change: JSONChange(from: oldValue, to: member.value, at: path))
            : Slot(old: position, change: JSONChange(from: oldValue, to: member.value))
        })
    case (.array(let old), .array(let new)) where !old.isEmpty && !new.isEmpty:
      let prefix = first ?? min(old.count, new.count)
      self = .items(
        Self.alignment(old, new, prefix: prefix).enumerated().map { index, position in
          guard let position, position >= prefix || index >= prefix else { return Slot(old: position) }
          return index == prefix && position == prefix
            ? Slot(old: position, change: JSONChange(from: old[position], to: new[index], at: path))
            : Slot(old: position, change: JSONChange(from: old[position], to: new[index]))
        })
    default:
      self = .replaced
    }
  }

  /// Whether two values aren't identical; if so, appends the indices that lead to the first difference, innermost
  /// first. Where an item is missing, or the keys differ, the path ends at the container.
  private static func differs(_ old: JSONValue, _ new: JSONValue, path: inout [Int]) -> Bool {
    if old.sharesStorage(with: new) { return false }
    switch (old, new) {
    case (.array(let old), .array(let new)):
      for index in 0..<min(old.count, new.count) where differs(old[index], new[index], path: &path) {
        path.append(index)
        return true
      }
      return old.count != new.count
    case (.object(let old), .object(let new)):
      let haveSameKeys = old.hasSameKeys(as: new)
      for index in 0..<min(old.count, new.count) {
        guard haveSameKeys || old.keys[index].hasSameScalars(as: new.keys[index]) else { return true }
        if differs(old.values[index], new.values[index], path: &path) {
          path.append(index)
          return true
        }
      }
      return old.count != new.count
    default:
      return !old.isIdentical(to: new)
    }
  }
}

// MARK: - Arrays

extension JSONChange {
  /// More insertions and removals than this aren't worth the search for the fewest.
  private static let maximumEdits = 400

  /// For each new element the position of the old element whose text it takes, each used at most once.
  ///
  /// Common ends stay, then a longest common subsequence, then elements that moved, then modified ones that say who
  /// they are. What is left between two that stay is paired in order.
  private static func alignment(_ old: [JSONValue], _ new: [JSONValue], prefix: Int) -> [Int?] {
    // With one element more on either side of equally long arrays, the pair at `prefix` is known to differ.
    let longest = min(old.count, new.count) - prefix - (old.count == new.count ? 1 : 0)
    var suffix = 0
    while suffix < longest, old[old.count - 1 - suffix].isIdentical(to: new[new.count - 1 - suffix]) { suffix += 1 }

    let oldGap = prefix..<(old.count - suffix)
    let newGap = prefix..<(new.count - suffix)
    var positions = Array(0..<prefix) as [Int?] + Array(repeating: nil, count: newGap.count)
    if oldGap.count == 1 && newGap.count == 1 {
      positions[prefix] = prefix
    } else if !oldGap.isEmpty && !newGap.isEmpty {
      for (index, position) in align(gap: Array(old[oldGap]), to: Array(new[newGap])).enumerated() {
        positions[prefix + index] = position.map { $0 + prefix }
      }
    }
    return positions + Array((old.count - suffix)..<old.count)
  }

  private static func align(gap old: [JSONValue], to new: [JSONValue]) -> [Int?] {
    let oldNames = old.map(\.fingerprint)
    let newNames = new.map(\.fingerprint)
    let common = SequenceAlignment.commonPairs(oldNames, newNames, maximumEdits: maximumEdits)

    var positions = [Int?](repeating: nil, count: new.count)
    var isUsed = [Bool](repeating: false, count: old.count)
    func pair(_ position: Int, _ index: Int) {
      positions[index] = position
      isUsed[position] = true
    }
    func pairRest<Name: Hashable>(_ oldNames: [Name?], _ newNames: [Name?]) {
      var rest: [Name: [Int]] = [:]
      for (position, name) in oldNames.enumerated().reversed() where !isUsed[position] {
        if let name { rest[name, default: []].append(position) }
      }
      for (index, name) in newNames.enumerated() where positions[index] == nil {
        if let name, let position = rest[name]?.popLast() { pair(position, index) }
      }
    }

    for (position, index) in common { pair(position, index) }
    pairRest(oldNames, newNames)
    pairRest(old.map(\.elementIdentity), new.map(\.elementIdentity))
    var (oldStart, newStart) = (0, 0)
    for anchor in common + [(old: old.count, new: new.count)] {
      let oldRest = (oldStart..<anchor.old).filter { !isUsed[$0] }
      let newRest = (newStart..<anchor.new).filter { positions[$0] == nil }
      for (position, index) in zip(oldRest, newRest) { pair(position, index) }
      (oldStart, newStart) = (anchor.old, anchor.new)
    }
    return positions
  }
}

extension JSONValue {
  /// The same for identical values, and most likely different for others; a collision costs bytes kept, nothing else.
  fileprivate var fingerprint: Int {
    var hasher = Hasher()
    feed(&hasher)
    return hasher.finalize()
  }

  private func feed(_ hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0 as UInt8)
    case .bool(let value): hasher.combine(value)
    case .number(let number): hasher.combine(number.literal)
    case .string(let string): hasher.combine(string)
    case .array(let elements):
      hasher.combine(elements.count)
      for element in elements { element.feed(&hasher) }
    case .object(let object):
      hasher.combine(object.count)
      for member in object.members {
        hasher.combine(member.key)
        member.value.feed(&hasher)
      }
    }
  }
}
