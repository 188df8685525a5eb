/// Reads a value that is neither array nor object, or passes it to another type.
extension DecodingNode: SingleValueDecodingContainer {
  func decodeNil() -> Bool { text.isNull(place) }

  func decode(_ type: Bool.Type) throws -> Bool { try text.bool(at: place) }
  func decode(_ type: String.Type) throws -> String { try text.string(at: place) }
  func decode(_ type: Double.Type) throws -> Double { try text.double(at: place) }
  func decode(_ type: Float.Type) throws -> Float { try text.float(at: place) }
  func decode(_ type: Int.Type) throws -> Int { try text.integer(at: place) }
  func decode(_ type: Int8.Type) throws -> Int8 { try text.integer(at: place) }
  func decode(_ type: Int16.Type) throws -> Int16 { try text.integer(at: place) }
  func decode(_ type: Int32.Type) throws -> Int32 { try text.integer(at: place) }
  func decode(_ type: Int64.Type) throws -> Int64 { try text.integer(at: place) }
  func decode(_ type: UInt.Type) throws -> UInt { try text.integer(at: place) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try text.integer(at: place) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try text.integer(at: place) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try text.integer(at: place) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try text.integer(at: place) }
  @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
  func decode(_ type: Int128.Type) throws -> Int128 { try text.integer(at: place) }
  @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
  func decode(_ type: UInt128.Type) throws -> UInt128 { try text.integer(at: place) }

  func decode<T: Decodable>(_ type: T.Type) throws -> T { try text.decode(type, at: place) }
}
