/// A typed value in its JSON form, with what the types knew and JSON can't say: which arrays have no order.
///
/// Equal values give identical dumps, in every process: members stand in the order in which they were encoded, and what
/// has no order is sorted.
public struct TypedDump: Sendable {
  /// What was encoded, as a text without white space.
  public let document: JSONDocument
  /// Where it has arrays that are sets or dictionaries.
  public let unordered: UnorderedPlaces

  /// What was encoded.
  public var value: JSONValue { document.value }

  /// Makes a dump of its parts.
  public init(_ value: JSONValue, unordered: UnorderedPlaces = UnorderedPlaces()) {
    self.init(JSONDocument(compact: value), unordered: unordered)
  }

  init(_ document: JSONDocument, unordered: UnorderedPlaces) {
    self.document = document
    self.unordered = unordered
  }

  /// Whether both dumps are of equal values.
  package func hasSameValue(as other: TypedDump) -> Bool { document.hasSameValue(as: other.document) }
}
