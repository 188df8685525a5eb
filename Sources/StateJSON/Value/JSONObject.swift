/// The members of a JSON object, in the order of the text, each key once.
///
/// Keys are compared by Unicode scalars, so that `"é"` in its composed and its decomposed form are two keys, as JSON
/// has it. Lookup takes constant time in large objects and a short scan in small ones.
///
/// Keys and values are kept apart: the objects of an array mostly have the same keys, and then a parser gives them one list
/// of these.
public struct JSONObject: Sendable {
  /// A key with its value.
  public struct Member: Sendable {
    /// The key, unescaped.
    public let key: String
    /// What stands for the key.
    public var value: JSONValue

    /// Makes a member of its parts.
    public init(key: String, value: JSONValue) {
      self.key = key
      self.value = value
    }
  }

  /// The members of an object, in order.
  public struct Members: RandomAccessCollection, Sendable {
    fileprivate let keys: [String]
    fileprivate let values: [JSONValue]

    public var startIndex: Int { 0 }
    public var endIndex: Int { values.count }

    public subscript(position: Int) -> Member { Member(key: keys[position], value: values[position]) }
  }

  private var keyList: JSONKeys
  /// What stands for the keys, in their order.
  public private(set) var values: [JSONValue]

  /// Makes an object without members.
  public init() { self.init(keyList: .none, values: []) }

  /// An object of as many keys as values.
  private init(keyList: JSONKeys, values: [JSONValue]) {
    self.keyList = keyList
    self.values = values
  }

  /// An object of as many keys as values, where the keys are known to differ from each other.
  package init(unique keys: [String], values: [JSONValue]) {
    self.init(keyList: keys.isEmpty ? .none : JSONKeys(keys), values: values)
  }

  /// An object that has the keys of this one, and as many values.
  func withValues(_ values: [JSONValue]) -> JSONObject { JSONObject(keyList: keyList, values: values) }

  /// How many members there are.
  public var count: Int { values.count }
  /// Whether there are no members.
  public var isEmpty: Bool { values.isEmpty }
  /// The keys, unescaped, in their order.
  public var keys: [String] { keyList.names }
  /// The members in their order.
  public var members: Members { Members(keys: keys, values: values) }

  /// Whether both have the same keys in the same order.
  package func hasSameKeys(as other: JSONObject) -> Bool { keyList.areSame(as: other.keyList) }

  /// The position of a key in ``keys``, and of its value in ``values``.
  public func index(forKey key: String) -> Int? { keyList.position(of: key) }

  /// The value of a key. Setting a new key appends a member; setting `nil` removes the member.
  public subscript(key: String) -> JSONValue? {
    get { index(forKey: key).map { values[$0] } }
    set {
      guard let newValue else {
        removeValue(forKey: key)
        return
      }
      if let index = index(forKey: key) {
        values[index] = newValue
      } else {
        append(key, newValue)
      }
    }
    _modify {
      var value = index(forKey: key).map { exchangeValue(at: $0, with: .null) }
      defer { self[key] = value }
      yield &value
    }
  }

  /// Appends a member whose key must not be there yet; returns whether it wasn't.
  @discardableResult
  public mutating func append(_ key: String, _ value: JSONValue) -> Bool {
    insert(key, value, at: count)
  }

  /// Inserts a member before position `index`; returns `false`, and does nothing, if the key is there already.
  @discardableResult
  public mutating func insert(_ key: String, _ value: JSONValue, at index: Int) -> Bool {
    guard self.index(forKey: key) == nil else { return false }
    makeKeysUnique()
    keyList.insert(key, at: index)
    values.insert(value, at: index)
    return true
  }

  /// Removes a member, keeping the order of the others; returns its value.
  @discardableResult
  public mutating func removeValue(forKey key: String) -> JSONValue? {
    guard let index = index(forKey: key) else { return nil }
    makeKeysUnique()
    keyList.remove(at: index)
    return values.remove(at: index)
  }

  /// Replaces a value and returns the old one, so that it can be changed in place.
  package mutating func exchangeValue(at index: Int, with value: JSONValue) -> JSONValue {
    var value = value
    swap(&values[index], &value)
    return value
  }

  private mutating func makeKeysUnique() {
    if !isKnownUniquelyReferenced(&keyList) { keyList = JSONKeys(keyList) }
  }
}
