// Scalars of a text as those of Swift.

extension DecodingText {
  func bool(at place: Int) throws -> Bool {
    if place >= 0 {
      switch read({ $0.firstByte(of: place) }) {
      case UInt8(ascii: "t"): return true
      case UInt8(ascii: "f"): return false
      default: break
      }
    }
    throw mismatch(Bool.self, at: place)
  }

  func string(at place: Int) throws -> String {
    let string: String? =
      place < 0 ? nil : read { $0.firstByte(of: place) == UInt8(ascii: "\"") ? $0.string(at: place) : nil }
    guard let string else { throw mismatch(String.self, at: place) }
    return string
  }

  func integer<T: FixedWidthInteger>(_ type: T.Type = T.self, at place: Int) throws -> T {
    guard let number = number(at: place) else { throw mismatch(type, at: place) }
    if case .short(let short) = number, let integer = short.exactly(type) { return integer }
    guard let integer = read({ $0.number(at: place) }).exactly(type) else { throw corrupted(type, at: place) }
    return integer
  }

  func double(at place: Int) throws -> Double {
    guard let number = number(at: place) else { throw mismatch(Double.self, at: place) }
    if case .short(let short) = number { return short.double }
    let double = read { $0.number(at: place) }.doubleValue
    guard double.isFinite else { throw corrupted(Double.self, at: place) }
    return double
  }

  func float(at place: Int) throws -> Float {
    guard number(at: place) != nil else { throw mismatch(Float.self, at: place) }
    let float = read { $0.number(at: place) }.floatValue
    guard float.isFinite else { throw corrupted(Float.self, at: place) }
    return float
  }

  private enum Number {
    case short(ShortNumber)
    case other
  }

  /// `nil` if there is no number.
  @inline(__always)
  private func number(at place: Int) -> Number? {
    guard place >= 0 else { return nil }
    return read { taped in
      let first = taped.firstByte(of: place)
      guard first.isDigit || first == UInt8(ascii: "-") else { return nil }
      return ShortNumber(taped.literal(at: place)).map { .short($0) } ?? .other
    }
  }

  // MARK: Errors

  /// The error for a value of another JSON type, or `null`, where one of type `T` was expected.
  func mismatch<T>(_ type: T.Type, at place: Int) -> DecodingError {
    let context = context(type, at: place)
    return isNull(place) ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }

  /// The error for a value of the right JSON type that doesn't stand for one of type `T`.
  func corrupted<T>(_ type: T.Type, at place: Int) -> DecodingError { .dataCorrupted(context(type, at: place)) }

  private func context<T>(_ type: T.Type, at place: Int) -> DecodingError.Context {
    .init(
      codingPath: codingPath(to: place),
      debugDescription: "expected \(Expectation.of(type)), found \(foundDescription(at: place))")
  }

  /// How error messages call what they found.
  private func foundDescription(at place: Int) -> String {
    isArray(place) ? "an array" : isObject(place) ? "an object" : value(at: place).foundDescription
  }
}
