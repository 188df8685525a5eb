/// What a value turns out to be while it is being encoded.
enum EncodedShape { case undecided, single, array, object }

/// A value that has been encoded, with what is known of it and JSON can't say: which of its arrays have no order.
struct EncodedPart {
  var value: JSONValue
  var unordered: UnorderedPlaces

  init(_ value: JSONValue, unordered: UnorderedPlaces = UnorderedPlaces()) {
    self.value = value
    self.unordered = unordered
  }

  /// What stands for a part that encoded nothing: an object without members, as with Foundation's `JSONEncoder`.
  static let nothing = EncodedPart(.object(JSONObject()))
}
