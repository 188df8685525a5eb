import StateJSON

extension JSONValue {
  /// A typed value as a recording has it.
  init(encoding value: some Encodable) throws(JSONEncodingFailure) {
    do {
      self = try JSONValueEncoder().encode(value)
    } catch {
      throw JSONEncodingFailure(error)
    }
  }

  /// As it is told in a message.
  var shortened: String {
    let text = "\(self)"
    return text.count <= 80 ? text : text.prefix(79) + "…"
  }

  /// What a recording has, as a typed value.
  func decoded<Value: Decodable>(as type: Value.Type) throws(JSONDecodingFailure) -> Value {
    do {
      return try JSONValueDecoder().decode(type, from: self)
    } catch {
      throw JSONDecodingFailure(error)
    }
  }
}
