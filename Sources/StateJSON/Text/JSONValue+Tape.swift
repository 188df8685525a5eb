extension TapedText {
  /// What stands at an entry.
  package func value(at entry: Int) -> JSONValue {
    switch kind(of: entry) {
    case .null: return .null
    case .bool: return .bool(firstByte(of: entry) == UInt8(ascii: "t"))
    case .number: return .number(number(at: entry))
    case .string: return .string(string(at: entry))
    case .array: return .array(array(at: entry, like: nil))
    case .object: return .object(object(at: entry, like: nil))
    }
  }

  /// A container that has been made a value.
  private typealias Model = (entry: Int, value: JSONValue)

  /// The same, of what may resemble another container.
  private func value(at entry: Int, like model: Model?) -> JSONValue {
    switch firstByte(of: entry) {
    case UInt8(ascii: "["): .array(array(at: entry, like: model))
    case UInt8(ascii: "{"): .object(object(at: entry, like: model))
    default: value(at: entry)
    }
  }

  private func array(at entry: Int, like model: Model?) -> [JSONValue] {
    var elements: [JSONValue] = []
    elements.reserveCapacity(count(of: entry))
    // The first element may resemble that of the other array, and each of the others the one before it.
    var former: Model?
    if let model, case .array(let others) = model.value, let first = others.first {
      former = (firstItem(of: model.entry), first)
    }
    for element in self.elements(of: entry) {
      if isContainer(element) {
        let value = value(at: element, like: former)
        former = (element, value)
        elements.append(value)
      } else {
        elements.append(value(at: element))
      }
    }
    return elements
  }

  /// Gives an object the keys of another one, where they are the same.
  private func object(at entry: Int, like model: Model?) -> JSONObject {
    let count = count(of: entry)
    var values: [JSONValue] = []
    values.reserveCapacity(count)
    if let model, case .object(let other) = model.value, hasSameKeys(entry, model.entry) {
      for (index, (value, former)) in zip(self.values(of: entry), self.values(of: model.entry)).enumerated() {
        values.append(
          isContainer(value) ? self.value(at: value, like: (former, other.values[index])) : self.value(at: value))
      }
      return other.withValues(values)
    }
    var keys: [String] = []
    keys.reserveCapacity(count)
    // Its values may resemble each other, as in a dictionary.
    var former: Model?
    for key in self.keys(of: entry) {
      keys.append(string(at: key))
      if isContainer(key + 1) {
        let value = value(at: key + 1, like: former)
        former = (key + 1, value)
        values.append(value)
      } else {
        values.append(value(at: key + 1))
      }
    }
    return JSONObject(unique: keys, values: values)
  }

  /// Whether two objects have keys of the same text, in the same order.
  private func hasSameKeys(_ object: Int, _ other: Int) -> Bool {
    guard count(of: object) == count(of: other) else { return false }
    for (key, other) in zip(keys(of: object), keys(of: other))
    where !content(of: key).hasSameBytes(as: content(of: other)) { return false }
    return true
  }
}
