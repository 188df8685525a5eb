#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#elseif canImport(Foundation)
  internal import Foundation
#endif

extension EncodingText {
  /// Writes a value that a coder takes over from its own `Codable` conformance; returns whether it is one.
  ///
  /// These are JSON values, which pass through untouched; those for which Foundation's `JSONEncoder` has a form of its
  /// own; and, since arrays hand over their elements as some `Encodable`, the commonest scalars.
  @inline(__always)
  func writeDirectly<T: Encodable>(_ value: T) throws -> Bool {
    if let value = same(value, as: String.self) {
      write(value)
    } else if let value = same(value, as: Int.self) {
      write(value)
    } else if let value = same(value, as: Double.self) {
      try write(value)
    } else if let value = same(value, as: Bool.self) {
      write(value)
    } else if let value = same(value, as: [String].self) {
      try write(array: value) { write($0) }
    } else if let value = same(value, as: [Int].self) {
      try write(array: value) { write($0) }
    } else if let value = same(value, as: [Double].self) {
      try write(array: value) { try write($0) }
    } else {
      return try writeForeign(value)
    }
    return true
  }

  /// A value, if it is one of the other type.
  @inline(__always)
  private func same<T, Value>(_ value: T, as type: Value.Type) -> Value? {
    guard T.self == Value.self else { return nil }
    let value: Value = StateJSON.same(value)
    return value
  }

  private func write<Element>(array: [Element], _ element: (Element) throws -> Void) throws {
    try checkDepth()
    write(byte: UInt8(ascii: "["))
    for index in array.indices {
      if index > 0 { write(byte: UInt8(ascii: ",")) }
      try element(array[index])
    }
    write(byte: UInt8(ascii: "]"))
  }

  private func writeForeign<T: Encodable>(_ value: T) throws -> Bool {
    if let value = same(value, as: JSONValue.self) {
      write(value)
      return true
    }
    #if canImport(FoundationEssentials) || canImport(Foundation)
      if let value = same(value, as: URL.self) {
        write(value.absoluteString)
        return true
      }
      if let value = same(value, as: Data.self) {
        write(value.base64EncodedString())
        return true
      }
      if let value = same(value, as: Decimal.self) {
        guard let number = JSONNumber("\(value)") else { throw notInOrder() }
        write(.number(number))
        return true
      }
    #endif
    return false
  }
}
