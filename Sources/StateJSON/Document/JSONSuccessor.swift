/// A document whose text has become of another one's, and is most likely the same in most places.
package struct JSONSuccessor {
  package let document: JSONDocument
  private let older: JSONDocument
  /// The value, at the same place in both, outside of which the texts are the same; `nil` where that isn't known.
  private let place: Int?

  /// Parses a text, as ``JSONDocument/init(parsing:after:limits:)`` does.
  package init(
    parsing bytes: [UInt8], after older: JSONDocument, limits: JSONLimits = .default
  ) throws(JSONParseError) {
    self.older = older
    if let reparsed = older.tape.reparsed(from: older.bytes, to: bytes, limits: limits) {
      document = JSONDocument(bytes, tape: reparsed.tape)
      place = reparsed.place
    } else {
      document = try JSONDocument(parsing: bytes, limits: limits)
      place = nil
    }
  }

  /// Whether both texts stand for equal values.
  package var hasSameValue: Bool {
    guard let place else { return older.hasSameValue(as: document) }
    return older.read { old in document.read { new in old.hasSameValue(place, as: place, in: new) } }
  }
}
