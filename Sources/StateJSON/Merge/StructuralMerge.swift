/// One run of a three-way merge: goes down the three versions together and collects conflicts.
///
/// Subtrees that one side left alone are never gone through; a memory of comparisons keeps that from taking time in the
/// depth times the size.
struct StructuralMerge {
  struct Conflict {
    var path: [String]
    let versions: MergeVersions<JSONValue?>
    let newerWins: Bool
  }

  let hints: JSONMergeHints
  /// The way to the place being merged; `*` for an element of an array, whose index is known only afterwards.
  private var path: [String] = []
  private var comparison = ValueComparison()
  private(set) var conflicts: [Conflict] = []

  init(hints: JSONMergeHints) { self.hints = hints }

  /// Merges a place that is there on both sides, and so is there afterwards.
  mutating func mergePresent(_ versions: MergeVersions<JSONValue>) -> JSONValue {
    merge(versions.map { $0 }) ?? versions.newer
  }

  /// Merges a place; `nil` is a place that isn't there.
  mutating func merge(_ versions: MergeVersions<JSONValue?>) -> JSONValue? {
    // What one side left as it was, to the byte, is the other's.
    if comparison.areIdentical(versions.older, versions.base) { return versions.newer }
    if comparison.areIdentical(versions.newer, versions.base) { return versions.older }
    if let objects = versions.objects, hints.rule(at: path) != .atomic { return .object(merge(objects)) }
    guard let arrays = versions.arrays else { return resolve(versions) }
    switch hints.rule(at: path) {
    case .atomic: return resolve(versions)
    case .list: return .array(mergeLists(arrays))
    case .keyed(let key): return .array(mergeArrays(arrays, keys: [key]))
    case nil: return .array(mergeArrays(arrays, keys: ElementIdentity.usualKeys))
    }
  }

  /// Merges a member or an element; tells also which conflicts are in it.
  private mutating func merge(
    _ versions: MergeVersions<JSONValue?>, at token: String
  ) -> (value: JSONValue?, conflicts: Range<Int>) {
    let first = conflicts.count
    path.append(token)
    defer { path.removeLast() }
    return (merge(versions), first..<conflicts.count)
  }

  /// Decides between values as wholes.
  private mutating func resolve(_ versions: MergeVersions<JSONValue?>) -> JSONValue? {
    let (base, older, newer) = (versions.base, versions.older, versions.newer)
    // One meaning, maybe in two notations. Where only one side changed the notation, we didn't get here.
    if older == newer { return newer }
    if older == base { return newer }
    if newer == base { return older }
    conflicts.append(Conflict(path: path, versions: versions, newerWins: newer != nil))
    return newer ?? older
  }

  // MARK: Objects

  private mutating func merge(_ objects: MergeVersions<JSONObject>) -> JSONObject {
    guard objects.older.hasSameKeys(as: objects.base), objects.newer.hasSameKeys(as: objects.base) else {
      let keys = objects.map { $0.keys.map(ScalarString.init) }
      var merged = JSONObject()
      for (key, value) in mergeEntries(keys, objects.map(\.values), token: { $0.string }) {
        merged.append(key.string, value)
      }
      return merged
    }
    var merged = objects.newer
    for (index, key) in objects.base.keys.enumerated() {
      path.append(key)
      _ = merged.exchangeValue(at: index, with: mergePresent(objects.map { $0.values[index] }))
      path.removeLast()
    }
    return merged
  }

  /// Merges what has keys, each with what has the same key, and puts the results in order.
  /// `token` gives a key's token in pointers, or `nil` if that is its index in the merged order.
  private mutating func mergeEntries<Key: Hashable>(
    _ keys: MergeVersions<[Key]>, _ values: MergeVersions<[JSONValue]>, token: (Key) -> String?
  ) -> [(Key, JSONValue)] {
    var all: [Key] = []
    var numbers: [Key: Int] = [:]
    var found: [MergeVersions<JSONValue?>] = []
    func number(_ key: Key) -> Int {
      if let number = numbers[key] { return number }
      numbers[key] = all.count
      all.append(key)
      found.append(MergeVersions<JSONValue?>(base: nil, older: nil, newer: nil))
      return all.count - 1
    }
    let numbered = keys.map { $0.map(number) }
    for (index, number) in numbered.base.enumerated() { found[number].base = values.base[index] }
    for (index, number) in numbered.older.enumerated() { found[number].older = values.older[index] }
    for (index, number) in numbered.newer.enumerated() { found[number].newer = values.newer[index] }

    let merged = zip(all, found).map { key, versions in merge(versions, at: token(key) ?? "*") }
    let order = MergeOrder.merged(numbered, count: all.count) { merged[$0].value != nil }
    return order.enumerated().compactMap { index, number in
      if token(all[number]) == nil { setIndex(index, in: merged[number].conflicts) }
      return merged[number].value.map { (all[number], $0) }
    }
  }

  // MARK: Arrays

  private mutating func mergeArrays(_ arrays: MergeVersions<[JSONValue]>, keys: [String]) -> [JSONValue] {
    let all = [arrays.base, arrays.older, arrays.newer]
    guard let identities = ElementIdentity.identities(of: all, by: keys) else { return mergeLists(arrays) }
    if identities.allSatisfy({ $0 == identities[0] }) {
      var merged: [JSONValue] = []
      for index in arrays.base.indices { mergeElement(arrays.map { $0[index] }, into: &merged) }
      return merged
    }
    let versions = MergeVersions(base: identities[0], older: identities[1], newer: identities[2])
    return mergeEntries(versions, arrays, token: { _ in nil }).map(\.1)
  }

  private mutating func mergeLists(_ lists: MergeVersions<[JSONValue]>) -> [JSONValue] {
    let older = ArrayAlignment(lists.base[...], lists.older[...], &comparison)
    let newer = ArrayAlignment(lists.base[...], lists.newer[...], &comparison)
    let (olderPartners, newerPartners) = (older.partners, newer.partners)
    let (olderInsertions, newerInsertions) = (older.insertions, newer.insertions)

    var merged: [JSONValue] = []
    merged.reserveCapacity(max(lists.older.count, lists.newer.count))
    for index in 0...lists.base.count {
      mergeInsertions(
        lists.older[olderInsertions[index] ?? 0..<0], lists.newer[newerInsertions[index] ?? 0..<0], into: &merged)
      guard index < lists.base.count else { break }
      let versions = MergeVersions<JSONValue?>(
        base: lists.base[index],
        older: olderPartners[index].map { lists.older[$0] },
        newer: newerPartners[index].map { lists.newer[$0] })
      mergeElement(versions, into: &merged)
    }
    return merged
  }

  /// Merges what both sides inserted at one place: what they have in common once, the rest in runs, the older side's
  /// first.
  private mutating func mergeInsertions(
    _ older: ArraySlice<JSONValue>, _ newer: ArraySlice<JSONValue>, into merged: inout [JSONValue]
  ) {
    guard !older.isEmpty, !newer.isEmpty else {
      merged += older
      merged += newer
      return
    }
    let alignment = ArrayAlignment(older, newer, &comparison)
    var (olderStart, newerStart) = (older.startIndex, newer.startIndex)
    for anchor in alignment.anchors {
      merged += older[olderStart..<anchor.old]
      merged += newer[newerStart..<anchor.new]
      mergeElement(
        MergeVersions<JSONValue?>(base: nil, older: older[anchor.old], newer: newer[anchor.new]), into: &merged)
      (olderStart, newerStart) = (anchor.old + 1, anchor.new + 1)
    }
    merged += older[olderStart...]
    merged += newer[newerStart...]
  }

  private mutating func mergeElement(_ versions: MergeVersions<JSONValue?>, into merged: inout [JSONValue]) {
    let (element, conflicts) = merge(versions, at: "*")
    setIndex(merged.count, in: conflicts)
    if let element { merged.append(element) }
  }

  /// Puts the index of an element of the current array into the paths of the conflicts inside it.
  private mutating func setIndex(_ index: Int, in range: Range<Int>) {
    for conflict in range { conflicts[conflict].path[path.count] = String(index) }
  }
}
