import StateJSON

/// What became of one place, with what stood there before.
struct ValueChange: Equatable, Sendable {
  enum Kind: Equatable, Sendable {
    case added(JSONValue)
    case removed(JSONValue)
    case changed(from: JSONValue, to: JSONValue)
    /// It stood somewhere else.
    case moved(from: JSONPointer)
  }

  /// Where it happened, as places were called at that moment: those before it in the list had happened.
  let pointer: JSONPointer
  let kind: Kind

  /// What a patch does to a value, in its order.
  static func list(_ patch: JSONPatch, of value: JSONValue) -> [ValueChange] {
    var value = value
    var changes: [ValueChange] = []
    for operation in patch.operations {
      switch operation {
      case .add(let new, let place):
        let pointer = value.pointer(ofAddition: place)
        // Added to an object, it takes the place of a member of that name.
        let old = value.isObject(at: pointer.parent) ? value[pointer] : nil
        changes.append(ValueChange(pointer: pointer, kind: old.map { .changed(from: $0, to: new) } ?? .added(new)))
      case .remove(let pointer):
        if let old = value[pointer] { changes.append(ValueChange(pointer: pointer, kind: .removed(old))) }
      case .replace(let pointer, let new):
        if let old = value[pointer] {
          changes.append(ValueChange(pointer: pointer, kind: .changed(from: old, to: new)))
        }
      case .move(let from, let pointer):
        changes.append(ValueChange(pointer: pointer, kind: .moved(from: from)))
      case .copy(let from, let pointer):
        if let new = value[from] { changes.append(ValueChange(pointer: pointer, kind: .added(new))) }
      case .test: break
      }
      // It was made for this value; where it fails all the same, what came before it is told.
      guard (try? value.apply(JSONPatch([operation]))) != nil else { return changes }
    }
    return changes
  }

  /// Whether it happened at a place, in it, or around it.
  func concerns(_ other: JSONPointer) -> Bool {
    if pointer.isPrefix(of: other) || other.isPrefix(of: pointer) { return true }
    if case .moved(let from) = kind { return from.isPrefix(of: other) || other.isPrefix(of: from) }
    return false
  }
}

extension JSONValue {
  /// Where an element comes to stand that is appended.
  fileprivate func pointer(ofAddition place: JSONPointer) -> JSONPointer {
    guard place.tokens.last == "-", case .array(let elements)? = self[place.parent] else { return place }
    return place.parent.appending(elements.count)
  }

  fileprivate func isObject(at pointer: JSONPointer) -> Bool {
    if case .object? = self[pointer] { true } else { false }
  }
}

extension ValueChange {
  /// The change on one line: `~ /n: 3 → 4`.
  var text: String {
    switch kind {
    case .added(let new): "+ \(pointer.shown): \(new)"
    case .removed(let old): "- \(pointer.shown): \(old)"
    case .changed(let old, let new): "~ \(pointer.shown): \(old) → \(new)"
    case .moved(let from): "> \(from.shown) → \(pointer.shown)"
    }
  }

  /// The change as JSON: `{"path": …, "old": …, "new": …}`, without what wasn't or isn't there, or with `from`.
  var report: JSONValue {
    switch kind {
    case .added(let new): ["path": .string("\(pointer)"), "new": new]
    case .removed(let old): ["path": .string("\(pointer)"), "old": old]
    case .changed(let old, let new): ["path": .string("\(pointer)"), "old": old, "new": new]
    case .moved(let from): ["path": .string("\(pointer)"), "from": .string("\(from)")]
    }
  }
}
