import TestSupport
import Testing

@testable import StateJSON

/// An object is compared with the one before it, and read as it would be by itself.
@Suite struct JSONParserModelTests {
  @Test(arguments: 1...300 as ClosedRange<UInt64>)
  func `elements of an array are read as each by itself`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var elements = [Self.object(&random, depth: 0)]
    while elements.count < 6 { elements.append(Self.resembling(elements[elements.count - 1], &random)) }
    let text = "[\(elements.joined(separator: ","))]"
    var values: [JSONValue] = []
    var start = 1
    for element in elements {
      do {
        values.append(try JSONValue(parsing: element))
      } catch let alone {
        // The first that can't be read by itself is what is wrong with all.
        let error = #expect(throws: JSONParseError.self) { try JSONValue(parsing: text) }
        #expect(error?.message == alone.message, "\(text)")
        #expect(error?.offset == alone.offset + start, "\(text)")
        return
      }
      start += element.utf8.count + 1
    }
    #expect(try JSONValue(parsing: text) == .array(values), "\(text)")
  }

  @Test func `both kinds of texts are among them`() {
    var (valid, invalid) = (0, 0)
    for seed in 1...300 as ClosedRange<UInt64> {
      var random = SplitMix64(seed: seed)
      var element = Self.object(&random, depth: 0)
      for _ in 0..<5 { element = Self.resembling(element, &random) }
      if (try? JSONValue(parsing: element)) == nil { invalid += 1 } else { valid += 1 }
    }
    #expect(valid > 50)
    #expect(invalid > 50)
  }

  @Test(arguments: [
    // What follows the other object isn't part of it.
    #"[{"a":{"b":1},"b":2},{"a":{"b":1,"b":3},"b":2}]"#,
    #"[[{"a":1},{"b":1}],[{"a":1,"a":2},{"b":1}]]"#,
    // The other one is of another kind, or has nothing in it.
    #"[{"a":["b",1]},{"a":{"b":1,"b":2}}]"#,
    #"[{"a":{}},{"a":{"b":1,"b":2}}]"#,
    #"[{"a":1,"c":"b","d":"b"},{"a":{"b":1,"b":2}}]"#,
    #"[[],[{"b":1,"b":2}]]"#,
  ])
  func `a key that is there twice is found whatever stood before`(text: String) {
    let error = #expect(throws: JSONParseError.self) { try JSONValue(parsing: text) }
    #expect(error?.code == .duplicateKey)
  }

  /// With keys that may come twice, and may be written in two ways.
  private static func object(_ random: inout SplitMix64, depth: Int) -> String {
    let count = random.oneIn(8) ? random.below(24) : random.below(5)
    let members = (0..<count).map { index in "\(key(index, &random)):\(value(&random, depth: depth))" }
    return "{\(members.joined(separator: ","))}"
  }

  private static func key(_ index: Int, _ random: inout SplitMix64) -> String {
    // Rarely one that most likely is there already.
    let letters = random.oneIn(40) ? "k0" : "k\(index)"
    return random.oneIn(6) ? #""\u006b\#(letters.dropFirst())""# : "\"\(letters)\""
  }

  private static func value(_ random: inout SplitMix64, depth: Int) -> String {
    switch random.below(depth < 2 ? 5 : 3) {
    case 0: "\(random.below(100))"
    case 1: "\"\(random.below(100))\""
    case 2: "[]"
    case 3: object(&random, depth: depth + 1)
    default: "[\((0..<random.below(3)).map { _ in value(&random, depth: depth + 1) }.joined(separator: ","))]"
    }
  }

  /// The same again, with another number, another key, a key more, or one twice.
  private static func resembling(_ object: String, _ random: inout SplitMix64) -> String {
    func replacing(_ old: String, with new: String) -> String {
      guard let range = object.firstRange(of: old) else { return object }
      return object.replacingCharacters(in: range, with: new)
    }
    switch random.below(7) {
    case 0: return replacing("k1", with: "k0")
    case 1: return replacing("k1", with: #"\u006b0"#)
    case 2: return replacing("k2", with: "other")
    case 3: return object == "{}" ? object : "\(object.dropLast()),\"more\":{}}"
    case 4: return object == "{}" ? object : "\(object.dropLast()),\"k0\":1}"
    case 5: return object.count < 4 ? object : "{\"first\":[],\(object.dropFirst())"
    default: return object
    }
  }
}

extension String {
  fileprivate func replacingCharacters(in range: Range<String.Index>, with new: String) -> String {
    self[..<range.lowerBound] + new + self[range.upperBound...]
  }
}
