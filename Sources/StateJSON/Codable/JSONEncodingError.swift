/// Why a typed value has no JSON form, and where.
public struct JSONEncodingError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Where, in the form the value would have had.
  public let pointer: JSONPointer
  /// What is wrong and what to do about it, in lower case.
  public let message: String

  /// Makes a failure of its parts.
  public init(pointer: JSONPointer, message: String) {
    self.pointer = pointer
    self.message = message
  }

  /// What an encoder threw: an `EncodingError`, or an error of a type's own, which has no place.
  public init(_ error: any Error) {
    if case EncodingError.invalidValue(_, let context) = error {
      self.init(pointer: JSONPointer(codingPath: context.codingPath), message: context.debugDescription.asMessage)
    } else {
      self.init(pointer: .root, message: "\(error)")
    }
  }

  /// Place and message: `at /ratio: NaN has no JSON form; …`.
  public var description: String { "\(pointer.placeDescription): \(message)" }
}
