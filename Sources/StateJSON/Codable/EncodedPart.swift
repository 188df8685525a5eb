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

extension EncodedPart {
  /// An array, sorted if it has no order.
  ///
  /// Unordered places inside elements are given by position.
  init(_ elements: [JSONValue], places: [Int: UnorderedPlaces], form: UnorderedPlaces.Form?) {
    var order = Array(elements.indices)
    if let form {
      order = stride(from: 0, to: elements.count, by: form.width)
        .sorted { elements[$0].sortsBefore(elements[$1]) }
        .flatMap { $0..<min($0 + form.width, elements.count) }
    }
    self.init(.array(form == nil ? elements : order.map { elements[$0] }))
    unordered.form = form
    guard !places.isEmpty else { return }
    for (position, original) in order.enumerated() {
      if let places = places[original] { unordered["\(position)"] = places }
    }
  }

  /// An object, its members sorted by key if it was a dictionary.
  ///
  /// Unordered places inside members are given by position.
  init(_ object: JSONObject, places: [Int: UnorderedPlaces], isDictionary: Bool) {
    var sorted = object
    if isDictionary {
      sorted = JSONObject()
      for member in object.members.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
        sorted.append(member.key, member.value)
      }
    }
    self.init(.object(sorted))
    for (position, places) in places { unordered[object.keys[position]] = places }
  }
}
