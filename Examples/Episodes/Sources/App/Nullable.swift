/// An optional that the file has as `null` while there is nothing, instead of leaving its key out.
@propertyWrapper
struct Nullable<Value: Codable & Sendable & Equatable>: Sendable, Equatable {
  var wrappedValue: Value?
}

extension Nullable: Codable {
  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    wrappedValue = container.decodeNil() ? nil : try container.decode(Value.self)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue)
  }
}

extension KeyedDecodingContainer {
  /// What generated conformances call: a key that somebody left out means the same as `null`.
  func decode<Value>(_ type: Nullable<Value>.Type, forKey key: Key) throws -> Nullable<Value> {
    try decodeIfPresent(type, forKey: key) ?? Nullable(wrappedValue: nil)
  }
}
