// ``JSONValueEncoder`` and ``JSONValueDecoder`` pass JSON values through untouched. What follows is for other coders.

extension JSONValue: Encodable {
  /// Encodes the value into a coder of any format.
  ///
  /// ``JSONValueEncoder`` keeps every number's literal. In another coder a number is an integer if it is one of at most
  /// 64 bits, otherwise the nearest `Double`.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .object(let object):
      var container = encoder.container(keyedBy: AnyCodingKey.self)
      for member in object.members { try container.encode(member.value, forKey: AnyCodingKey(member.key)) }
    case .array(let elements):
      var container = encoder.unkeyedContainer()
      for element in elements { try container.encode(element) }
    case .null:
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    case .bool(let bool):
      try bool.encode(to: encoder)
    case .string(let string):
      try string.encode(to: encoder)
    case .number(let number):
      if let integer = number.exactly(Int64.self) {
        try integer.encode(to: encoder)
      } else if let integer = number.exactly(UInt64.self) {
        try integer.encode(to: encoder)
      } else {
        try number.doubleValue.encode(to: encoder)
      }
    }
  }
}

extension JSONValue: Decodable {
  /// Decodes whatever a coder of any format has.
  public init(from decoder: any Decoder) throws {
    if let container = try? decoder.container(keyedBy: AnyCodingKey.self) {  // else it is no object
      var object = JSONObject()
      for key in container.allKeys { object.append(key.stringValue, try container.decode(Self.self, forKey: key)) }
      self = .object(object)
    } else if var container = try? decoder.unkeyedContainer() {  // else it is no array
      var elements: [JSONValue] = []
      while !container.isAtEnd { elements.append(try container.decode(Self.self)) }
      self = .array(elements)
    } else {
      self = try Self(scalarIn: decoder.singleValueContainer())
    }
  }

  /// A decoder doesn't tell what it has: each `try?` asks whether it is this.
  private init(scalarIn container: any SingleValueDecodingContainer) throws {
    if container.decodeNil() {
      self = .null
    } else if let bool = try? container.decode(Bool.self) {
      self = .bool(bool)
    } else if let integer = try? container.decode(Int64.self) {
      self = .number(JSONNumber(integer))
    } else if let integer = try? container.decode(UInt64.self) {
      self = .number(JSONNumber(integer))
    } else if let double = try? container.decode(Double.self), let number = JSONNumber(double) {
      self = .number(number)
    } else {
      self = .string(try container.decode(String.self))
    }
  }
}
