import StateJSON

/// A change of one place, made by somebody who saw what stood there.
///
/// It goes over nothing else: where something else stands there by the time that it is applied, it fails with
/// ``OperationError/movedOn(_:)``.
struct Edit: Equatable, Sendable {
  enum Change: Equatable, Sendable {
    case replace(JSONValue, with: JSONValue)
    /// A member, or an element before the one that stands there.
    case add(JSONValue)
    case remove(JSONValue)
    /// Adds to whatever number stands there.
    case increment(JSONNumber)
    /// An element goes to another place of its array.
    case move(JSONValue, to: JSONPointer)
    /// A value and what was made of it, which is merged with what others have made of it meanwhile; it fails where both changed the same.
    case rewrite(JSONValue, as: JSONValue)
  }

  var target: EditTarget
  var change: Change

  init(_ target: EditTarget, _ change: Change) { (self.target, self.change) = (target, change) }

  /// What makes one value of another, or of none; `nil` if there is neither.
  init?(_ target: EditTarget, from old: JSONValue?, to new: JSONValue?) {
    switch (old, new) {
    case (let old?, let new?): self.init(target, .replace(old, with: new))
    case (let old?, nil): self.init(target, .remove(old))
    case (nil, let new?): self.init(target, .add(new))
    case (nil, nil): return nil
    }
  }

  /// Where the place was.
  var pointer: JSONPointer { target.pointer }

  /// The edit that takes this one back.
  var inverse: Edit {
    let target = target.changed
    return switch change {
    case .replace(let old, let new): Edit(target.leading(to: new), .replace(new, with: old))
    case .add(let value): Edit(target.leading(to: value), .remove(value))
    case .remove(let value): Edit(target.leading(to: nil), .add(value))
    case .increment(let number): Edit(target, .increment(number.negated))
    case .move(let value, let place): Edit(target.moved(to: place), .move(value, to: pointer))
    case .rewrite(let old, let new): Edit(target.leading(to: new), .rewrite(new, as: old))
    }
  }

  /// Applies the change in place, all of it or nothing.
  func apply(to document: inout JSONValue) throws(OperationError) {
    guard let pointer = target.pointer(in: document) else { throw .movedOn(self.pointer) }
    switch change {
    case .replace(let old, let new):
      try check(document[pointer] == old)
      try perform { () throws(JSONPointerError) in try document.replace(at: pointer, with: new) }
    case .add(let value):
      try check(document.isArray(at: pointer.parent) || document[pointer] == nil)
      try perform { () throws(JSONPointerError) in try document.insert(value, at: pointer) }
    case .remove(let old):
      try check(document[pointer] == old)
      try perform { () throws(JSONPointerError) in try document.remove(at: pointer) }
    case .increment(let number):
      try DocumentOperation.increment(at: pointer, by: number, makingParents: false).apply(to: &document)
    case .move(let value, let place):
      try check(document[pointer] == value)
      var moved = document
      let shifted = place.shifted(as: self.pointer, to: pointer)
      try perform { () throws(JSONPointerError) in
        try moved.remove(at: pointer)
        try moved.insert(value, at: shifted)
      }
      document = moved
    case .rewrite(let old, let new):
      guard let now = document[pointer] else { throw .movedOn(pointer) }
      let merge = JSONMerge(base: old, left: now, right: new, newer: .right)
      try check(merge.conflicts.isEmpty)
      try perform { () throws(JSONPointerError) in try document.replace(at: pointer, with: merge.value) }
    }
  }

  private func check(_ isAsSeen: Bool) throws(OperationError) {
    if !isAsSeen { throw .movedOn(pointer) }
  }

  private func perform<Result>(_ change: () throws(JSONPointerError) -> Result) throws(OperationError) {
    do { _ = try change() } catch { throw .pointer(error) }
  }
}

extension JSONPointer {
  /// Where what it points to is in; the root is in itself.
  var parent: JSONPointer { JSONPointer(Array(tokens.dropLast())) }

  /// A place in an array whose other element has come from one place to another.
  fileprivate func shifted(as old: JSONPointer, to new: JSONPointer) -> JSONPointer {
    guard let place = tokens.last.flatMap(Int.init), let from = old.tokens.last.flatMap(Int.init),
      let to = new.tokens.last.flatMap(Int.init)
    else { return self }
    return new.parent.appending(max(0, place + to - from))
  }
}

extension JSONValue {
  fileprivate func isArray(at pointer: JSONPointer) -> Bool {
    if case .array? = self[pointer] { true } else { false }
  }
}

extension JSONNumber {
  /// The number with the other sign.
  fileprivate var negated: JSONNumber {
    let literal = literal.hasPrefix("-") ? String(literal.dropFirst()) : "-" + literal
    guard let number = JSONNumber(literal) else { preconditionFailure("no number with the other sign of \(self)") }
    return number
  }
}
