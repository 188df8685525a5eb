extension JSONValue {
  /// The form of a typed value.
  package init(encoding value: some Encodable) throws(JSONEncodingError) {
    do {
      self = try JSONValueEncoder().encode(value)
    } catch {
      throw JSONEncodingError(error)
    }
  }

  /// The typed value whose form this is.
  package func decoded<Value: Decodable>(as type: Value.Type) throws(JSONDecodingError) -> Value {
    do {
      return try JSONValueDecoder().decode(type, from: self)
    } catch {
      throw JSONDecodingError(error)
    }
  }
}
