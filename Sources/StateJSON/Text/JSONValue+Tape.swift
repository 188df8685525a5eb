extension TapedText {
  /// What stands at an entry.
  func value(at entry: Int) -> JSONValue {
    switch kind(of: entry) {
    case .null: return .null
    case .bool: return .bool(firstByte(of: entry) == UInt8(ascii: "t"))
    case .number: return .number(number(at: entry))
    case .string: return .string(string(at: entry))
    case .array:
      var elements: [JSONValue] = []
      let count = count(of: entry)
      elements.reserveCapacity(count)
      var element = firstItem(of: entry)
      for _ in 0..<count {
        elements.append(value(at: element))
        element = next(after: element)
      }
      return .array(elements)
    case .object:
      var members: [JSONObject.Member] = []
      let count = count(of: entry)
      members.reserveCapacity(count)
      var key = firstItem(of: entry)
      for _ in 0..<count {
        members.append(JSONObject.Member(key: string(at: key), value: value(at: key + 1)))
        key = next(after: key + 1)
      }
      return .object(JSONObject(unique: members))
    }
  }
}
