/// How many changes lead from a value to a target, kept up to date while patches change the value.
///
/// A changed scalar counts one, and so does what was added or removed, whatever is in it: people do that in one step. Members
/// are compared by key, elements with unique ids by identity, other elements along a longest common subsequence. Neither
/// order of members or identified elements counts, nor notation. What both have in the same storage isn't looked at.
///
/// Since the distance of an object is the sum of its members', a patch changes it only by what happens at the places it
/// names: those are looked at, and nothing else. A list without identities is compared again as a whole.
package struct EditDistance {
  /// The changes by their kind, and what they leave alone.
  package struct Edits: Sendable, Hashable {
    /// How many values are others. An object or an array counts only where the other side has something else.
    package var changed = 0
    /// How many members and elements only the target has.
    package var added = 0
    /// How many it has no more.
    package var removed = 0
    /// How many scalars of the target are in none of what both have in the same place.
    package var fresh = 0

    package var count: Int { changed + added + removed }

    static func + (one: Edits, other: Edits) -> Edits {
      Edits(
        changed: one.changed + other.changed, added: one.added + other.added, removed: one.removed + other.removed,
        fresh: one.fresh + other.fresh)
    }

    static func - (one: Edits, other: Edits) -> Edits {
      Edits(
        changed: one.changed - other.changed, added: one.added - other.added, removed: one.removed - other.removed,
        fresh: one.fresh - other.fresh)
    }

    static func += (one: inout Edits, other: Edits) { one = one + other }
  }

  package private(set) var value: JSONValue
  package let target: JSONValue
  package private(set) var edits = Edits()
  /// How many edits these are.
  package var distance: Int { edits.count }
  /// How many values have been looked at so far: a measure of the time taken.
  package private(set) var work = 0

  /// What is known of the arrays of identified elements on the ways of the patches, by their place.
  private var keyed: [JSONPointer: KeyedArray] = [:]

  package init(from value: JSONValue, to target: JSONValue) {
    self.value = value
    self.target = target
    edits = measure(value, target)
  }

  /// Changes the value.
  ///
  /// - Throws: When an operation can't be applied; nothing holds any more then.
  package mutating func apply(_ patch: JSONPatch) throws(JSONPatchError) {
    for (index, operation) in patch.operations.enumerated() {
      do {
        if try !applyToIdentified(operation) { try applyAnywhere(operation) }
      } catch {
        throw JSONPatchError(error, operation: operation, index: index)
      }
    }
  }

  // MARK: Places

  /// The identities of an array's elements, and what the target has for each.
  private struct KeyedArray {
    let key: String
    private let counterparts: [JSONValue]
    private let indices: [ElementIdentity: Int]
    /// The ends that both had in common when this was made: those identities need not be kept twice.
    private let ends: CommonEnds
    private var missingFromEnds: Set<ElementIdentity> = []
    private var identities: Set<ElementIdentity>

    /// `nil` unless the key identifies the elements of both arrays.
    init?(_ elements: [JSONValue], _ counterparts: [JSONValue], by key: String) {
      ends = CommonEnds(elements.count, counterparts.count) { elements[$0].isPlainlySame(as: counterparts[$1]) }
      guard let own = ElementIdentity.each(of: elements[ends.between.old], by: key),
        let others = ElementIdentity.each(of: counterparts[...], by: key)
      else { return nil }
      indices = Dictionary(zip(others, others.indices)) { first, _ in first }
      identities = []
      guard indices.count == others.count else { return nil }
      (self.key, self.counterparts) = (key, counterparts)
      for identity in own where !insert(identity) { return nil }
    }

    /// The element of the target that has an identity.
    func target(_ identity: ElementIdentity) -> JSONValue? { indices[identity].map { counterparts[$0] } }

    private func isInEnds(_ identity: ElementIdentity) -> Bool {
      indices[identity].map { !ends.between.new.contains($0) } ?? false
    }

    /// - Returns: Whether no element had it.
    mutating func insert(_ identity: ElementIdentity) -> Bool {
      isInEnds(identity) ? missingFromEnds.remove(identity) != nil : identities.insert(identity).inserted
    }

    mutating func remove(_ identity: ElementIdentity) {
      if isInEnds(identity) { missingFromEnds.insert(identity) } else { identities.remove(identity) }
    }
  }

  /// The innermost place on a way whose distance is one summand of the whole, and its counterpart.
  private struct Anchor {
    var depth = 0
    var value: JSONValue?
    var counterpart: JSONValue?
  }

  private mutating func applyAnywhere(_ operation: JSONPatch.Operation) throws(JSONPatchError.Reason) {
    let tokens = Self.commonTokens(of: operation)
    var anchor = anchor(on: tokens)
    let place = JSONPointer(Array(tokens[..<anchor.depth]))
    let before = measure(anchor.value, anchor.counterpart)
    // So that the value is nobody else's, and is changed in place.
    anchor.value = nil
    try value.apply(operation)
    edits += measure(value[place], anchor.counterpart) - before
    forgetArrays { place.isPrefix(of: $0) }
  }

  private mutating func forgetArrays(where isOutdated: (JSONPointer) -> Bool) {
    // Seldom any, and making the dictionary anew takes long.
    guard keyed.keys.contains(where: isOutdated) else { return }
    keyed = keyed.filter { !isOutdated($0.key) }
  }

  /// The way to all that an operation changes.
  private static func commonTokens(of operation: JSONPatch.Operation) -> [String] {
    guard case .move(let from, let path) = operation else { return operation.path.tokens }
    let common = zip(from.tokens, path.tokens).prefix { $0.hasSameScalars(as: $1) }.map(\.0)
    return common.count == path.tokens.count ? common.dropLast() : common
  }

  private mutating func anchor(on tokens: [String]) -> Anchor {
    var anchor = Anchor(value: value, counterpart: target)
    while anchor.depth < tokens.count {
      let token = tokens[anchor.depth]
      work += 1
      switch (anchor.value, anchor.counterpart) {
      case (.object(let object), .object(let counterpart)):
        anchor.counterpart = counterpart[token]
        anchor.value = object[token]
      case (.array(let elements), .array(let counterparts)):
        // Deeper than the element itself and its identity.
        guard anchor.depth + 2 <= tokens.count, !ElementIdentity.usualKeys.contains(tokens[anchor.depth + 1]),
          let array = keyedArray(elements, counterparts, at: JSONPointer(Array(tokens[..<anchor.depth]))),
          let index = JSONPointer.arrayIndex(token), elements.indices.contains(index),
          let identity = elements[index].identity(by: array.key)
        else { return anchor }
        anchor.counterpart = array.target(identity)
        anchor.value = elements[index]
      default:
        return anchor
      }
      anchor.depth += 1
    }
    return anchor
  }

  private mutating func keyedArray(
    _ elements: [JSONValue], _ counterparts: [JSONValue], at place: JSONPointer
  ) -> KeyedArray? {
    if let known = keyed[place] { return known }
    work += elements.count + counterparts.count
    for key in ElementIdentity.usualKeys {
      guard let array = KeyedArray(elements, counterparts, by: key) else { continue }
      keyed[place] = array
      return array
    }
    return nil
  }

  /// Adds, removes or moves an identified element, which is a summand of its own.
  ///
  /// - Returns: Whether it was that, and has been done.
  private mutating func applyToIdentified(_ operation: JSONPatch.Operation) throws(JSONPatchError.Reason) -> Bool {
    guard let token = operation.path.tokens.last, token == "-" || JSONPointer.arrayIndex(token) != nil else {
      return false
    }
    let parent = JSONPointer(Array(operation.path.tokens.dropLast()))
    guard let change = change(by: operation, on: token, of: parent) else { return false }
    // What is known of arrays further in goes by indices that are about to change.
    forgetArrays { $0 != parent && parent.isPrefix(of: $0) }
    try value.apply(operation)
    edits += change
    return true
  }

  /// What an operation on an identified element adds to the distance; `nil` where it is another one.
  private mutating func change(by operation: JSONPatch.Operation, on token: String, of parent: JSONPointer) -> Edits? {
    // Only where the array itself is a summand, so that its elements are.
    let anchor = anchor(on: parent.tokens)
    guard anchor.depth == parent.tokens.count, case .array(let elements) = anchor.value,
      case .array(let counterparts) = anchor.counterpart,
      var array = keyedArray(elements, counterparts, at: parent)
    else { return nil }
    // So that its identities are nobody else's, and are changed in place.
    keyed[parent] = nil
    defer { keyed[parent] = array }
    switch operation {
    case .add(let element, _):
      guard let identity = element.identity(by: array.key), array.insert(identity) else {
        return nil
      }
      return measure(element, array.target(identity)) - measure(nil, array.target(identity))
    case .remove:
      guard let index = JSONPointer.arrayIndex(token), elements.indices.contains(index),
        let identity = elements[index].identity(by: array.key)
      else { return nil }
      array.remove(identity)
      return measure(nil, array.target(identity)) - measure(elements[index], array.target(identity))
    case .move(let from, _):
      return from.tokens.count == operation.path.tokens.count && parent.isPrefix(of: from) ? Edits() : nil
    case .replace, .copy, .test:
      return nil
    }
  }

  // MARK: Measuring

  private mutating func measure(_ value: JSONValue?, _ target: JSONValue?) -> Edits {
    work += 1
    if let value, let target, value.sharesStorage(with: target) { return Edits() }
    switch (value, target) {
    case (nil, nil): return Edits()
    case (.some, nil): return Edits(removed: 1)
    case (nil, let target?): return Edits(added: 1, fresh: scalarCount(target))
    case (.object(let object), .object(let target)): return measure(object, target)
    case (.array(let elements), .array(let target)): return measure(elements, target)
    case (let value?, let target?):
      return value == target ? Edits() : Edits(changed: 1, fresh: scalarCount(target))
    }
  }

  private mutating func measure(_ object: JSONObject, _ target: JSONObject) -> Edits {
    var sum = Edits()
    if object.hasSameKeys(as: target) {
      for (value, counterpart) in zip(object.values, target.values) { sum += measure(value, counterpart) }
      return sum
    }
    for member in object.members { sum += measure(member.value, target[member.key]) }
    for member in target.members where object.index(forKey: member.key) == nil {
      sum += Edits(added: 1, fresh: scalarCount(member.value))
    }
    return sum
  }

  private mutating func measure(_ elements: [JSONValue], _ target: [JSONValue]) -> Edits {
    let ends = CommonEnds(elements.count, target.count) { elements[$0].isPlainlySame(as: target[$1]) }
    let (elements, target) = (Array(elements[ends.between.old]), Array(target[ends.between.new]))
    if elements.isEmpty || target.isEmpty {
      return Edits(added: target.count, removed: elements.count, fresh: scalarCount(target[...]))
    }
    guard let identities = ElementIdentity.identities(of: [elements, target]) else {
      return measureLists(elements, target)
    }
    var sum = Edits()
    if identities[0] == identities[1] {
      for (element, counterpart) in zip(elements, target) { sum += measure(element, counterpart) }
      return sum
    }
    var targets = Dictionary(uniqueKeysWithValues: zip(identities[1], target))
    for (identity, element) in zip(identities[0], elements) {
      sum += measure(element, targets.removeValue(forKey: identity))
    }
    for added in targets.values { sum += Edits(added: 1, fresh: scalarCount(added)) }
    return sum
  }

  private mutating func measureLists(_ elements: [JSONValue], _ target: [JSONValue]) -> Edits {
    let alignment = ArrayAlignment(elements[...], target[...])
    work += elements.count + target.count
    var sum = Edits()
    for gap in alignment.gaps {
      work += gap.old.count * gap.new.count
      guard gap.isModification else {
        let (old, new) = (gap.old.count, gap.new.count)
        sum += Edits(
          changed: min(old, new), added: max(new - old, 0), removed: max(old - new, 0),
          fresh: scalarCount(target[gap.new]))
        continue
      }
      for (old, new) in zip(gap.old, gap.new) { sum += measure(elements[old], target[new]) }
    }
    return sum
  }

  private mutating func scalarCount(_ value: JSONValue) -> Int {
    let count = value.scalarCount
    work += count
    return count
  }

  private mutating func scalarCount(_ values: ArraySlice<JSONValue>) -> Int {
    values.reduce(0) { $0 + scalarCount($1) }
  }
}

extension JSONValue {
  /// How many scalars there are in it.
  package var scalarCount: Int {
    switch self {
    case .array(let elements): elements.reduce(0) { $0 + $1.scalarCount }
    case .object(let object): object.values.reduce(0) { $0 + $1.scalarCount }
    default: 1
    }
  }
}

extension JSONValue {
  /// Whether it is another one's equal, as far as that can be told at once.
  fileprivate func isPlainlySame(as other: JSONValue) -> Bool {
    if sharesStorage(with: other) { return true }
    return switch (self, other) {
    case (.array, _), (.object, _), (_, .array), (_, .object): false
    default: self == other
    }
  }
}
