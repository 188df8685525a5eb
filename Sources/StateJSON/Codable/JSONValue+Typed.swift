extension JSONValue {
  /// The form of a typed value.
  package init(encoding value: some Encodable) throws(JSONEncodingFailure) {
    do {
      self = try JSONValueEncoder().encode(value)
    } catch {
      throw JSONEncodingFailure(error)
    }
  }

  /// The typed value whose form this is.
  package func decoded<Value: Decodable>(as type: Value.Type) throws(JSONDecodingFailure) -> Value {
    do {
      return try JSONValueDecoder().decode(type, from: self)
    } catch {
      throw JSONDecodingFailure(error)
    }
  }
}
