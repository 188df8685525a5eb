import StateJSON
import TestSupport
import Testing

/// What holds for every text and every change.
@Suite struct JSONDocumentLawTests {
  @Test func `a text says what was asked for, and an identical value changes no byte`() throws {
    for seed in 0..<3_000 as Range<UInt64> {
      var random = RandomJSON(seed: seed)
      let value = random.value()
      let text = random.text(of: value)
      let document = try JSONDocument(parsing: text)
      #expect(document.value.isIdentical(to: value), "seed \(seed): \(text)")
      #expect(document.replacingValue(with: value).bytes == Array(text.utf8), "seed \(seed): \(text)")

      var changed = document
      for _ in 0..<3 {
        let wanted = random.random.oneIn(10) ? random.value() : random.edit(changed.value)
        let before = String(decoding: changed.bytes, as: UTF8.self)
        changed = changed.replacingValue(with: wanted)
        let after = String(decoding: changed.bytes, as: UTF8.self)
        let reparsed = try JSONValue(parsing: changed.bytes)
        #expect(reparsed.isIdentical(to: wanted), "seed \(seed):\n\(before)\nto\n\(wanted)\ngave\n\(after)")
      }
    }
  }

  @Test func `a changed leaf changes its own bytes and no others`() throws {
    for seed in 0..<3_000 as Range<UInt64> {
      var random = RandomJSON(seed: seed)
      let value = random.value(depth: 5)
      let document = try JSONDocument(parsing: random.text(of: value))
      guard let (path, leaf) = randomLeaf(of: value, &random.random), let location = document.location(of: path) else {
        continue
      }
      let new = JSONValue.string("changed")
      let changed = document.replacingValue(with: replacing(value, path[...], with: new))

      let before = document.bytes[location.offset...]
      let length = try #require(lengthOfLeaf(before, leaf), "seed \(seed)")
      let expected = document.bytes[..<location.offset] + new.bytes() + before.dropFirst(length)
      #expect(changed.bytes == Array(expected), "seed \(seed): \(String(decoding: document.bytes, as: UTF8.self))")
    }
  }

  @Test func `in a document of lines an addition and its removal are each one line`() throws {
    for seed in 0..<1_000 as Range<UInt64> {
      var random = RandomJSON(seed: seed)
      var object = JSONObject()
      for index in 0...random.random.below(5) { object.append("key\(index)", random.value(depth: 2)) }
      let document = JSONDocument(formatting: .object(object))
      var larger = object
      let index = random.random.below(object.count + 1)
      larger.insert("added", .bool(true), at: index)
      let added = document.replacingValue(with: .object(larger))

      // At the end the line before gains a comma.
      let lines = document.bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      var addedLines = added.bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      let isLast = index == object.count
      let line = try #require(
        addedLines.firstIndex(of: Array((isLast ? "  \"added\": true" : "  \"added\": true,").utf8)[...]))
      addedLines.remove(at: line)
      if isLast { #expect(addedLines[line - 1].popLast() == UInt8(ascii: ","), "seed \(seed)") }
      #expect(addedLines == lines, "seed \(seed)")
      #expect(added.replacingValue(with: .object(object)).bytes == document.bytes, "seed \(seed)")
    }
  }

  @Test func `unchanged elements keep their texts wherever others come and go`() throws {
    for seed in 0..<500 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      // Each element is spelt in its own way, and its text tells which it is.
      let texts = (0..<20).map { "[\(String(repeating: " ", count: 1 + $0 % 5))\($0), \"\\u0061\"]" }
      var elements = texts
      for _ in 0..<random.below(6) {
        if random.oneIn(2) {
          elements.remove(at: random.below(elements.count))
        } else {
          elements.insert("\(100 + random.below(9))", at: random.below(elements.count + 1))
        }
      }
      if random.oneIn(4) { elements.shuffle(using: &random) }
      let document = try JSONDocument(parsing: "[" + texts.joined(separator: ",") + "]")
      let wanted = "[" + elements.joined(separator: ",") + "]"
      let changed = document.replacingValue(with: try JSONValue(parsing: wanted))
      #expect(String(decoding: changed.bytes, as: UTF8.self) == wanted, "seed \(seed)")
    }
  }

  // MARK: - Leaves

  private func randomLeaf(of value: JSONValue, _ random: inout SplitMix64) -> (path: [String], leaf: JSONValue)? {
    switch value {
    case .array(let elements):
      guard !elements.isEmpty else { return nil }
      let index = random.below(elements.count)
      return randomLeaf(of: elements[index], &random).map { (["\(index)"] + $0.path, $0.leaf) }
    case .object(let object):
      guard !object.isEmpty else { return nil }
      let member = random.pick(object.members)
      return randomLeaf(of: member.value, &random).map { ([member.key] + $0.path, $0.leaf) }
    default:
      return ([], value)
    }
  }

  private func replacing(_ value: JSONValue, _ path: ArraySlice<String>, with new: JSONValue) -> JSONValue {
    guard let token = path.first else { return new }
    switch value {
    case .array(var elements):
      let index = Int(token)!
      elements[index] = replacing(elements[index], path.dropFirst(), with: new)
      return .array(elements)
    case .object(var object):
      object[token] = replacing(object[token]!, path.dropFirst(), with: new)
      return .object(object)
    default:
      return value
    }
  }

  private func lengthOfLeaf(_ text: ArraySlice<UInt8>, _ leaf: JSONValue) -> Int? {
    guard case .string = leaf else { return leaf.bytes().count }
    var isEscaped = false
    for (length, byte) in text.enumerated().dropFirst() {
      if byte == UInt8(ascii: "\""), !isEscaped { return length + 1 }
      isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
    }
    return nil
  }
}
