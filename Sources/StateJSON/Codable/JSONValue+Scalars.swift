// Scalars of Swift as JSON values. A place is passed unevaluated: it is only built for an error.

extension JSONValue {
  /// A number, which must be finite: the shortest literal for a `Float` is shorter than for the `Double` of that value.
  init(
    finite value: some BinaryFloatingPoint & LosslessStringConvertible, at path: @autoclosure () -> CodingPathNode
  ) throws {
    guard let number = JSONNumber(finite: value) else { throw EncodingError.notFinite(value, at: path()) }
    self = .number(number)
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
