extension JSONPatch {
  /// What the copies of one patch may come to together, in bytes of compact text.
  ///
  /// Copies share their storage, so that forty of the whole into itself are made at once, and come to a million million
  /// values when they are compared or written.
  public static let copyLimit = 1 << 24

  /// How much the copies of a patch may still come to.
  struct CopyAllowance {
    private var left = JSONPatch.copyLimit

    mutating func take(_ value: JSONValue) throws(JSONPatchError.Reason) {
      guard let left = value.subtractTextSize(from: left) else { throw .copiesTooLarge }
      self.left = left
    }
  }
}

extension JSONValue {
  /// Subtracts the size of this value's text, more or less; `nil` as soon as it doesn't fit, without going on.
  fileprivate func subtractTextSize(from limit: Int) -> Int? {
    var left = limit
    switch self {
    case .null, .bool: left -= 4
    case .number(let number): left -= number.literal.utf8.count
    case .string(let string): left -= string.utf8.count + 2
    case .array(let elements):
      left -= 2
      for element in elements {
        guard let rest = element.subtractTextSize(from: left - 1) else { return nil }
        left = rest
      }
    case .object(let object):
      left -= 2
      for member in object.members {
        guard let rest = member.value.subtractTextSize(from: left - member.key.utf8.count - 4) else { return nil }
        left = rest
      }
    }
    return left >= 0 ? left : nil
  }
}
