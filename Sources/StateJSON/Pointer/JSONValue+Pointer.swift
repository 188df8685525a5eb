extension JSONValue {
  /// The value that a pointer leads to, or `nil` if it leads nowhere; `-` always does.
  public subscript(pointer: JSONPointer) -> JSONValue? {
    let (value, depth) = follow(pointer)
    return depth == pointer.tokens.count ? value : nil
  }

  /// The value that a pointer leads to.
  ///
  /// - Throws: An error of code `nowhere` that names the last value on the way, such as
  ///   `'/a/b' leads nowhere: '/a' is a number`.
  public func value(at pointer: JSONPointer) throws(JSONPointerError) -> JSONValue {
    let (value, depth) = follow(pointer)
    guard depth == pointer.tokens.count else { throw .nowhere(pointer, depth: depth, in: value) }
    return value
  }

  /// Puts a value at a pointer: replaces the root, a member or an element, adds a member, or appends to an array at
  /// `-` or at its length.
  ///
  /// With `makingParents`, objects that are missing on the way are made. Changes in place: only containers on the way
  /// that are shared with another value are copied.
  ///
  ///     var state: JSONValue = ["list": [1, 2]]
  ///     try state.set(3, at: JSONPointer(parsing: "/list/-"))
  ///     try state.set(true, at: JSONPointer(parsing: "/a/b"), makingParents: true)
  ///     // {"list":[1,2,3],"a":{"b":true}}
  ///
  /// - Throws: An error of code `nowhere` if nothing can be put there, or `tooDeep`; then nothing has changed.
  public mutating func set(
    _ value: JSONValue, at pointer: JSONPointer, makingParents: Bool = false
  ) throws(JSONPointerError) {
    try checkDepth(of: value, at: pointer)
    guard makingParents else { return try place(value, at: pointer, inserting: false) }
    // Make what is missing as one new value, and put that where the way ends.
    let (obstacle, depth) = follow(pointer)
    guard depth < pointer.tokens.count - 1, obstacle.accepts(pointer.tokens[depth]) else {
      return try place(value, at: pointer, inserting: false)
    }
    let missing = pointer.tokens[(depth + 1)...].reversed().reduce(value) { [$1: $0] }
    try place(missing, at: JSONPointer(Array(pointer.tokens[...depth])), inserting: false)
  }

  /// Inserts a value as the operation `add` of RFC 6902 does: like ``set(_:at:makingParents:)``, but before an element
  /// of an array rather than in its place.
  public mutating func insert(_ value: JSONValue, at pointer: JSONPointer) throws(JSONPointerError) {
    try checkDepth(of: value, at: pointer)
    try place(value, at: pointer, inserting: true)
  }

  /// Replaces a value that must be there; returns the old one.
  @discardableResult
  public mutating func replace(at pointer: JSONPointer, with value: JSONValue) throws(JSONPointerError) -> JSONValue {
    try checkDepth(of: value, at: pointer)
    return try modify(pointer, upTo: pointer.tokens.count) { target throws(JSONPointerError) in
      let old = target
      target = value
      return old
    }
  }

  /// Removes a member or an element, keeping the order of the others; returns it.
  ///
  /// - Throws: An error of code `nowhere`, or of code `root` for the root, which can't be removed.
  @discardableResult
  public mutating func remove(at pointer: JSONPointer) throws(JSONPointerError) -> JSONValue {
    guard let token = pointer.tokens.last else { throw .rootRemoval() }
    let depth = pointer.tokens.count - 1
    return try modify(pointer, upTo: depth) { parent throws(JSONPointerError) in
      let removed = parent.withContents(
        array: { elements in
          JSONPointer.arrayIndex(token).flatMap { $0 < elements.count ? elements.remove(at: $0) : nil }
        },
        object: { $0.removeValue(forKey: token) })
      guard let removed else { throw .nowhere(pointer, depth: depth, in: parent) }
      return removed
    }
  }
}

extension JSONValue {
  /// Puts a value at a pointer, without regard to its depth.
  mutating func place(
    _ value: JSONValue, at pointer: JSONPointer, inserting: Bool
  ) throws(JSONPointerError) {
    guard let token = pointer.tokens.last else {
      self = value
      return
    }
    let depth = pointer.tokens.count - 1
    try modify(pointer, upTo: depth) { parent throws(JSONPointerError) in
      guard parent.accepts(token) else { throw .nowhere(pointer, depth: depth, in: parent) }
      parent.withContents(
        array: { elements in
          let index = JSONPointer.arrayIndex(token) ?? elements.count
          if inserting || index == elements.count {
            elements.insert(value, at: index)
          } else {
            elements[index] = value
          }
        },
        object: { $0[token] = value })
    }
  }

  /// Throws if `value` at `pointer` would exceed the default limit of depth, which a parser then would not accept.
  func checkDepth(of value: JSONValue, at pointer: JSONPointer) throws(JSONPointerError) {
    let limit = JSONLimits.default.depth
    guard value.isNested(atMost: limit - pointer.tokens.count) else { throw .tooDeep(pointer, limit: limit) }
  }

  private func isNested(atMost levels: Int) -> Bool {
    guard levels >= 0 else { return false }
    return switch self {
    case .array(let elements): levels > 0 && elements.allSatisfy { $0.isNested(atMost: levels - 1) }
    case .object(let object): levels > 0 && object.values.allSatisfy { $0.isNested(atMost: levels - 1) }
    default: true
    }
  }

  /// Goes as far along a pointer as there are values: the last one, and how many tokens led there.
  private func follow(_ pointer: JSONPointer) -> (value: JSONValue, depth: Int) {
    var value = self
    for (depth, token) in pointer.tokens.enumerated() {
      guard let child = value.child(token) else { return (value, depth) }
      value = child
    }
    return (value, pointer.tokens.count)
  }

  private func child(_ token: String) -> JSONValue? {
    switch self {
    case .array(let elements):
      JSONPointer.arrayIndex(token).flatMap { $0 < elements.count ? elements[$0] : nil }
    case .object(let object): object[token]
    default: nil
    }
  }

  /// Whether a value can be put at a token of this container.
  private func accepts(_ token: String) -> Bool {
    switch self {
    case .array(let elements): token == "-" || JSONPointer.arrayIndex(token).map { $0 <= elements.count } ?? false
    case .object: true
    default: false
    }
  }

  /// Runs `body` on the value that the first `end` tokens lead to, in place.
  ///
  /// On the way down each container is taken out of its parent, so that nobody else holds it and nothing is copied.
  private mutating func modify<Result>(
    _ pointer: JSONPointer, from depth: Int = 0, upTo end: Int,
    _ body: (inout JSONValue) throws(JSONPointerError) -> Result
  ) throws(JSONPointerError) -> Result {
    guard depth < end else { return try body(&self) }
    let token = pointer.tokens[depth]
    if case .array(var elements) = self {
      guard let index = JSONPointer.arrayIndex(token), index < elements.count else {
        throw .nowhere(pointer, depth: depth, in: self)
      }
      self = .null
      defer { self = .array(elements) }
      return try elements[index].modify(pointer, from: depth + 1, upTo: end, body)
    }
    guard case .object(var object) = self, let index = object.index(forKey: token) else {
      throw .nowhere(pointer, depth: depth, in: self)
    }
    self = .null
    var child = object.exchangeValue(at: index, with: .null)
    defer {
      _ = object.exchangeValue(at: index, with: child)
      self = .object(object)
    }
    return try child.modify(pointer, from: depth + 1, upTo: end, body)
  }

  /// Changes the contents of a container in place; `nil` for a scalar.
  @discardableResult
  private mutating func withContents<Result>(
    array: (inout [JSONValue]) -> Result?, object: (inout JSONObject) -> Result?
  ) -> Result? {
    if case .array(var elements) = self {
      self = .null
      defer { self = .array(elements) }
      return array(&elements)
    }
    if case .object(var members) = self {
      self = .null
      defer { self = .object(members) }
      return object(&members)
    }
    return nil
  }
}
