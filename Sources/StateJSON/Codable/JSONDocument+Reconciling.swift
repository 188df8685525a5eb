extension JSONDocument {
  /// This document with what changed from one dump of a typed state to the next, spliced into its text.
  ///
  /// Where the dumps differ in one place only, that place is looked for in this document, and nothing else is compared or
  /// written. Otherwise as ``JSONValue/reconciled(from:to:)``, which tells what becomes of what the dumps don't know.
  ///
  /// - Complexity: O(*n*) in the texts, as fast as memory is compared and copied, where what changed stands at the same
  ///   place of this document; otherwise that of reconciling the values.
  package func reconciled(from old: TypedDump, to new: TypedDump) -> JSONDocument {
    if old.document.bytes.hasSameBytes(as: new.document.bytes) { return self }
    new.document.makeTape(after: old.document)
    let result = reconciledInPlace(from: old, to: new) ?? replacingValue(with: value.reconciled(from: old, to: new))
    result.makeTape(after: self)
    return result
  }

  /// `nil` where this document has something else at the place in which the dumps differ.
  private func reconciledInPlace(from old: TypedDump, to new: TypedDump) -> JSONDocument? {
    guard let place = old.document.read({ old in new.document.read { ChangedPlace(from: old, to: $0) } }),
      let known = ChangedPlace.unordered(old.unordered, along: place.tokens),
      let unordered = ChangedPlace.unordered(new.unordered, along: place.tokens)
    else { return nil }
    return read { taped in
      guard let (item, value) = taped.place(place) else { return nil }
      let (document, before) = (taped.value(at: value), EncodedPart(place.old, unordered: known))
      guard document.represents(before) else { return nil }
      let result = document.reconciled(from: before, to: EncodedPart(place.new, unordered: unordered))
      guard let change = JSONChange(from: document, to: result) else { return self }
      return JSONDocument(
        written: JSONSplicer.splice(
          change, to: result, at: taped.start(of: value), of: taped.start(of: item), into: bytes))
    }
  }
}

/// The innermost place below the root in which two dumps differ.
private struct ChangedPlace {
  struct Step {
    let token: String
    /// How many neighbours an element of an array has, itself included, and what tells it from them; `nil` for a member.
    var element: (count: Int, identity: [ElementIdentity?])?
  }

  /// The way there.
  var steps: [Step] = []
  let old: JSONValue
  let new: JSONValue

  var tokens: [String] { steps.map(\.token) }

  /// `nil` where the dumps differ as a whole, or an element of an array has become another one.
  init?(from old: TapedText, to new: TapedText) {
    guard let tokens = JSONDivergence(old, new)?.tokens(in: old), !tokens.isEmpty else { return nil }
    var (before, after) = (0, 0)
    for token in tokens {
      guard let oldItem = old.item(token, of: before), let newItem = new.item(token, of: after) else { return nil }
      var step = Step(token: token)
      if old.kind(of: before) == .array {
        let identity = old.identity(of: oldItem)
        if identity != new.identity(of: newItem) { return nil }
        step.element = (old.count(of: before), identity)
      }
      steps.append(step)
      (before, after) = (oldItem, newItem)
    }
    self.old = old.value(at: before)
    self.new = new.value(at: after)
  }

  /// What is unordered at the end of a way; `nil` where the way leads through something that is.
  static func unordered(_ places: UnorderedPlaces, along tokens: [String]) -> UnorderedPlaces? {
    var places = places
    for token in tokens {
      if places.form != nil { return nil }
      places = places[token]
    }
    return places
  }
}

extension TapedText {
  /// The element, or the key and the member's value, at a place; `nil` where the way there isn't the same.
  fileprivate func place(_ place: ChangedPlace) -> (item: Int, value: Int)? {
    var (item, value) = (0, 0)
    for step in place.steps {
      guard let next = self.item(step.token, of: value), (kind(of: value) == .array) == (step.element != nil) else {
        return nil
      }
      if let element = step.element, element != (count(of: value), identity(of: next)) { return nil }
      (item, value) = (step.element == nil ? next - 1 : next, next)
    }
    return (item, value)
  }

  /// What may tell an element of an array from the others.
  fileprivate func identity(of element: Int) -> [ElementIdentity?] {
    guard kind(of: element) == .object else { return [] }
    return ElementIdentity.usualKeys.map { key in ElementIdentity(item(key, of: element).map { value(at: $0) }) }
  }
}
