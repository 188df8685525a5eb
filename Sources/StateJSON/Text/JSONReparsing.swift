extension JSONTape {
  /// The tape of a text, made of that of an older one: what differs lies inside of one value, or else of an array or an object,
  /// and only that is parsed.
  ///
  /// Before and after it the texts are the same, and so are the brackets around what differs. A text is valid if one of its
  /// values is replaced by a valid one that is nested no deeper than allowed.
  ///
  /// - Returns: It, and the value that differs, which has the same place in both tapes; no value where the texts are the same. `nil` if
  ///   the whole text has to be parsed, be it to say what is wrong with it.
  /// - Complexity: O(*n*) in the texts, as fast as memory is read and written; beyond that, that of the innermost value that
  ///   has become another, and of finding it among its neighbours.
  func reparsed(from old: [UInt8], to new: [UInt8], limits: JSONLimits) -> (tape: JSONTape, place: Int?)? {
    guard new.count <= min(limits.size, Self.maximumSize) else { return nil }
    return with(old) { old in
      new.withUnsafeBufferPointer { new in
        guard let bytes = ByteDivergence(old.text, new) else { return (self, nil) }
        let containers = old.containers(around: bytes)
        guard let container = containers.last else { return nil }
        // Where an item was put in, or removed, the value in question is another one than it seems, or several.
        if let item = old.item(of: container, around: bytes),
          let tape = reparsed(item.value, in: containers, from: old, to: new, bytes, limits)
        {
          return (tape, item.value)
        }
        return reparsed(container, in: containers.dropLast(), from: old, to: new, bytes, limits).map { ($0, container) }
      }
    }
  }

  /// The same if all that differs lies inside of one value, and that is valid; what it is in stands around it, outermost first.
  private func reparsed(
    _ value: Int, in containers: some Collection<Int>, from old: TapedText,
    to new: UnsafeBufferPointer<UInt8>, _ bytes: ByteDivergence, _ limits: JSONLimits
  ) -> JSONTape? {
    let growth = new.count - old.text.count
    let entries = JSONParser.parse(
      valueAt: old.start(of: value)..<old.end(of: value) + growth, of: new, depth: containers.count,
      depthLimit: min(limits.depth, JSONLimits.maximumDepth), after: value, in: FormerText(old, before: new, bytes))
    guard let entries else { return nil }
    // Most often a value has become one that is as long, such as a number, and stands where it did.
    if growth == 0, old.tape[value..<old.next(after: value)].elementsEqual(entries) { return self }
    return JSONTape(entries: old.replacing(value, in: containers, with: entries, growth: growth))
  }
}

extension TapedText {
  /// The containers between whose brackets all is that differs, outermost first.
  fileprivate func containers(around bytes: ByteDivergence) -> [Int] {
    func isAround(_ value: Int) -> Bool {
      isContainer(value) && start(of: value) < bytes.prefix && end(of: value) > text.count - bytes.suffix
    }
    var path: [Int] = []
    var innermost = isAround(0) ? 0 : nil
    while let container = innermost {
      path.append(container)
      innermost = values(of: container).lazy.prefix { start(of: $0) < bytes.prefix }.first(where: isAround)
    }
    return path
  }

  /// The entries of this text once a value has others, and all that follows has moved.
  fileprivate func replacing(
    _ value: Int, in containers: some Collection<Int>, with inner: [JSONTape.Entry], growth: Int
  ) -> [JSONTape.Entry] {
    let rest = next(after: value)
    let additional = inner.count - (rest - value)
    let shift = UInt32(truncatingIfNeeded: growth)
    return Array(unsafeUninitializedCapacity: tape.count + additional) { entries, count in
      // All of these are written once, in order, up to the capacity.
      let end = value + inner.count
      _ = entries[..<value].initialize(fromContentsOf: tape[..<value])
      _ = entries[value..<end].initialize(fromContentsOf: inner)
      for index in rest..<tape.count {
        let moved = JSONTape.Entry(start: tape[index].start &+ shift, detail: tape[index].detail)
        entries.initializeElement(at: index + additional, to: moved)
      }
      count = tape.count + additional
      for outer in containers {
        entries[outer].detail = UInt32(Int(entries[outer].detail) + additional)
        entries[outer + 1].start &+= shift
      }
    }
  }
}
