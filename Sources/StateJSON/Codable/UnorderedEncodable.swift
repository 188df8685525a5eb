/// A collection that encodes its elements in an order that means nothing and may differ in every process.
///
/// `Set` and `Dictionary` conform. Conform a hashed collection of your own, so that ``JSONValueEncoder`` sorts what it
/// encodes and a mirrored file doesn't change its order from one process to the next. The encoder sees it wherever a
/// value is *encoded into a container*; a type that forwards by hand, `set.encode(to: encoder)`, hides it.
public protocol UnorderedEncodable {
  /// How the collection lays out its array, should it encode as one.
  static var unorderedForm: UnorderedPlaces.Form { get }
}

extension Set: UnorderedEncodable {
  public static var unorderedForm: UnorderedPlaces.Form { .elements }
}

extension Dictionary: UnorderedEncodable {
  public static var unorderedForm: UnorderedPlaces.Form { .pairs }
}
