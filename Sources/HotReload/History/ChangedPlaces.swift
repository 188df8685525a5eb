import StateJSON

/// Places that the versions of a document have touched, so that it can be told whether another change is apart from all of them: it
/// touches none, or gives a scalar a value that no version had there.
///
/// Where something comes or goes, the indices of an array may mean other elements from then on: then it is all of the container that
/// was touched.
struct ChangedPlaces: Sendable {
  fileprivate indirect enum Tree: Sendable {
    /// It was touched, with all that is in it.
    case touched
    /// A scalar, and the values that it had; whether that of the oldest version is among them.
    case scalar(Set<JSONValue>, isWhole: Bool)
    case parts([String: Tree])
  }

  /// The number of values that are remembered of a place. One that had more counts as touched.
  fileprivate static let valueLimit = 64

  private var tree = Tree.parts([:])

  /// Adds what a patch touches.
  mutating func insert(_ patch: JSONPatch) {
    for operation in patch.operations {
      if case .replace(let place, let value) = operation, value.isScalar {
        tree.insert(value, at: place.tokens[...], isOldest: false)
      } else {
        for place in operation.touched { tree.touch(place[...]) }
      }
    }
  }

  /// Adds what a place held in the oldest version.
  mutating func insert(oldest value: JSONValue, at place: JSONPointer) {
    guard value.isScalar else { return tree.touch(place.tokens[...]) }
    tree.insert(value, at: place.tokens[...], isOldest: true)
  }

  /// Everything was touched.
  mutating func insertAll() { tree = .touched }

  /// The places of a patch that no version has touched.
  func untouched(by patch: JSONPatch) -> [JSONPointer] {
    patch.replacements.filter { tree.at($0.tokens[...]) == nil }
  }

  /// The places of a patch of which all is known but what they held in the oldest version.
  func unfinished(by patch: JSONPatch) -> [JSONPointer] {
    patch.replacements.filter { if case .scalar(_, isWhole: false)? = tree.at($0.tokens[...]) { true } else { false } }
  }

  /// Whether a patch is apart from all of them.
  func areApart(from patch: JSONPatch) -> Bool {
    patch.operations.allSatisfy { operation in
      if case .replace(let place, let value) = operation { return !tree.overlaps(place.tokens[...], value) }
      return operation.touched.allSatisfy { !tree.overlaps($0[...], nil) }
    }
  }
}

extension ChangedPlaces.Tree {
  fileprivate mutating func touch(_ place: ArraySlice<String>) { change(place) { $0 = .touched } }

  fileprivate mutating func insert(_ value: JSONValue, at place: ArraySlice<String>, isOldest: Bool) {
    change(place) { tree in
      switch tree {
      case .touched: break
      case .scalar(var values, let isWhole):
        values.insert(value)
        tree = values.count > ChangedPlaces.valueLimit ? .touched : .scalar(values, isWhole: isWhole || isOldest)
      case .parts(let parts): tree = parts.isEmpty ? .scalar([value], isWhole: isOldest) : .touched
      }
    }
  }

  /// Changes what is known of a place, unless it is in one that was touched as a whole.
  private mutating func change(_ place: ArraySlice<String>, _ body: (inout ChangedPlaces.Tree) -> Void) {
    guard let token = place.first else { return body(&self) }
    switch self {
    case .touched: break
    // A scalar that has parts by now was replaced by a container: which values it had counts no more.
    case .scalar: self = .touched
    case .parts(var parts):
      // So that the parts are nobody else's, and are changed in place.
      self = .touched
      parts[token, default: .parts([:])].change(place.dropFirst(), body)
      self = .parts(parts)
    }
  }

  /// The part of the tree for a place, or for a container of it that was touched as a whole; `nil` if no version touched any.
  fileprivate func at(_ place: ArraySlice<String>) -> ChangedPlaces.Tree? {
    guard case .parts(let parts) = self, let token = place.first else { return self }
    return parts[token]?.at(place.dropFirst())
  }

  fileprivate func overlaps(_ place: ArraySlice<String>, _ value: JSONValue?) -> Bool {
    switch self {
    case .touched: return true
    case .scalar(let values, let isWhole):
      guard place.isEmpty, isWhole, let value else { return true }
      return values.contains(value)
    case .parts(let parts):
      guard let token = place.first else { return !parts.isEmpty }
      return parts[token]?.overlaps(place.dropFirst(), value) ?? false
    }
  }
}

extension JSONPatch.Operation {
  /// The ways to what it changes.
  fileprivate var touched: [[String]] {
    switch self {
    case .replace(let place, _): [place.tokens]
    case .add(_, let place), .remove(let place), .copy(_, let place): [Self.container(of: place)]
    case .move(let from, let place): [Self.container(of: from), Self.container(of: place)]
    case .test: []
    }
  }

  /// The array that an element comes into, or goes from; of a member it is the member alone.
  private static func container(of place: JSONPointer) -> [String] {
    guard let token = place.tokens.last, token == "-" || JSONPointer.arrayIndex(token) != nil else {
      return place.tokens
    }
    return place.tokens.dropLast()
  }
}

extension JSONPatch {
  /// Where it replaces values.
  fileprivate var replacements: [JSONPointer] {
    operations.compactMap { if case .replace(let place, _) = $0 { place } else { nil } }
  }
}

extension JSONValue {
  fileprivate var isScalar: Bool {
    switch self {
    case .array, .object: false
    case .null, .bool, .number, .string: true
    }
  }
}
