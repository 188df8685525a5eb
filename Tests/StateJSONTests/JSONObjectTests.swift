import StateJSON
import TestSupport
import Testing

@Suite struct JSONObjectTests {
  @Test func `an object behaves like a list of members with unique keys, small or large`() {
    for seed in 0..<50 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      var object = JSONObject()
      var model: [(key: String, value: JSONValue)] = []
      for step in 0..<120 {
        let key = "k\(random.below(30))"
        let value = JSONValue.number(JSONNumber(step))
        let position = model.firstIndex { $0.key == key }
        switch random.below(step < 60 ? 4 : 8) {
        case 0:
          let index = random.below(model.count + 1)
          #expect(object.insert(key, value, at: index) == (position == nil), "seed \(seed)")
          if position == nil { model.insert((key, value), at: index) }
        case 1, 2:
          object[key] = value
          if let position { model[position].value = value } else { model.append((key, value)) }
        case 3:
          #expect(object.append(key, value) == (position == nil), "seed \(seed)")
          if position == nil { model.append((key, value)) }
        default:
          #expect(object.removeValue(forKey: key) == position.map { model[$0].value }, "seed \(seed)")
          if let position { model.remove(at: position) }
        }
        #expect(object.members.map(\.key) == model.map(\.key), "seed \(seed)")
        #expect(object.members.map(\.value) == model.map(\.value), "seed \(seed)")
        #expect(object.index(forKey: key) == model.firstIndex { $0.key == key }, "seed \(seed)")
      }
    }
  }

  @Test func `keys are compared by scalars, small or large`() {
    for count in [0, 40] {
      var object = JSONObject()
      for index in 0..<count { object.append("\(index)", .null) }
      object["\u{E9}"] = .bool(true)
      object["e\u{301}"] = .bool(false)
      #expect(object.count == count + 2)
      #expect(object["\u{E9}"] == .bool(true))
      #expect(object["e\u{301}"] == .bool(false))
    }
  }

  @Test func `a value is changed in place, and nil removes its member`() {
    var object = JSONObject()
    object.append("a", .array([]))
    object.append("b", .null)
    if case .array(var elements) = object["a"] {
      elements.append(.null)
      object["a"] = .array(elements)
    }
    object["b"] = nil
    object["c"]? = .null
    #expect(JSONValue.object(object).description == #"{"a":[null]}"#)
  }

  @Test func `objects are equal in any order and identical in one`() throws {
    let left = try JSONValue(parsing: #"{"a":1.0,"b":[{"x":"y"}]}"#)
    let right = try JSONValue(parsing: #"{"b":[{"x":"y"}],"a":10e-1}"#)
    #expect(left == right)
    #expect(!left.isIdentical(to: right))
    #expect(left.isIdentical(to: left))
    #expect(try left != JSONValue(parsing: #"{"a":1.0,"b":[{"x":"z"}]}"#))
    #expect(try left != JSONValue(parsing: #"{"a":1.0,"c":[{"x":"y"}]}"#))
    #expect(try !JSONValue(parsing: "[1]").isIdentical(to: JSONValue(parsing: "[1.0]")))
    #expect(JSONValue.string("\u{E9}") != .string("e\u{301}"))
    #expect(JSONValue.array([]) != .object(JSONObject()))
  }

  /// Positions are noted again now and then only.
  @Test(arguments: [2, 3, 1_000])
  func `members are found among any number of removed ones`(step: Int) {
    var object = JSONObject()
    for number in 0..<2_000 { object.append("k\(number)", .number(JSONNumber(number))) }
    var expected = Array(0..<2_000)
    for number in Array(stride(from: 1_999, through: 0, by: -step)) + Array(stride(from: 0, to: 2_000, by: 3)) {
      let isThere = expected.contains(number)
      #expect((object.removeValue(forKey: "k\(number)") != nil) == isThere)
      expected.removeAll { $0 == number }
      guard number % 5 == 0 else { continue }
      if object.append("k\(number + 5_000)", .null) { expected.append(number + 5_000) }
    }
    #expect(object.members.map(\.key) == expected.map { "k\($0)" })
    for (index, member) in object.members.enumerated() { #expect(object.index(forKey: member.key) == index) }
    #expect(object.index(forKey: "k1999") == nil)
  }

  /// Objects that a parser made may share their keys.
  @Test func `what changes the keys of one object leaves those of others alone`() throws {
    let text = #"[{"a":1,"b":{"c":2}},{"a":3,"b":{"c":4}},{"a":5,"b":{"c":6}}]"#
    let value = try JSONValue(parsing: text)
    guard case .array(let elements) = value, case .object(var object) = elements[1] else { return #expect(Bool(false)) }
    object.append("d", 7)
    if case .object(var inner) = object["b"] {
      inner["c"] = nil
      object["b"] = .object(inner)
    }
    object.removeValue(forKey: "a")
    object.insert("e", 8, at: 0)
    #expect(JSONValue.object(object).description == #"{"e":8,"b":{},"d":7}"#)
    #expect(object.index(forKey: "a") == nil)
    #expect(value.description == text)
  }

  @Test(arguments: [
    // The same keys, other keys, others in part, in another order, fewer, more, none; and none, and an array, before them.
    #"[{"a":1,"b":2},{"a":3,"b":4},{"a":5,"c":6},{"c":7,"a":8},{"c":9},{"c":10,"d":11,"a":12},{},{"a":13},[14],{"a":15}]"#,
    // A key written with and without an escape, which are the same key, and one that is the other's text.
    #"[{"a\nb":1},{"a\nb":2},{"a\u000ab":3},{"a\\nb":4}]"#,
    // Further down, and in arrays of arrays.
    #"[[{"a":{"b":[{"c":1}]}},{"a":{"b":[{"c":2},{"d":3}]}}],[{"a":{"b":[{"d":4}]}},{"a":{"b":{"d":5}}}],[]]"#,
    // A dictionary, of which one value resembles another.
    #"{"x":{"a":1,"b":[2]},"y":{"a":3,"b":[4]},"z":{"b":5,"a":6},"w":{"b":7,"a":[8]}}"#,
  ])
  func `objects that resemble each other are told apart`(text: String) throws {
    let value = try JSONValue(parsing: text)
    func check(_ value: JSONValue) {
      switch value {
      case .array(let elements): elements.forEach(check)
      case .object(let object):
        var rebuilt = JSONObject()
        for member in object.members {
          check(member.value)
          let isNew = rebuilt.append(member.key, member.value)
          #expect(isNew, "'\(member.key)' twice")
          #expect(object[member.key] == member.value)
        }
        #expect(JSONValue.object(rebuilt) == value)
      default: break
      }
    }
    check(value)
    // Written with the shortest escapes.
    #expect(value.description == text.replacing(#"\u000a"#, with: #"\n"#))
  }

  /// Containers are told apart by the addresses of what they hold.
  @Test func `an object isn't the array of its values`() throws {
    let value = try JSONValue(parsing: #"{"list":{"a":1,"b":[]}}"#)
    guard case .object(let list)? = value[JSONPointer(["list"])] else { return #expect(Bool(false)) }
    let other: JSONValue = ["list": .array(list.values)]
    let patch = JSONPatch(from: value, to: other)
    #expect(try value.applying(patch).isIdentical(to: other))
    let merge = JSONMerge(base: value, left: value, right: other, newer: .left)
    #expect(merge.value.isIdentical(to: other))
  }
}
