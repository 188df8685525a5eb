// Scalars of Swift as JSON values, and back. A place is passed unevaluated: it is only built for an error.

extension JSONValue {
  var isNull: Bool { if case .null = self { true } else { false } }

  /// A number, which must be finite.
  init(finite value: Double, at path: @autoclosure () -> CodingPathNode) throws {
    guard let number = JSONNumber(value) else { throw EncodingError.notFinite(value, at: path()) }
    self = .number(number)
  }

  /// A number, which must be finite: the shortest literal for a `Float` is shorter than for the `Double` of that value.
  init(finite value: Float, at path: @autoclosure () -> CodingPathNode) throws {
    guard let number = JSONNumber(value) else { throw EncodingError.notFinite(value, at: path()) }
    self = .number(number)
  }

  func decodedBool(at path: @autoclosure () -> CodingPathNode) throws -> Bool {
    guard case .bool(let bool) = self else { throw mismatch(Bool.self, at: path()) }
    return bool
  }

  func decodedString(at path: @autoclosure () -> CodingPathNode) throws -> String {
    guard case .string(let string) = self else { throw mismatch(String.self, at: path()) }
    return string
  }

  func decodedInteger<T: FixedWidthInteger>(at path: @autoclosure () -> CodingPathNode) throws -> T {
    guard case .number(let number) = self else { throw mismatch(T.self, at: path()) }
    guard let integer = number.exactly(T.self) else { throw corrupted(T.self, at: path()) }
    return integer
  }

  func decodedDouble(at path: @autoclosure () -> CodingPathNode) throws -> Double {
    guard case .number(let number) = self else { throw mismatch(Double.self, at: path()) }
    let double = number.doubleValue
    guard double.isFinite else { throw corrupted(Double.self, at: path()) }
    return double
  }

  func decodedFloat(at path: @autoclosure () -> CodingPathNode) throws -> Float {
    guard case .number(let number) = self else { throw mismatch(Float.self, at: path()) }
    let float = number.floatValue
    guard float.isFinite else { throw corrupted(Float.self, at: path()) }
    return float
  }

  /// The error for a value of another JSON type, or `null`, where one of type `T` was expected.
  func mismatch<T>(_ type: T.Type, at path: CodingPathNode) -> DecodingError {
    let context = context(type, at: path)
    return isNull ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }

  /// The error for a value of the right JSON type that doesn't stand for one of type `T`.
  func corrupted<T>(_ type: T.Type, at path: CodingPathNode) -> DecodingError {
    .dataCorrupted(context(type, at: path))
  }

  private func context<T>(_ type: T.Type, at path: CodingPathNode) -> DecodingError.Context {
    .init(
      codingPath: path.codingPath, debugDescription: "expected \(Expectation.of(type)), found \(foundDescription)")
  }
}

extension EncodingError {
  static func notFinite(_ value: some BinaryFloatingPoint, at path: CodingPathNode) -> EncodingError {
    notFinite(value, called: value.isNaN ? "NaN" : value < 0 ? "-infinity" : "infinity", at: path)
  }

  static func notFinite(_ value: Any, called name: String, at path: CodingPathNode) -> EncodingError {
    .invalidValue(
      value,
      .init(
        codingPath: path.codingPath,
        debugDescription: "\(name) has no JSON form; make the value optional and set it to nil, or keep it finite"))
  }
}
