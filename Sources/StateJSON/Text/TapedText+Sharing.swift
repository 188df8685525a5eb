extension TapedText {
  /// What stands at an entry; all of it that is identical to what stands at the same place of another value is stored there.
  ///
  /// Comparing the two, or merging them, then looks at what differs alone, and what they have in common is there once. Elements of
  /// arrays are at the same place counted from either end.
  func value(at entry: Int, sharing other: JSONValue) -> JSONValue { differing(at: entry, from: other) ?? other }

  /// What stands at an entry, with what it has in common with another value; `nil` where that is all.
  private func differing(at entry: Int, from other: JSONValue) -> JSONValue? {
    switch (kind(of: entry), other) {
    case (.array, .array(let others)): return elements(of: entry, differingFrom: others).map { .array($0) }
    case (.object, .object(let others)): return members(of: entry, differingFrom: others).map { .object($0) }
    case (.null, .null): return nil
    case (.number, .number(let number)):
      return number.literal.hasSameBytes(as: literal(at: entry)) ? nil : value(at: entry)
    case (.string, .string(let text)): return says(text, at: entry) ? nil : value(at: entry)
    case (.bool, .bool(let bool)): return bool == (firstByte(of: entry) == UInt8(ascii: "t")) ? nil : .bool(!bool)
    default: return value(at: entry)
    }
  }

  private func elements(of entry: Int, differingFrom others: [JSONValue]) -> [JSONValue]? {
    let count = count(of: entry)
    // As long as it isn't made all before is the other's.
    var result: [JSONValue]?
    // From the first one on that differs, the rest may have moved.
    var shift = 0
    var element = firstItem(of: entry)
    for index in 0..<count {
      func differing() -> JSONValue? {
        let counterpart = index + shift
        return others.indices.contains(counterpart)
          ? self.differing(at: element, from: others[counterpart]) : value(at: element)
      }
      var own = differing()
      if own != nil, shift == 0, count != others.count {
        shift = others.count - count
        own = differing()
      }
      if result == nil, own != nil || shift != 0 {
        result = []
        result?.reserveCapacity(count)
        result?.append(contentsOf: others[..<index])
      }
      if result != nil { result?.append(own ?? others[index + shift]) }
      element = next(after: element)
    }
    return result ?? (count == others.count ? nil : Array(others[..<count]))
  }

  private func members(of entry: Int, differingFrom other: JSONObject) -> JSONObject? {
    let keys = other.keys
    guard hasKeys(keys, entry) else { return members(of: entry, sharing: other) }
    var values: [JSONValue]?
    var key = firstItem(of: entry)
    for index in keys.indices {
      if let own = differing(at: key + 1, from: other.values[index]) {
        if values == nil { values = other.values }
        values?[index] = own
      }
      key = next(after: key + 1)
    }
    return values.map(other.withValues)
  }

  /// The members of an object that has other keys.
  private func members(of entry: Int, sharing other: JSONObject) -> JSONObject {
    var (keys, values): ([String], [JSONValue]) = ([], [])
    var key = firstItem(of: entry)
    for _ in 0..<count(of: entry) {
      let name = string(at: key)
      keys.append(name)
      values.append(other[name].map { value(at: key + 1, sharing: $0) } ?? value(at: key + 1))
      key = next(after: key + 1)
    }
    return JSONObject(unique: keys, values: values)
  }

  /// Whether an object has certain keys, in their order.
  private func hasKeys(_ keys: [String], _ entry: Int) -> Bool {
    guard count(of: entry) == keys.count else { return false }
    var key = firstItem(of: entry)
    for name in keys {
      guard says(name, at: key) else { return false }
      key = next(after: key + 1)
    }
    return true
  }

  /// Whether a string, or a key, is a certain one. What is escaped stands there in other bytes.
  private func says(_ text: String, at string: Int) -> Bool {
    extent(of: string).isSpecial
      ? self.string(at: string).hasSameScalars(as: text) : text.hasSameBytes(as: content(of: string))
  }
}

extension String {
  fileprivate func hasSameBytes(as bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var text = self
    return text.withUTF8 { $0.hasSameBytes(as: bytes) }
  }
}
