extension JSONPatch {
  /// The changes that turn one value into another, as small operations: applied to `old`, the patch gives a value
  /// equal to `new`.
  ///
  /// Objects are compared by key; the order of members is not a change. Arrays of objects with unique ids are compared
  /// by identity, so that a reordered element is a `move`; other arrays along a longest common subsequence. An array of
  /// which no element is left, and an object of which no key is, is replaced as a whole; so is an array that would take
  /// more than ``maximumShifts`` to change element by element.
  ///
  ///     JSONPatch(from: ["a": 1, "b": [1, 2]], to: ["a": 1, "b": [1, 2, 3]])
  ///     // [{"op":"add","path":"/b/2","value":3}]
  ///
  /// Another literal of the same number, such as `1.0` for `1`, is a change unless `literals` is false.
  ///
  /// - Complexity: O(*n*) in the size of the values, without what shares its storage; for lists see ``JSONMerge``.
  public init(from old: JSONValue, to new: JSONValue, literals: Bool = true) {
    var difference = JSONDifference(literals: literals)
    difference.compare(old, new)
    self.init(difference.operations)
  }

  /// The changes that turn the value of one text into that of another, as ``init(from:to:literals:)`` of these values.
  ///
  /// - Complexity: O(*n*) in the texts, as fast as memory is compared, and in the number of neighbours of what differs; beyond
  ///   that, that of the values that differ, and of lists in which any does.
  public init(from old: JSONDocument, to new: JSONDocument, literals: Bool = true) {
    // Who changes a value in place, and has it written, needs no tape of what was written.
    if let value = new.cheapValue {
      self.init(from: old.value, to: value, literals: literals)
      return
    }
    let operations = old.read { old in
      new.read { new -> [Operation] in
        guard let divergence = JSONDivergence(old, new) else { return [] }
        var difference = JSONDifference(at: divergence.tokens(in: old), literals: literals)
        difference.compare(divergence.old, in: old, divergence.new, in: new)
        return difference.operations
      }
    }
    self.init(operations)
  }

  /// How often an element may have to make room for another, or close a gap, when a difference is applied to one array.
  ///
  /// Each insertion and removal shifts all that comes after it: some hundred thousand of them would take minutes. This many
  /// take a fraction of a second.
  public static let maximumShifts = 1 << 28
}

/// One run of a comparison: goes down both values together and collects operations.
struct JSONDifference {
  private(set) var operations: [JSONPatch.Operation] = []
  /// The way to what is being compared.
  var path: [String]
  private let literals: Bool
  private var comparison = ValueComparison()

  /// A comparison of what stands at a path in either value.
  init(at path: [String] = [], literals: Bool) {
    self.path = path
    self.literals = literals
  }

  /// Appends the operations that turn `old` into `new` at the current path; returns whether anything of `old` is kept.
  @discardableResult
  mutating func compare(_ old: JSONValue, _ new: JSONValue) -> Bool {
    // What a change in place has left alone is the same storage, and is not gone through.
    if old.sharesStorage(with: new) { return true }
    let first = operations.count
    let isKept =
      switch (old, new) {
      case (.object(let old), .object(let new)): compare(old, new)
      case (.array(let old), .array(let new)): compare(old, new)
      default: literals ? old.isIdentical(to: new) : old == new
      }
    if !isKept { replace(since: first, with: new) }
    return isKept
  }

  /// Compares a member or an element of what is being compared.
  @discardableResult
  private mutating func compare(_ old: JSONValue, _ new: JSONValue, at token: String) -> Bool {
    path.append(token)
    defer { path.removeLast() }
    return compare(old, new)
  }

  /// Says once that there is another value now: several operations for a container of which nothing is left are worse.
  mutating func replace(since first: Int, with new: @autoclosure () -> JSONValue) {
    guard operations.count - first != 1 else { return }
    operations.removeSubrange(first...)
    operations.append(.replace(at: JSONPointer(path), with: new()))
  }

  private mutating func compare(_ old: JSONObject, _ new: JSONObject) -> Bool {
    if old.hasSameKeys(as: new) {
      for (index, key) in old.keys.enumerated() { compare(old.values[index], new.values[index], at: key) }
      return true
    }
    var isKept = old.isEmpty
    for member in old.members where new.index(forKey: member.key) == nil {
      remove(member.key)
    }
    for member in new.members {
      if let before = old[member.key] {
        compare(before, member.value, at: member.key)
        isKept = true
      } else {
        add(member.value, member.key)
      }
    }
    return isKept
  }

  private mutating func compare(_ old: [JSONValue], _ new: [JSONValue]) -> Bool {
    let ends = CommonEnds(old.count, new.count) { areSame(old[$0], new[$1]) }
    return compareElements(Array(old[ends.between.old]), Array(new[ends.between.new]), between: ends)
  }

  /// Removes a member or an element of what is being compared.
  mutating func remove(_ token: String) { operations.append(.remove(at: place(token))) }

  /// Adds one.
  mutating func add(_ value: JSONValue, _ token: String) { operations.append(.add(value, at: place(token))) }

  private func place(_ token: String) -> JSONPointer { JSONPointer(path + [token]) }

  // MARK: Arrays

  private mutating func areSame(_ old: JSONValue, _ new: JSONValue) -> Bool {
    literals ? comparison.areIdentical(old, new) : comparison.areEqual(old, new)
  }

  /// Compares the elements of two arrays that have the same ends, by what is between these.
  ///
  /// - Returns: Whether anything is kept.
  mutating func compareElements(_ old: [JSONValue], _ new: [JSONValue], between ends: CommonEnds) -> Bool {
    if old.isEmpty {
      for (index, element) in new.enumerated() { add(element, ends.token(index)) }
      return true
    }
    if let identities = ElementIdentity.identities(of: [old, new]),
      let steps = KeyedSteps(from: identities[0], to: identities[1])
    {
      return compareKeyed(old, new, steps, between: ends)
    }
    return compareLists(old, new, between: ends)
  }

  private mutating func compareKeyed(
    _ old: [JSONValue], _ new: [JSONValue], _ steps: KeyedSteps, between ends: CommonEnds
  ) -> Bool {
    let count = steps.removals.count + steps.arrangement.count
    guard count * ends.length <= JSONPatch.maximumShifts else { return false }
    for index in steps.removals { remove(ends.token(index)) }
    for step in steps.arrangement {
      switch step {
      case .add(let index): add(new[index.new], ends.token(index.at))
      case .move(let from, let to):
        operations.append(.move(from: place(ends.token(from)), to: place(ends.token(to))))
      }
    }
    var isKept = ends.areThere
    for pair in steps.pairs where compare(old[pair.old], new[pair.new], at: ends.token(pair.new)) {
      isKept = true
    }
    return isKept
  }

  private mutating func compareLists(_ old: [JSONValue], _ new: [JSONValue], between ends: CommonEnds) -> Bool {
    let alignment = ArrayAlignment(old[...], new[...], &comparison)
    let shifts = alignment.gaps.reduce(0) { sum, gap in
      sum + abs(gap.old.count - gap.new.count) * (ends.length - ends.prefix - gap.new.lowerBound)
    }
    guard shifts <= JSONPatch.maximumShifts else { return false }
    var isKept = ends.areThere
    // Before each step, the array begins with the new elements up to here, and goes on with the old ones.
    func isLiteralChange(_ anchor: (old: Int, new: Int)) -> Bool {
      literals && !old[anchor.old].isIdentical(to: new[anchor.new])
    }
    var anchors = alignment.anchors[...]
    for gap in alignment.gaps + [ArrayAlignment.Gap(old: old.count..<old.count, new: new.count..<new.count)] {
      while let anchor = anchors.first, anchor.old < gap.old.lowerBound || anchor.new < gap.new.lowerBound {
        anchors.removeFirst()
        if !isLiteralChange(anchor) || compare(old[anchor.old], new[anchor.new], at: ends.token(anchor.new)) {
          isKept = true
        }
      }
      let pairs = min(gap.old.count, gap.new.count)
      for (before, index) in zip(gap.old, gap.new) where compare(old[before], new[index], at: ends.token(index)) {
        isKept = true
      }
      for _ in gap.old.dropFirst(pairs) { remove(ends.token(gap.new.upperBound)) }
      for index in gap.new.dropFirst(pairs) { add(new[index], ends.token(index)) }
    }
    return isKept
  }

  /// Forgets what was found out about values that will be no more: others may come to stand where they did.
  mutating func forget() { comparison = ValueComparison() }
}

extension CommonEnds {
  /// What leads to an element that is told by its index between the ends.
  fileprivate func token(_ index: Int) -> String { String(prefix + index) }
}
