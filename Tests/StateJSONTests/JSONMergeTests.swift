import TestSupport
import Testing

@testable import StateJSON

@Suite struct JSONMergeTests {
  struct Example: CustomTestStringConvertible, Sendable {
    let base: String
    let left: String
    let right: String
    let result: String
    var conflicts: [String] = []
    var hints: JSONMergeHints = [:]
    var testDescription: String { "\(base) | \(left) | \(right)" }
  }

  static let examples = [
    Example(
      base: #"{"a":1,"b":1}"#, left: #"{"a":2,"b":1}"#, right: #"{"a":1,"b":3}"#, result: #"{"a":2,"b":3}"#),
    Example(
      base: #"{"n":1}"#, left: #"{"n":2}"#, right: #"{"n":3}"#, result: #"{"n":3}"#, conflicts: ["/n: 1 2 3 right"]),
    Example(
      base: #"{"n":1.0,"x":0}"#, left: #"{"n":1.0,"x":5}"#, right: #"{"n":1,"x":0}"#, result: #"{"n":1,"x":5}"#),
    Example(
      base: #"{"o":{"p":1,"q":2}}"#, left: #"{}"#, right: #"{"o":{"p":9,"q":2}}"#, result: #"{"o":{"p":9,"q":2}}"#,
      conflicts: [#"/o: {"p":1,"q":2} - {"p":9,"q":2} right"#]),
    Example(
      base: #"{"v":[1,2]}"#, left: #"{"v":{"k":1}}"#, right: #"{"v":[1,2,3]}"#, result: #"{"v":[1,2,3]}"#,
      conflicts: [#"/v: [1,2] {"k":1} [1,2,3] right"#]),
    Example(
      base: #"[{"id":1,"t":"a"},{"id":2,"t":"b"}]"#, left: #"[{"id":2,"t":"b"},{"id":1,"t":"a","d":true}]"#,
      right: #"[{"id":1,"t":"A"},{"id":2,"t":"b"},{"id":3}]"#,
      result: #"[{"id":2,"t":"b"},{"id":3},{"id":1,"t":"A","d":true}]"#),
    Example(
      base: #"[{"id":1}]"#, left: #"[{"id":1},{"id":7}]"#, right: #"[{"id":1},{"id":8},{"id":9}]"#,
      result: #"[{"id":1},{"id":7},{"id":8},{"id":9}]"#),
    Example(base: #"["a","b","c"]"#, left: #"["a","x","b","c"]"#, right: #"["a","b"]"#, result: #"["a","x","b"]"#),
    Example(base: "[0,0]", left: "[1,0]", right: "[2,5]", result: "[2,5]", conflicts: ["/0: 0 1 2 right"]),
    Example(
      base: #"["a"]"#, left: #"["a","x","y"]"#, right: #"["a","x","z"]"#, result: #"["a","x","y","z"]"#),
    // Of several notations that of the side that changed it, or the newer.
    Example(base: "[1,1,1]", left: "[1.0,1,1.0]", right: "[1,1e0,1e0]", result: "[1.0,1e0,1e0]"),
    Example(base: #"{"a":1}"#, left: #"{"a":1.0}"#, right: #"{"a":2}"#, result: #"{"a":2}"#),
    // An edit wins over a removal, also an older one.
    Example(
      base: #"{"a":[1,{"b":2}]}"#, left: #"{"a":[1,{"b":3}]}"#, right: "{}", result: #"{"a":[1,{"b":3}]}"#,
      conflicts: [#"/a: [1,{"b":2}] [1,{"b":3}] - left"#]),
    // Absent is not null.
    Example(
      base: "{}", left: #"{"a":null}"#, right: #"{"a":1}"#, result: #"{"a":1}"#, conflicts: ["/a: - null 1 right"]),
    Example(base: #"{"a":null}"#, left: "{}", right: #"{"a":null,"b":1}"#, result: #"{"b":1}"#),
    // Both added an object.
    Example(base: "{}", left: #"{"o":{"a":1}}"#, right: #"{"o":{"b":2}}"#, result: #"{"o":{"a":1,"b":2}}"#),
    // A conflict inside an element is found at its merged place.
    Example(
      base: #"[{"id":1,"n":0},{"id":2}]"#, left: #"[{"id":2},{"id":1,"n":1}]"#,
      right: #"[{"id":9},{"id":1,"n":2},{"id":2}]"#, result: #"[{"id":9},{"id":2},{"id":1,"n":2}]"#,
      conflicts: ["/2/n: 0 1 2 right"]),
    Example(
      base: #"[{"id":1,"n":0},{"id":2,"n":0}]"#, left: #"[{"id":1,"n":1},{"id":2,"n":1}]"#,
      right: #"[{"id":1,"n":0},{"id":2,"n":2}]"#, result: #"[{"id":1,"n":1},{"id":2,"n":2}]"#,
      conflicts: ["/1/n: 0 1 2 right"]),
    // By the index of an element no hint is found, since that is known only afterwards.
    Example(
      base: #"[{"id":1,"n":[0]}]"#, left: #"[{"id":1,"n":[0,1]}]"#, right: #"[{"id":1,"n":[0,2]}]"#,
      result: #"[{"id":1,"n":[0,1,2]}]"#, hints: [JSONPointer(["0", "n"]): .atomic]),
    Example(
      base: #"[[0],"s"]"#, left: #"["x",[1],"s"]"#, right: #"["s","t"]"#, result: #"["x",[1],"s","t"]"#),
    // Order: runs of insertions don't interleave; the newer order wins.
    Example(
      base: #"{"a":1,"b":2}"#, left: #"{"a":1,"l":0,"m":0,"b":2}"#, right: #"{"a":1,"r":0,"s":0,"b":2}"#,
      result: #"{"a":1,"l":0,"m":0,"r":0,"s":0,"b":2}"#),
    Example(
      base: #"{"a":1,"b":2,"c":3}"#, left: #"{"b":2,"a":1,"c":3}"#, right: #"{"a":1,"c":3,"b":2}"#,
      result: #"{"a":1,"c":3,"b":2}"#),
    // Ids that aren't unique make a list.
    Example(
      base: #"[{"id":1},{"id":1}]"#, left: #"[{"id":1},{"id":1},{"id":2}]"#, right: #"[{"id":1}]"#,
      result: #"[{"id":1},{"id":2}]"#),
    // Hints.
    Example(
      base: #"{"t":[1,2]}"#, left: #"{"t":[1,2,3]}"#, right: #"{"t":[0,1,2]}"#, result: #"{"t":[0,1,2]}"#,
      conflicts: ["/t: [1,2] [1,2,3] [0,1,2] right"], hints: [JSONPointer(["t"]): .atomic]),
    Example(
      base: #"{"r":[{"o":{"a":1}}]}"#, left: #"{"r":[{"o":{"a":2}}]}"#, right: #"{"r":[{"o":{"a":1,"b":1}}]}"#,
      result: #"{"r":[{"o":{"a":1,"b":1}}]}"#, conflicts: [#"/r/0/o: {"a":1} {"a":2} {"a":1,"b":1} right"#],
      hints: [JSONPointer(["r", "*", "o"]): .atomic]),
    Example(
      base: #"[{"p":1},{"p":2}]"#, left: #"[{"p":2},{"p":1,"x":0}]"#, right: #"[{"p":1,"y":0},{"p":2}]"#,
      result: #"[{"p":2},{"p":1,"x":0,"y":0}]"#, hints: [.root: .keyed(by: "p")]),
    Example(
      base: #"[{"id":1,"a":0}]"#, left: #"[{"id":2,"a":0}]"#, right: #"[{"id":1,"a":1}]"#,
      result: #"[{"id":2,"a":1}]"#, hints: [.root: .list]),
  ]

  @Test(arguments: examples)
  func `the worked examples come out as written`(_ example: Example) throws {
    let merge = JSONMerge(
      base: try JSONValue(parsing: example.base), left: try JSONValue(parsing: example.left),
      right: try JSONValue(parsing: example.right), newer: .right, hints: example.hints)
    #expect(merge.value.description == example.result)
    #expect(merge.conflicts.map(Self.text) == example.conflicts)
  }

  private static func text(_ conflict: JSONMerge.Conflict) -> String {
    let values = [conflict.base, conflict.left, conflict.right].map { $0?.description ?? "-" }
    return "\(conflict.pointer): \(values.joined(separator: " ")) \(conflict.winner)"
  }

  @Test func `what only one side changed is taken to the byte`() {
    for seed in 0..<3000 as Range<UInt64> {
      var random = RandomVersions(seed: seed)
      let base = random.value()
      let edited = random.edited(base).unshared
      for newer in [JSONMerge.Side.left, .right] {
        for merge in [
          JSONMerge(base: base, left: base.unshared, right: edited, newer: newer),
          JSONMerge(base: base, left: edited, right: base.unshared, newer: newer),
          JSONMerge(base: base, left: edited, right: edited.unshared, newer: newer),
        ] {
          #expect(merge.value.description == edited.description, "seed \(seed): \(base)")
          #expect(merge.conflicts.isEmpty, "seed \(seed)")
        }
      }
    }
  }

  @Test func `exchanging the sides changes nothing`() {
    var conflicts = 0
    for seed in 0..<3000 as Range<UInt64> {
      var random = RandomVersions(seed: seed)
      let base = random.value()
      let (left, right) = (random.edited(base).unshared, random.edited(base).unshared)
      let merge = JSONMerge(base: base, left: left, right: right, newer: .right)
      let mirrored = JSONMerge(base: base, left: right, right: left, newer: .left)
      #expect(merge.value.description == mirrored.value.description, "seed \(seed)")
      let exchanged = mirrored.conflicts.map {
        JSONMerge.Conflict(
          pointer: $0.pointer, base: $0.base, left: $0.right, right: $0.left,
          winner: $0.winner == .left ? .right : .left)
      }
      #expect(merge.conflicts == exchanged, "seed \(seed)")
      conflicts += merge.conflicts.count

      // Shared storage is a short cut, never another result.
      let shared = JSONMerge(base: base, left: left, right: base, newer: .right)
      #expect(shared.value.description == left.description, "seed \(seed)")
    }
    #expect(conflicts > 100)
  }

  @Test func `nothing is made up, and the winner of each conflict is at its place`() {
    for seed in 0..<3000 as Range<UInt64> {
      var random = RandomVersions(seed: seed)
      let base = random.value()
      let (left, right) = (random.edited(base), random.edited(base))
      let merge = JSONMerge(base: base, left: left, right: right, newer: .left)
      let known = base.literals.union(left.literals).union(right.literals)
      #expect(merge.value.literals.isSubset(of: known), "seed \(seed)")
      for conflict in merge.conflicts {
        let winner = conflict.winner == .left ? conflict.left : conflict.right
        #expect(merge.value[conflict.pointer] == winner, "seed \(seed): \(conflict.pointer)")
        #expect(conflict.left != conflict.right && conflict.left != conflict.base && conflict.right != conflict.base)
      }
    }
  }

  @Test func `disjoint edits of an object are both present`() throws {
    for seed in 0..<500 as Range<UInt64> {
      var random = RandomVersions(seed: seed)
      let (one, two) = (random.value(), random.value())
      let base: JSONValue = ["l": one, "r": two]
      let (newOne, newTwo) = (random.edited(one), random.edited(two))
      let merge = JSONMerge(base: base, left: ["l": newOne, "r": two], right: ["l": one, "r": newTwo], newer: .right)
      #expect(merge.value.isIdentical(to: ["l": newOne, "r": newTwo]), "seed \(seed)")
      #expect(merge.conflicts.isEmpty, "seed \(seed)")
    }
  }

  /// Five times the levels take some five times as long; if each compared all that is below it, 25 times.
  @Test func `deeply nested lists are compared once and not at every level`() throws {
    func nested(_ leaf: JSONValue, _ depth: Int) throws -> JSONValue {
      let filler = JSONValue.array((0..<100).map { .number(JSONNumber($0)) })
      let value = (0..<depth).reduce(leaf) { inner, level in
        level.isMultiple(of: 2) ? [filler, inner] : [.number(JSONNumber(level)), inner, leaf, leaf]
      }
      return value.unshared
    }
    func mergeTime(depth: Int) throws -> Duration {
      let (base, left, right) = try (nested(0, depth), nested(1, depth), nested(2, depth))
      return try processorTime { () throws in
        let merge = JSONMerge(base: base, left: left, right: right, newer: .right)
        let there = try base.applying(JSONPatch(from: base, to: left))
        #expect(merge.value == right)
        #expect(!merge.conflicts.isEmpty)
        #expect(there == left)
      }
    }
    let (shallow, deep) = try (mergeTime(depth: 100), mergeTime(depth: 500))
    #expect(deep < shallow * 12)
  }

  @Test func `long lists with insertions merge element by element`() {
    let base = JSONValue.array((0..<5000).map { .string("\($0)") })
    guard case .array(var left) = base, case .array(var right) = base else { return }
    left.insert("l", at: 4000)
    left.insert("k", at: 10)
    right.remove(at: 4500)
    right.insert("r", at: 20)
    let merge = JSONMerge(base: base, left: .array(left), right: .array(right), newer: .right)
    left.remove(at: 4502)
    left.insert("r", at: 21)
    #expect(merge.value == .array(left))
    #expect(merge.conflicts.isEmpty)
  }

  @Test func `long lists that changed all over merge by index`() {
    let base = JSONValue.array((0..<5000).map { .string("\($0)") })
    guard case .array(var left) = base, case .array(var right) = base else { return }
    for index in stride(from: 0, to: 5000, by: 4) { left[index] = "l" }
    for index in stride(from: 1, to: 5000, by: 4) { right[index] = "r" }
    let merge = JSONMerge(base: base, left: .array(left), right: .array(right), newer: .right)
    for index in stride(from: 1, to: 5000, by: 4) { left[index] = "r" }
    #expect(merge.value == .array(left))
    #expect(merge.conflicts.isEmpty)
  }
}
