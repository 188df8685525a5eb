import Replication
import StateJSON
import TestSupport
import Testing

/// Laws of changes, on random documents. Each failure names the seed.
@Suite struct ChangeLawTests {
  @Test func `a change is exact on its own base, however it is handed on`() throws {
    var count = (changes: 0, keyed: 0)
    for seed in 0..<10_000 as Range<UInt64> {
      var random = RandomDocuments(seed: seed)
      let base = random.document()
      let new = random.edited(base)
      guard let change = SparseChange(from: base, to: new) else {
        #expect(base == new, "seed \(seed)")
        continue
      }
      #expect(base != new && change.applying(to: base) == new, "seed \(seed): \(base) → \(new)")
      #expect(change.cost > 0, "seed \(seed)")

      let form = change.value
      let read = try SparseChange(form)
      #expect(read.value.isIdentical(to: form), "seed \(seed)")
      if case .elements = change { count.keyed += 1 }
      count.changes += 1
    }
    #expect(count.changes > 8_000 && count.keyed > 1_000)
  }

  @Test func `sharing is a short cut, never another change`() {
    for seed in 0..<2_000 as Range<UInt64> {
      var random = RandomDocuments(seed: seed)
      let base = random.document()
      let new = random.edited(base)
      let (shared, unshared) = (SparseChange(from: base, to: new), SparseChange(from: base.unshared, to: new.unshared))
      #expect(shared?.value.description == unshared?.value.description, "seed \(seed): \(base) → \(new)")
      guard let shared else { continue }
      var (value, copy): (JSONValue?, JSONValue?) = (random.edited(base), nil)
      copy = value?.unshared
      let result = shared.applying(to: value)
      shared.apply(to: &value)
      shared.apply(to: &copy)
      #expect(value?.description == result?.description && copy?.description == result?.description, "seed \(seed)")
    }
  }

  /// A table that two sides have edited, and what comes of both.
  private struct Case: CustomStringConvertible {
    let seed: UInt64
    let base: [JSONValue]
    /// What others made of it, and what their change is done to.
    let there: [JSONValue]
    /// What the change that is done made of it.
    let here: [JSONValue]
    let result: [JSONValue]
    /// What a merge gives that knows the whole base.
    let whole: [JSONValue]

    init(seed: UInt64) {
      var random = RandomDocuments(seed: seed)
      let base = random.table()
      var (there, here) = (base, base)
      for _ in 0...random.random.below(2) {
        there = random.editedTable(there)
        here = random.editedTable(here)
      }
      (self.seed, self.base, self.there, self.here) = (seed, base, there, here)
      var ghosts = Ghosts()
      if let removed = SparseChange(from: .array(base), to: .array(there)) { ghosts.remember(removed) }
      let change = SparseChange(from: .array(base), to: .array(here))
      result = (change.map { $0.applying(to: .array(there), ghosts: ghosts) } ?? .array(there))?.elements ?? []
      whole = JSONMerge(base: .array(base), left: .array(there), right: .array(here), newer: .right).value.elements
    }

    var description: String {
      "seed \(seed): \(JSONValue.array(base)), there \(JSONValue.array(there)), here \(JSONValue.array(here)), "
        + "result \(JSONValue.array(result))"
    }
  }

  @Test func `no element is lost, cut short or doubled by what two sides did to a list`() {
    var alone = 0
    for seed in 0..<4_000 as Range<UInt64> {
      let sides = Case(seed: seed)
      let most = Self.mostOfOneID(sides.result)
      #expect(
        most <= 1 || [sides.whole, sides.there, sides.here].contains { most <= Self.mostOfOneID($0) },
        "an element is there once, \(sides)")

      let sources = [sides.base, sides.there, sides.here]
      #expect(
        !Self.isCutShort(sides.result, of: sources) || Self.isCutShort(sides.whole, of: sources),
        "an element is there whole, \(sides)")

      let kept = Self.withoutID(sides.there).subtracting(Self.withoutID(sides.base))
      #expect(kept.isSubset(of: Self.withoutID(sides.result)), "an element without a key stays, \(sides)")

      let edited = Self.edited(from: sides.base, to: sides.here)
      #expect(edited.isSubset(of: Self.ids(of: sides.result)), "an edit wins over a removal, \(sides)")

      guard sides.base == sides.there else { continue }
      #expect(sides.result == sides.here, "what one side did alone is done, \(sides)")
      alone += 1
    }
    #expect(alone > 50)
  }

  private static func mostOfOneID(_ elements: [JSONValue]) -> Int {
    let ids = elements.compactMap { $0.member("id") }
    return Dictionary(ids.map { ($0, 1) }, uniquingKeysWith: +).values.max() ?? 0
  }

  private static func ids(of elements: [JSONValue]) -> Set<JSONValue> { Set(elements.compactMap { $0.member("id") }) }

  /// The elements that are in both versions of a list and differ, where both are keyed.
  private static func edited(from old: [JSONValue], to new: [JSONValue]) -> Set<JSONValue> {
    guard ElementIdentity.key(of: [old, new]) != nil else { return [] }
    let before = Dictionary(uniqueKeysWithValues: old.map { ($0.member("id"), $0) })
    return ids(of: new.filter { element in before[element.member("id")].map { $0 != element } ?? false })
  }

  private static func withoutID(_ elements: [JSONValue]) -> Set<JSONValue> {
    Set(elements.filter { $0.member("id") == nil })
  }

  /// Whether an element lacks a member that it has wherever it came from.
  private static func isCutShort(_ elements: [JSONValue], of sources: [[JSONValue]]) -> Bool {
    elements.contains { element in
      guard let id = element.member("id") else { return false }
      let origins = sources.joined().filter { $0.member("id") == id }.map { Set($0.keys) }
      guard let first = origins.first else { return false }
      return !origins.reduce(first) { $0.intersection($1) }.isSubset(of: element.keys)
    }
  }
}

extension JSONValue {
  fileprivate var elements: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }
  fileprivate var keys: [String] { if case .object(let object) = self { object.keys } else { [] } }
}
