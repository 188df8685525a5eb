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
    // Types are compared first, since that costs less than a cast that fails.
    if T.self == String.self, let value = value as? String {
      write(value)
    } else if T.self == Int.self, let value = value as? Int {
      write(value)
    } else if T.self == Double.self, let value = value as? Double {
      try write(value)
    } else if T.self == Bool.self, let value = value as? Bool {
      write(value)
    } else if T.self == [String].self, let value = value as? [String] {
      try write(array: value) { write($0) }
    } else if T.self == [Int].self, let value = value as? [Int] {
      try write(array: value) { write($0) }
    } else if T.self == [Double].self, let value = value as? [Double] {
      try write(array: value) { try write($0) }
    } else {
      return try writeForeign(value)
    }
    return true
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
    if T.self == JSONValue.self, let value = value as? JSONValue {
      write(value)
      return true
    }
    #if canImport(FoundationEssentials) || canImport(Foundation)
      if T.self == URL.self, let value = value as? URL {
        write(value.absoluteString)
        return true
      }
      if T.self == Data.self, let value = value as? Data {
        write(value.base64EncodedString())
        return true
      }
      if T.self == Decimal.self, let value = value as? Decimal {
        guard let number = JSONNumber("\(value)") else { throw notInOrder() }
        write(.number(number))
        return true
      }
    #endif
    return false
  }
}
