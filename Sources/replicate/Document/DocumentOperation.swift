import StateJSON

/// A change of a document, as the writing verbs and the JSON-RPC methods ask for it.
///
/// It says what is to be done, not what comes out, so that it can be applied again to a newer document.
///
///     var document: JSONValue = ["n": 1]
///     try DocumentOperation.increment(at: n, by: 1, makingParents: false).apply(to: &document)  // 2
enum DocumentOperation: Equatable, Sendable {
  case set(JSONValue, at: JSONPointer, makingParents: Bool)
  case remove(at: JSONPointer)
  /// With `makingParents` a number that is missing starts at 0.
  case increment(at: JSONPointer, by: JSONNumber, makingParents: Bool)
  case patch(JSONPatch)
  /// A merge patch.
  case merge(JSONValue)
  /// Turns the value at a pointer into another that was made from it, leaving what means the same as it is written.
  ///
  /// Fails with ``OperationError/movedOn(_:)`` if the value isn't the one the other was made from any more.
  case replaceDifference(at: JSONPointer, from: JSONValue, to: JSONValue)
  /// Gives the document the value it had, keeping the order of what is still there.
  case restore(JSONValue)
  /// Changes one place, unless something else stands there than was seen.
  case edit(Edit)
  /// Pipes the value at a pointer through a command, each time that the operation is applied.
  case transform(at: JSONPointer, by: Filter)

  /// Applies the change in place, all of it or nothing.
  ///
  /// - Returns: The sum, for an increment; otherwise nothing.
  @discardableResult
  func apply(to document: inout JSONValue) throws(OperationError) -> JSONValue? {
    do throws(OperationError) {
      return try perform(on: &document)
    } catch {
      guard case .pointer(let reason) = error, let bolder = makingParents else { throw error }
      var copy = document
      do throws(OperationError) { _ = try bolder.perform(on: &copy) } catch _ { throw error }
      throw .missingOnTheWay(reason)
    }
  }

  /// The same operation, but making what is missing on the way; nil if it does so already, or can't.
  private var makingParents: Self? {
    switch self {
    case .set(let value, let pointer, false): .set(value, at: pointer, makingParents: true)
    case .increment(let pointer, let number, false): .increment(at: pointer, by: number, makingParents: true)
    default: nil
    }
  }

  private func perform(on document: inout JSONValue) throws(OperationError) -> JSONValue? {
    switch self {
    case .set(let value, let pointer, let makingParents):
      try document.setting(value, at: pointer, makingParents: makingParents)
      return nil
    case .remove(let pointer):
      do { try document.remove(at: pointer) } catch { throw .pointer(error) }
      return nil
    case .increment(let pointer, let number, let makingParents):
      let sum = JSONValue.number(try document.sum(at: pointer, number, startingAtZero: makingParents))
      try document.setting(sum, at: pointer, makingParents: makingParents)
      return sum
    case .patch(let patch):
      do { try document.apply(patch) } catch { throw .patch(error) }
      return nil
    case .merge(let patch):
      document.applyMergePatch(patch)
      return nil
    case .replaceDifference(let pointer, let old, let new):
      let value = try document.existingValue(at: pointer)
      guard value == old else { throw .movedOn(pointer) }
      try document.setting(difference(from: value, to: new), at: pointer, makingParents: false)
      return nil
    case .restore(let value):
      do { try document.apply(JSONPatch(from: document, to: value)) } catch { throw .patch(error) }
      return nil
    case .edit(let edit):
      try edit.apply(to: &document)
      return nil
    case .transform(let pointer, let filter):
      let value = try document.existingValue(at: pointer)
      let new: JSONValue
      do { new = try filter.output(for: value) } catch { throw .filter(error) }
      try document.setting(difference(from: value, to: new), at: pointer, makingParents: false)
      return nil
    }
  }
}

/// The new value, except that what means the same stays as it is written: a command may write 1.0 as 1.
private func difference(from old: JSONValue, to new: JSONValue) throws(OperationError) -> JSONValue {
  var value = old
  do { try value.apply(JSONPatch(from: old, to: new, literals: false)) } catch { throw .patch(error) }
  return value
}

extension JSONValue {
  fileprivate func existingValue(at pointer: JSONPointer) throws(OperationError) -> JSONValue {
    do { return try value(at: pointer) } catch { throw .pointer(error) }
  }

  fileprivate mutating func setting(
    _ value: JSONValue, at pointer: JSONPointer, makingParents: Bool
  ) throws(OperationError) {
    do { try set(value, at: pointer, makingParents: makingParents) } catch { throw .pointer(error) }
  }

  /// The number at a pointer plus another.
  fileprivate func sum(
    at pointer: JSONPointer, _ number: JSONNumber, startingAtZero: Bool
  ) throws(OperationError) -> JSONNumber {
    let value: JSONValue
    do {
      value = startingAtZero ? self[pointer] ?? 0 : try self.value(at: pointer)
    } catch {
      throw .pointer(error)
    }
    guard case .number(let start) = value else { throw .notANumber(pointer, value.kind) }
    do { return try start.adding(number) } catch { throw .sumTooLong(pointer, error) }
  }

  /// What kind of value it is, as a message calls it.
  var kind: String {
    switch self {
    case .null: "null"
    case .bool: "a boolean"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}
