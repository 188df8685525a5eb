/// The places of an encoded value whose arrays have no order: what was a `Set`, or a dictionary with keys that JSON
/// can't have.
///
/// Swift seeds its hashes anew in every process, so two instances with equal states would write such arrays in two
/// orders. ``JSONValueEncoder`` sorts them, and remembers here where they are, so that a merge can leave the order of
/// a document as it is. Objects have no order anyhow and are not listed.
public struct UnorderedPlaces: Sendable, Hashable {
  /// How an unordered collection is laid out in its array.
  public enum Form: Sendable, Hashable {
    /// One element after the other, as a `Set` encodes.
    case elements
    /// A key, its value, the next key: as a dictionary encodes whose keys aren't strings or integers.
    case pairs

    /// How many neighbours in the array belong together.
    var width: Int { self == .elements ? 1 : 2 }
  }

  /// The form of the array at this very place, or `nil` if what is here is no unordered collection.
  public internal(set) var form: Form?
  /// The members and elements in which there are unordered places, by the token that leads there.
  private(set) var children: [ScalarString: UnorderedPlaces] = [:]

  /// Nothing unordered.
  public init() {}

  /// Whether the order counts everywhere.
  public var isEmpty: Bool { form == nil && children.isEmpty }

  /// The places inside a member or an element; setting an empty value forgets them.
  public internal(set) subscript(token: String) -> UnorderedPlaces {
    get { children[ScalarString(token)] ?? UnorderedPlaces() }
    set { children[ScalarString(token)] = newValue.isEmpty ? nil : newValue }
  }

  /// The places inside an element of an array.
  subscript(index: Int) -> UnorderedPlaces { children.isEmpty ? UnorderedPlaces() : self["\(index)"] }

  /// The pointer to each unordered array, with its form, in no particular order.
  public var pointers: [JSONPointer: Form] {
    var pointers: [JSONPointer: Form] = [:]
    if let form { pointers[.root] = form }
    for (token, places) in children {
      for (rest, form) in places.pointers { pointers[JSONPointer([token.string] + rest.tokens)] = form }
    }
    return pointers
  }
}
