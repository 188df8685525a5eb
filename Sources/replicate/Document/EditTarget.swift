import StateJSON

/// A place that somebody saw and means, whatever comes before it by the time that it is changed.
///
/// An element that says who it is is the one with that identity, at whatever index it stands by then.
struct EditTarget: Equatable, Sendable {
  /// Where it was.
  let pointer: JSONPointer
  /// Of each step that led to an element which says who it is, who that is; `nil` for all others.
  private let identities: [ElementIdentity?]

  init(_ pointer: JSONPointer, identities: [ElementIdentity?] = []) {
    self.pointer = pointer
    self.identities = identities + Array(repeating: nil, count: max(0, pointer.tokens.count - identities.count))
  }

  /// What it is in; the root is in itself.
  var parent: EditTarget { EditTarget(pointer.parent, identities: identities.dropLast()) }

  /// A place in it.
  func appending(_ token: String) -> EditTarget { EditTarget(pointer.appending(token), identities: identities) }

  /// The same with the last step leading to a value, or to a place for a new one.
  func leading(to value: JSONValue?) -> EditTarget {
    EditTarget(pointer, identities: identities.dropLast() + (pointer.tokens.isEmpty ? [] : [value?.elementIdentity]))
  }

  /// The same for who has changed what stands there: where that says who the element is, another one is called so by now.
  var changed: EditTarget {
    guard let name = pointer.tokens.last, ElementIdentity.usualKeys.contains(name), identities.count > 1 else {
      return self
    }
    return EditTarget(pointer, identities: identities.dropLast(2) + [nil, nil])
  }

  /// The same at another index of the same array.
  func moved(to pointer: JSONPointer) -> EditTarget { EditTarget(pointer, identities: identities) }

  /// Where it is in a document; `nil` if an element on the way isn't there.
  func pointer(in document: JSONValue) -> JSONPointer? {
    guard identities.contains(where: { $0 != nil }) else { return pointer }
    var tokens: [String] = []
    var value: JSONValue? = document
    for (token, identity) in zip(pointer.tokens, identities) {
      var token = token
      if let identity {
        guard case .array(let elements)? = value else { return nil }
        let isThere = Int(token).map { elements.indices.contains($0) && elements[$0].elementIdentity == identity }
        if isThere != true {
          guard let index = elements.firstIndex(where: { $0.elementIdentity == identity }) else { return nil }
          token = String(index)
        }
      }
      value = value?[JSONPointer([token])]
      tokens.append(token)
    }
    return JSONPointer(tokens)
  }
}
