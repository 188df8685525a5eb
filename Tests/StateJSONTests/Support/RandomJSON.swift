import StateJSON
import TestSupport

/// Random values and texts for property tests.
struct RandomJSON {
  var random: SplitMix64

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  private static let numbers = ["0", "-0", "1", "1.0", "10e-1", "2", "1e3", "-7.250", "9007199254740993", "1E+400"]
  private static let strings = [
    "", "a", "b", "é", "e\u{301}", "\"", "\\", "\n\t\u{1}", "😹", "[1, {", "a/b", "a longer text, with a comma",
  ]
  private static let keys = ["a", "b", "c", "d", "é", "e\u{301}", "\"}", "id", "", "k1", "k2", "k3"]

  mutating func value(depth: Int = 4) -> JSONValue {
    switch random.below(depth > 0 ? 10 : 5) {
    case 0: return .null
    case 1: return .bool(random.oneIn(2))
    case 2, 3: return .number(JSONNumber(random.pick(Self.numbers))!)
    case 4: return .string(random.pick(Self.strings))
    case 5, 6: return .array((0..<random.below(6)).map { _ in value(depth: depth - 1) })
    default:
      var object = JSONObject()
      for _ in 0..<random.below(6) { object.append(random.pick(Self.keys), value(depth: depth - 1)) }
      return .object(object)
    }
  }

  /// A value with a few random changes: replaced, added, removed, or moved items at any depth.
  mutating func edit(_ value: JSONValue) -> JSONValue {
    switch value {
    case .array(var elements) where !random.oneIn(6):
      switch random.below(6) {
      case 0: elements.insert(self.value(depth: 2), at: random.below(elements.count + 1))
      case 1 where !elements.isEmpty: elements.remove(at: random.below(elements.count))
      case 2 where !elements.isEmpty: elements.swapAt(random.below(elements.count), random.below(elements.count))
      case 3: elements.append(contentsOf: elements)
      default:
        for index in elements.indices where random.oneIn(2) { elements[index] = edit(elements[index]) }
      }
      return .array(elements)
    case .object(var object) where !random.oneIn(6):
      switch random.below(6) {
      case 0: object.insert(random.pick(Self.keys), self.value(depth: 2), at: random.below(object.count + 1))
      case 1 where !object.isEmpty: object.removeValue(forKey: random.pick(object.members).key)
      case 2:
        var shuffled = JSONObject()
        for member in object.members.shuffled(using: &random) { shuffled.append(member.key, member.value) }
        object = shuffled
      default:
        for member in object.members where random.oneIn(2) { object[member.key] = edit(member.value) }
      }
      return .object(object)
    default:
      return self.value(depth: 2)
    }
  }

  /// A text of a value with random white space and escapes.
  mutating func text(of value: JSONValue) -> String {
    let newline = random.oneIn(3) ? "\r\n" : "\n"
    let unit = random.pick(["  ", "    ", "\t", " "])
    let habit = random.below(4)  // inline, compact, block, wild
    var text = random.oneIn(8) ? "\u{FEFF}" : ""
    text += space(habit, newline)
    write(value, habit, newline, unit, newline, into: &text)
    return text + (random.oneIn(2) ? newline : space(habit, newline))
  }

  private mutating func space(_ habit: Int, _ newline: String) -> String {
    habit == 3 ? (0..<random.below(3)).map { _ in random.pick([" ", "\t", newline, "  "]) }.joined() : ""
  }

  private mutating func write(
    _ value: JSONValue, _ habit: Int, _ newline: String, _ unit: String, _ line: String, into text: inout String
  ) {
    // Some containers of a text of lines are inline.
    let habit = habit == 2 && random.oneIn(4) ? 0 : habit
    let inner = line + unit
    func open() -> String { habit == 2 ? inner : "" }
    func close() -> String { habit == 2 ? line : "" }
    let comma = habit == 2 ? "," + inner : habit == 0 ? ", " : ","
    switch value {
    case .array(let elements):
      text += "["
      for (index, element) in elements.enumerated() {
        text += (index == 0 ? open() : comma) + space(habit, newline)
        write(element, habit, newline, unit, inner, into: &text)
        text += space(habit, newline)
      }
      text += (elements.isEmpty ? space(habit, newline) : close()) + "]"
    case .object(let object):
      text += "{"
      for (index, member) in object.members.enumerated() {
        text += (index == 0 ? open() : comma) + space(habit, newline)
        write(.string(member.key), habit, newline, unit, inner, into: &text)
        text += space(habit, newline) + (habit == 1 || habit == 3 ? ":" : ": ") + space(habit, newline)
        write(member.value, habit, newline, unit, inner, into: &text)
        text += space(habit, newline)
      }
      text += (object.isEmpty ? space(habit, newline) : close()) + "}"
    case .string(let string) where random.oneIn(3):
      let units = string.utf16.map { unit in
        let digits = String(unit, radix: 16, uppercase: random.oneIn(2))
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
      text += "\"" + units.joined() + "\""
    default:
      text += value.description
    }
  }
}
