extension JSONValue {
  /// This document with what changed from one dump of a typed state to the next: a three-way merge in which the dumps
  /// know less than the document.
  ///
  /// A document may hold keys that this version of an app doesn't know, keys in another order, other literals. All that
  /// stays, and so does every value whose dumps are equal:
  ///
  /// - Objects change by member. A new member follows its nearest predecessor in the dump that the document has, else
  ///   it is the last. A member that the new dump lacks is removed; one that the document lacks is added whole, once it
  ///   changes.
  /// - Arrays change by element, if the document's is the old dump's apart from members that only one of the two has;
  ///   otherwise the new dump's replaces it. Elements are matched by `id` or the like, if that is unique, else by a
  ///   longest common subsequence.
  /// - Sets, and dictionaries that encode as arrays, keep the document's order; new elements follow, sorted.
  /// - Anything else becomes the new dump's.
  ///
  /// With `[]` for what somebody else keeps there, and dumps of a state whose `n` went from 1 to 2 and that got a `tag`:
  ///
  /// ```text
  /// {"theirs": [], "n": 1.0, "m": 1.0}            // the document
  /// {"theirs": [], "n": 2, "tag": "x", "m": 1.0}  // the result
  /// ```
  ///
  /// Where the document decodes to the state of `old`, the result decodes to the state of `new`, unless a type reads a
  /// key that it doesn't write. Equal dumps leave the document as it is, to the byte.
  ///
  /// - Complexity: O(*n* × depth) in the size of the three; more in arrays whose elements were reordered, and in
  ///   unordered ones whose elements have keys of their own.
  public func reconciled(from old: TypedDump, to new: TypedDump) -> JSONValue {
    if old.document.bytes.hasSameBytes(as: new.document.bytes) { return self }
    return reconciled(
      from: EncodedPart(old.value, unordered: old.unordered), to: EncodedPart(new.value, unordered: new.unordered))
  }

  func reconciled(from old: EncodedPart, to new: EncodedPart) -> JSONValue {
    if old.value == new.value { return self }
    if case .object(let document) = self, let old = DumpedObject(old), let new = DumpedObject(new) {
      return .object(document.reconciled(from: old, to: new))
    }
    if case .array(let document) = self, let old = DumpedArray(old), let new = DumpedArray(new) {
      return .array(document.reconciled(from: old, to: new) ?? new.elements)
    }
    return new.value
  }

  /// Whether this may be where a dump came from: the same value, apart from members that only one of the two has.
  func represents(_ dump: EncodedPart) -> Bool {
    if self == dump.value { return true }
    if case .object(let document) = self, let dump = DumpedObject(dump) {
      let shared = document.members.compactMap { member in dump[member.key].map { (member.value, $0) } }
      // Objects without a common member tell nothing, such as two cases of an enum.
      return (!shared.isEmpty || document.isEmpty || dump.object.isEmpty) && shared.allSatisfy { $0.represents($1) }
    }
    if case .array(let document) = self, let dump = DumpedArray(dump) { return document.represents(dump) }
    return false
  }
}

/// The object of a dump, whose members are dumps themselves.
private struct DumpedObject {
  let object: JSONObject
  let places: UnorderedPlaces

  init?(_ dump: EncodedPart) {
    guard case .object(let object) = dump.value else { return nil }
    self.object = object
    places = dump.unordered
  }

  subscript(key: String) -> EncodedPart? { object[key].map { EncodedPart($0, unordered: places[key]) } }
}

/// The array of a dump, whose elements are dumps themselves.
private struct DumpedArray {
  let elements: [JSONValue]
  let places: UnorderedPlaces

  init?(_ dump: EncodedPart) {
    guard case .array(let elements) = dump.value else { return nil }
    self.elements = elements
    places = dump.unordered
  }

  subscript(index: Int) -> EncodedPart { EncodedPart(elements[index], unordered: places[index]) }
}

extension JSONObject {
  fileprivate func reconciled(from old: DumpedObject, to new: DumpedObject) -> JSONObject {
    // What the document lacks, by the member that it follows.
    var additions: [ScalarString?: [Member]] = [:]
    var predecessor: ScalarString?
    for member in new.object.members {
      if index(forKey: member.key) != nil {
        predecessor = ScalarString(member.key)
      } else if old.object[member.key] != member.value {
        additions[predecessor, default: []].append(member)
      }
    }

    var result = JSONObject()
    func add(after key: ScalarString?) {
      for member in additions[key] ?? [] { result.append(member.key, member.value) }
    }
    for member in members {
      switch (old[member.key], new[member.key]) {
      case (let old?, let new?): result.append(member.key, member.value.reconciled(from: old, to: new))
      case (nil, let new?): result.append(member.key, member.value == new.value ? member.value : new.value)
      case (_?, nil): continue
      case (nil, nil): result.append(member.key, member.value)
      }
      if !additions.isEmpty { add(after: ScalarString(member.key)) }
    }
    add(after: nil)
    return result
  }
}

extension [JSONValue] {
  /// `nil` if this array isn't the old dump's.
  fileprivate func reconciled(from old: DumpedArray, to new: DumpedArray) -> [JSONValue]? {
    if let form = new.places.form, form == old.places.form {
      return reconciledUnordered(from: old, to: new, form: form)
    }
    guard represents(old) else { return nil }
    var result = new.elements
    if let identities = ElementIdentity.identities(of: [old.elements, new.elements]) {
      let positions = Dictionary(uniqueKeysWithValues: zip(identities[0], indices))
      for (position, identity) in identities[1].enumerated() {
        guard let before = positions[identity] else { continue }
        result[position] = self[before].reconciled(from: old[before], to: new[position])
      }
      return result
    }
    let alignment = ArrayAlignment(old.elements[...], new.elements[...])
    for anchor in alignment.anchors { result[anchor.new] = self[anchor.old] }
    for gap in alignment.gaps where gap.isModification {
      for (before, after) in zip(gap.old, gap.new) {
        result[after] = self[before].reconciled(from: old[before], to: new[after])
      }
    }
    return result
  }

  fileprivate func represents(_ dump: DumpedArray) -> Bool {
    guard count == dump.elements.count else { return false }
    if let form = dump.places.form { return origins(in: dump, form: form) != nil }
    return indices.allSatisfy { self[$0].represents(dump[$0]) }
  }

  // MARK: Unordered arrays: an *item* is an element of a set, or a key with its value.

  private func reconciledUnordered(
    from old: DumpedArray, to new: DumpedArray, form: UnorderedPlaces.Form
  ) -> [JSONValue]? {
    guard let origins = origins(in: old, form: form) else { return nil }
    if form == .elements, let ids = ElementIdentity.identities(of: [old.elements, new.elements]) {
      return reconciled(origins, from: (old, ids[0]), to: (new, ids[1]), form: form)
    }
    let (oldKeys, newKeys) = (old.elements.keys(form), new.elements.keys(form))
    return reconciled(origins, from: (old, oldKeys), to: (new, newKeys), form: form)
  }

  private func reconciled<Identity: Hashable>(
    _ origins: [Int], from old: (array: DumpedArray, identities: [Identity]),
    to new: (array: DumpedArray, identities: [Identity]), form: UnorderedPlaces.Form
  ) -> [JSONValue]? {
    let positions = Dictionary(zip(new.identities, new.identities.indices), uniquingKeysWith: { first, _ in first })
    // Values that are two to Swift and one to JSON can't be told apart here.
    guard positions.count == new.identities.count else { return nil }
    var result: [JSONValue] = []
    for (item, before) in origins.enumerated() {
      guard let after = positions[old.identities[before]] else { continue }
      // In a pair the key stays, and the value changes.
      let value = form.width - 1
      result += self[item * form.width..<item * form.width + value]
      result.append(
        self[item * form.width + value]
          .reconciled(from: old.array[before * form.width + value], to: new.array[after * form.width + value]))
    }
    let known = Set(old.identities)
    for (item, identity) in new.identities.enumerated() where !known.contains(identity) {
      result += new.array.elements[item * form.width..<(item + 1) * form.width]
    }
    return result
  }

  /// For each item of this document's array, the item of the dump's that it stands for; `nil` unless each stands for
  /// just one, and none of the dump's is left over.
  private func origins(in dump: DumpedArray, form: UnorderedPlaces.Form) -> [Int]? {
    guard count.isMultiple(of: form.width) else { return nil }
    let keys = dump.elements.keys(form)
    let positions = Dictionary(zip(keys, keys.indices), uniquingKeysWith: { first, _ in first })
    var origins: [Int] = []
    for key in self.keys(form) {
      if let exact = positions[key] {
        origins.append(exact)
      } else {
        let alike = keys.indices.filter { key.represents(dump[$0 * form.width]) }
        guard alike.count == 1 else { return nil }
        origins.append(alike[0])
      }
    }
    return Set(origins).count == keys.count ? origins : nil
  }

  /// What tells the items apart.
  private func keys(_ form: UnorderedPlaces.Form) -> [JSONValue] {
    form == .elements ? self : stride(from: 0, to: count, by: form.width).map { self[$0] }
  }
}
