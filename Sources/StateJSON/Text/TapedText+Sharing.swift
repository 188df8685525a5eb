/// A value, and where it stands in a text.
struct PlacedValue {
  let text: TapedText
  let entry: Int
  let value: JSONValue
}

extension TapedText {
  /// What stands at an entry; all of it that has the same text at the same place of another value is stored there.
  ///
  /// Comparing the two, or merging them, then looks at what differs alone, and what they have in common is there once. Elements of
  /// arrays are at the same place counted from either end.
  func value(at entry: Int, sharing other: PlacedValue) -> JSONValue {
    if hasSameText(entry, as: other.entry, in: other.text) { return other.value }
    switch (kind(of: entry), other.value) {
    case (.array, .array(let others)): return .array(elements(of: entry, sharing: others, of: other))
    case (.object, .object(let others)):
      return members(of: entry, sharing: others, of: other).map { .object($0) } ?? value(at: entry)
    default: return value(at: entry)
    }
  }

  private func elements(of entry: Int, sharing values: [JSONValue], of other: PlacedValue) -> [JSONValue] {
    let (elements, others) = (Array(elements(of: entry)), Array(other.text.elements(of: other.entry)))
    let ends = CommonEnds(others.count, elements.count) { hasSameText(elements[$1], as: others[$0], in: other.text) }
    let (old, new) = ends.between
    var result: [JSONValue] = []
    result.reserveCapacity(elements.count)
    result += values[..<old.lowerBound]
    for index in new {
      let counterpart =
        index < old.upperBound ? PlacedValue(text: other.text, entry: others[index], value: values[index]) : nil
      result.append(counterpart.map { value(at: elements[index], sharing: $0) } ?? value(at: elements[index]))
    }
    result += values[old.upperBound...]
    return result
  }

  private func members(of entry: Int, sharing object: JSONObject, of other: PlacedValue) -> JSONObject? {
    let (keys, others) = (Array(keys(of: entry)), Array(other.text.keys(of: other.entry)))
    // A value that a text was written of may have its members in another order.
    guard others.count == object.count,
      zip(others, object.keys).allSatisfy({ other.text.string(at: $0).hasSameScalars(as: $1) })
    else { return nil }
    func value(_ key: Int, _ index: Int) -> JSONValue {
      let counterpart = PlacedValue(text: other.text, entry: others[index] + 1, value: object.values[index])
      return self.value(at: key + 1, sharing: counterpart)
    }
    if keys.count == others.count, zip(keys, others).allSatisfy({ hasSameText($0, as: $1, in: other.text) }) {
      return object.withValues(keys.indices.map { value(keys[$0], $0) })
    }
    let names = keys.map(string(at:))
    return JSONObject(
      unique: names,
      values: zip(names, keys).map { name, key in
        object.index(forKey: name).map { value(key, $0) } ?? self.value(at: key + 1)
      })
  }
}
