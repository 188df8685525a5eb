/// The text of an array or an object that has been encoded, with the unordered places in its items, by position.
struct EncodedCollection {
  let bytes: [UInt8]
  let places: [Int: UnorderedPlaces]

  /// The text with its items sorted, if they have no order, and the places in it.
  func sorted(_ form: UnorderedPlaces.Form?) -> (bytes: [UInt8], places: UnorderedPlaces) {
    JSONParser.parse(written: bytes).with(bytes) { taped in
      taped.kind(of: 0) == .object ? sortedMembers(of: taped, form) : sortedElements(of: taped, form)
    }
  }

  private func sortedMembers(
    of taped: TapedText, _ form: UnorderedPlaces.Form?
  ) -> (bytes: [UInt8], places: UnorderedPlaces) {
    let members = taped.keys(of: 0).map { (key: taped.string(at: $0), entry: $0) }
    var result = UnorderedPlaces()
    for (position, places) in places { result[members[position].key] = places }
    guard form != nil else { return (bytes, result) }
    let sorted = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    return (text(of: sorted.map { taped.start(of: $0.entry)..<taped.end(of: $0.entry + 1) }), result)
  }

  private func sortedElements(
    of taped: TapedText, _ form: UnorderedPlaces.Form?
  ) -> (bytes: [UInt8], places: UnorderedPlaces) {
    let elements = Array(taped.elements(of: 0))
    var order = Array(elements.indices)
    if let form {
      let values = elements.map { taped.value(at: $0) }
      order = stride(from: 0, to: elements.count, by: form.width)
        .sorted { values[$0].sortsBefore(values[$1]) }
        .flatMap { $0..<min($0 + form.width, elements.count) }
    }
    var result = UnorderedPlaces()
    result.form = form
    if !places.isEmpty {
      for (position, original) in order.enumerated() {
        if let places = places[original] { result["\(position)"] = places }
      }
    }
    return (form == nil ? bytes : text(of: order.map { taped.range(of: elements[$0]) }), result)
  }

  /// The items at these ranges between the brackets.
  private func text(of ranges: [Range<Int>]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    result.append(bytes[0])
    for (index, range) in ranges.enumerated() {
      if index > 0 { result.append(UInt8(ascii: ",")) }
      result.append(contentsOf: bytes[range])
    }
    result.append(bytes[bytes.count - 1])
    return result
  }
}
