/// A list of changes to a JSON value, as in RFC 6902.
///
///     var state: JSONValue = ["n": 1]
///     let n = JSONPointer(["n"])
///     try state.apply(JSONPatch([.test(at: n, 1), .replace(at: n, with: 2)]))
public struct JSONPatch: Sendable, Equatable {
  /// One change.
  public enum Operation: Sendable, Equatable {
    /// Adds or replaces a member, or inserts before an element; at `-` appends.
    case add(JSONValue, at: JSONPointer)
    /// Removes a member or an element, which must be there.
    case remove(at: JSONPointer)
    /// Replaces a member or an element, which must be there.
    case replace(at: JSONPointer, with: JSONValue)
    /// Removes a value, which must be there, and adds it elsewhere.
    case move(from: JSONPointer, to: JSONPointer)
    /// Adds what is at one place, where something must be, at another too.
    case copy(from: JSONPointer, to: JSONPointer)
    /// Fails unless the value there is equal, as ``JSONValue`` compares.
    case test(at: JSONPointer, JSONValue)
  }

  /// Applied in this order, each to the result of those before it.
  public var operations: [Operation]

  /// Makes a patch of operations, in their order.
  public init(_ operations: [Operation] = []) { self.operations = operations }

  /// Whether it has no operations.
  public var isEmpty: Bool { operations.isEmpty }
}

extension JSONPatch.Operation {
  /// The name that stands in `op`.
  public var name: String { "\(staticName)" }

  var staticName: StaticString {
    switch self {
    case .add: "add"
    case .remove: "remove"
    case .replace: "replace"
    case .move: "move"
    case .copy: "copy"
    case .test: "test"
    }
  }

  /// Where it takes effect: its `path`.
  public var path: JSONPointer {
    switch self {
    case .add(_, let path), .remove(let path), .replace(let path, _), .move(_, let path), .copy(_, let path),
      .test(let path, _):
      path
    }
  }
}

extension JSONValue {
  /// Applies a patch in place: all of it, or nothing.
  ///
  /// - Throws: The first operation that fails, with its place in the patch, such as
  ///   `operation 3 (test '/a'): the value is 2, not 1`. This value is then what it was. Copies that come to more than
  ///   ``JSONPatch/copyLimit`` fail, too.
  /// - Complexity: Copies each container on the way to a change once, and nothing else.
  public mutating func apply(_ patch: JSONPatch) throws(JSONPatchError) {
    self = try applying(patch)
  }

  /// This value with a patch applied.
  public func applying(_ patch: JSONPatch) throws(JSONPatchError) -> JSONValue {
    var result = self
    var allowance = JSONPatch.CopyAllowance()
    for (index, operation) in patch.operations.enumerated() {
      do {
        try result.apply(operation, &allowance)
      } catch {
        throw JSONPatchError(error, operation: operation, index: index)
      }
    }
    return result
  }

  /// Applies one operation in place; one that fails leaves the value as it was.
  mutating func apply(_ operation: JSONPatch.Operation) throws(JSONPatchError.Reason) {
    var allowance = JSONPatch.CopyAllowance()
    try apply(operation, &allowance)
  }

  /// Applies one operation of a patch in place; one that fails leaves the value as it was.
  mutating func apply(
    _ operation: JSONPatch.Operation, _ allowance: inout JSONPatch.CopyAllowance
  ) throws(JSONPatchError.Reason) {
    do {
      switch operation {
      case .add(let value, let path): try insert(value, at: path)
      case .remove(let path): try remove(at: path)
      case .replace(let path, let value): try replace(at: path, with: value)
      case .move(let from, let path): try move(from: from, to: path)
      case .copy(let from, let path):
        let copy = try value(at: from)
        try allowance.take(copy)
        try relocate(copy, from: from, to: path)
      case .test(let path, let expected):
        let value = try value(at: path)
        guard value == expected else { throw JSONPatchError.Reason.testFailed(found: value, expected: expected) }
      }
    } catch let error as JSONPointerError {
      throw .pointer(error)
    } catch let error as JSONPatchError.Reason {
      throw error
    } catch {
      preconditionFailure("no other error can be thrown here: \(error)")
    }
  }

  private mutating func move(from: JSONPointer, to path: JSONPointer) throws {
    let moved = try value(at: from)
    guard from != path else { return }
    guard !from.isPrefix(of: path) else { throw JSONPatchError.Reason.moveIntoItself(from) }
    try remove(at: from)
    do {
      try relocate(moved, from: from, to: path)
    } catch {
      try place(moved, at: from, inserting: true)
      throw error
    }
  }

  /// Puts a value from elsewhere in this one at a pointer; only going deeper could make it too deep.
  private mutating func relocate(
    _ value: JSONValue, from: JSONPointer, to path: JSONPointer
  ) throws(JSONPointerError) {
    if path.tokens.count > from.tokens.count { try checkDepth(of: value, at: path) }
    try place(value, at: path, inserting: true)
  }
}
