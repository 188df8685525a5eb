import Testing
import TestSupport

@testable import StateJSON

@Suite struct EditDistanceTests {
  @Test(arguments: [
    ("1", "1.0", 0), ("1", "2", 1), (#"{"a":1,"b":2}"#, #"{"b":2,"a":1}"#, 0), (#"{"a":1}"#, #"{"a":1,"b":[1,2]}"#, 1),
    (#"{"a":{"x":1,"y":2}}"#, #"{"a":5}"#, 1), ("[1,2,3]", "[1,9,3]", 1), ("[1,2,3]", "[1,3]", 1),
    (#"[{"id":1,"t":"a"},{"id":2,"t":"b"}]"#, #"[{"id":2,"t":"B"},{"id":1,"t":"a"}]"#, 1),
    (#"[{"id":1,"t":"a"}]"#, #"[{"id":2,"t":"a"}]"#, 2),
  ])
  func `a distance counts what changed`(from: String, to: String, distance: Int) throws {
    let (from, to) = (try JSONValue(parsing: from), try JSONValue(parsing: to))
    #expect(EditDistance(from: from, to: to).distance == distance)
    #expect(EditDistance(from: to, to: from).distance == distance)
  }

  @Test(arguments: [
    (#"{"a":1,"b":{"c":2,"d":[]}}"#, #"{"b":{"c":3,"d":[1]},"e":{"f":4,"g":5}}"#, [1, 2, 1, 4]),
    (#"{"a":[1,[2,3],4],"k":[{"id":1,"v":5},{"id":2}]}"#, #"{"a":[[2,3],4],"k":[{"id":1,"v":5}]}"#, [0, 0, 2, 0]),
    ("[]", "{}", [1, 0, 0, 0]), ("{}", "{}", [0, 0, 0, 0]), ("7", "7.0", [0, 0, 0, 0]),
    ("[]", "[1,[2,{\"a\":3}]]", [0, 2, 0, 3]), ("1", "[1,2]", [1, 0, 0, 2]),
  ])
  func `edits are told by their kind, and how much is new`(from: String, to: String, counts: [Int]) throws {
    let edits = EditDistance(from: try JSONValue(parsing: from), to: try JSONValue(parsing: to)).edits
    #expect([edits.changed, edits.added, edits.removed, edits.fresh] == counts)
  }

  @Test func `a distance kept up to date is the one that is measured anew, and patches can be taken back`() throws {
    for seed in 0..<300 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      let values = (0..<6).map { _ in Self.value(&random, depth: 3) }
      let target = values[0]
      var distance = EditDistance(from: values[1], to: target)
      var value = values[1]
      for next in values[2...] {
        let patch = JSONPatch(from: value, to: next)
        try distance.apply(patch)
        #expect(distance.edits == EditDistance(from: next, to: target).edits, "seed \(seed)")
        #expect(distance.value == next, "seed \(seed)")
        let old = value
        let undo = try value.applyUndoably(patch)
        #expect(value == next, "seed \(seed)")
        var back = value
        _ = try back.applyUndoably(undo)
        #expect(back == old, "seed \(seed)")
      }
    }
  }

  @Test(arguments: [
    // The list has no identities any more.
    [
      #"{"op":"replace","path":"/l/0/v","value":1}"#, #"{"op":"replace","path":"/l","value":[7]}"#,
      #"{"op":"add","path":"/l/1","value":{"id":3}}"#,
    ],
    // Another element has the index.
    [
      #"{"op":"replace","path":"/l/0/k/0/v","value":1}"#, #"{"op":"remove","path":"/l/0"}"#,
      #"{"op":"replace","path":"/l/0/k/0/v","value":1}"#,
    ],
  ])
  func `what was known of a list is forgotten when that changes`(operations: [String]) throws {
    let value = try JSONValue(
      parsing: #"{"l":[{"id":1,"v":0,"k":[{"id":"a","v":0}]},{"id":2,"k":[{"id":"b","v":0}]}]}"#)
    var distance = EditDistance(from: value, to: value)
    for operation in operations {
      try distance.apply(try JSONPatch(JSONValue(parsing: "[\(operation)]")))
      #expect(distance.edits == EditDistance(from: distance.value, to: value).edits, "\(operation)")
    }
  }

  @Test func `elements of a list that has the ends of the target come and go, also at these ends`() throws {
    func element(_ id: JSONValue, _ value: JSONValue) -> JSONValue { ["id": id, "v": [value]] }
    let list = JSONPointer(["l"])
    for seed in 0..<300 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      let target = (0..<8).map { element(.number(JSONNumber($0)), 0) }
      var elements = target
      elements[3 + random.below(2)] = element("other", 1)
      var distance = EditDistance(from: ["l": .array(elements)], to: ["l": .array(target)])
      var ids: [JSONValue] = ["a", "b", "c"]
      for _ in 0..<12 {
        let index = random.below(elements.count)
        let place = list.appending("\(index)")
        let operation: JSONPatch.Operation
        switch random.below(3) {
        case 0 where !ids.isEmpty:
          operation = .add(element(ids.remove(at: random.below(ids.count)), 0), at: place)
        case 1 where elements.count > 1:
          ids.append(try #require(elements[index][JSONPointer(["id"])]))
          operation = .remove(at: place)
        default:
          operation = .replace(at: place.appending("v").appending("0"), with: .number(JSONNumber(random.below(3))))
        }
        try distance.apply(JSONPatch([operation]))
        guard case .array(let now)? = distance.value[list] else { preconditionFailure("it is a list") }
        elements = now
        #expect(
          distance.edits == EditDistance(from: distance.value, to: ["l": .array(target)]).edits,
          "seed \(seed): \(operation)")
      }
    }
  }

  @Test func `a change costs what it changes, not what there is`() throws {
    let elements = (0..<2000).map { ["id": .number(JSONNumber($0)), "n": 0, "t": ["x": "y"]] as JSONValue }
    let value: JSONValue = ["list": .array(elements)]
    var distance = EditDistance(from: value, to: value)
    let place = JSONPointer(["list", "7", "n"])
    try distance.apply(JSONPatch([.replace(at: place, with: 1)]))
    let before = distance.work
    try distance.apply(JSONPatch([.replace(at: place, with: 2)]))
    try distance.apply(JSONPatch([.add(["id": 5000, "n": 1], at: JSONPointer(["list", "3"]))]))
    #expect(distance.distance == 2)
    #expect(distance.work - before < 30)
    // What is taken out may come back.
    try distance.apply(JSONPatch([.remove(at: JSONPointer(["list", "3"]))]))
    try distance.apply(JSONPatch([.add(["id": 5000, "n": 1], at: JSONPointer(["list", "9"]))]))
    #expect(distance.distance == 2)
    #expect(distance.work - before < 60)
    // So may what the target has.
    try distance.apply(JSONPatch([.remove(at: JSONPointer(["list", "20"]))]))
    #expect(distance.distance == 3)
    try distance.apply(JSONPatch([.add(["id": 19, "n": 1], at: JSONPointer(["list", "30"]))]))
    try distance.apply(JSONPatch([.replace(at: place, with: 3)]))
    #expect(distance.distance == 4)
    #expect(distance.work - before < 90)
  }

  @Test func `a patch that fails half way leaves the value as it was`() throws {
    var value: JSONValue = ["a": [1, 2], "b": 1]
    let old = value
    let patch = JSONPatch([
      .remove(at: JSONPointer(["a", "0"])), .move(from: JSONPointer(["b"]), to: JSONPointer(["c"])),
      .remove(at: JSONPointer(["x"])),
    ])
    let error = #expect(throws: JSONPatchError.self) { try value.applyUndoably(patch) }
    #expect(error?.message == "operation 2 (remove '/x'): '/x' leads nowhere: the root has no member \"x\"")
    #expect(value == old)
  }

  static func value(_ random: inout SplitMix64, depth: Int) -> JSONValue {
    switch random.below(depth > 0 ? 5 : 2) {
    case 0: return .number(JSONNumber(random.below(3)))
    case 1: return .string(random.pick(["a", "b"]))
    case 2: return .array((0..<random.below(4)).map { _ in value(&random, depth: depth - 1) })
    case 3:
      var ids = [0, 1, 2, 3, 4].shuffled(using: &random)
      return .array(
        (0..<random.below(5)).map { _ in
          ["id": .number(JSONNumber(ids.removeLast())), "v": value(&random, depth: depth - 1)] as JSONValue
        })
    default:
      var object = JSONObject()
      for key in ["k", "l", "m"] where random.oneIn(2) { object[key] = value(&random, depth: depth - 1) }
      return .object(object)
    }
  }
}
