/// Reads a value that is neither array nor object, or passes it to another type.
extension DecodingNode: SingleValueDecodingContainer {
  func decodeNil() -> Bool { text.isNull(place) }

  func decode(_ type: Bool.Type) throws -> Bool { try text.bool(at: place) }
  func decode(_ type: String.Type) throws -> String { try text.string(at: place) }
  func decode(_ type: Double.Type) throws -> Double { try text.double(at: place) }
  func decode(_ type: Float.Type) throws -> Float { try text.float(at: place) }
  @inline(__always)
  func decode<T: FixedWidthInteger & Decodable>(_ type: T.Type) throws -> T { try text.integer(at: place) }
  // For these the standard library has defaults, which throw, and which it takes before a generic method.
  func decode(_ type: Int128.Type) throws -> Int128 { try text.integer(at: place) }
  func decode(_ type: UInt128.Type) throws -> UInt128 { try text.integer(at: place) }

  func decode<T: Decodable>(_ type: T.Type) throws -> T { try text.decode(type, at: place) }
}
