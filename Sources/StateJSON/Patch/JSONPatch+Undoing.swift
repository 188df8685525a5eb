extension JSONValue {
  /// Applies a patch in place, as ``apply(_:)`` does, and returns the patch that takes it back.
  ///
  /// Applied to the result, that patch gives a value equal to the old one; a member that comes back is the last of its
  /// object.
  ///
  /// - Complexity: That of ``apply(_:)``; what nobody else holds is changed in place.
  package mutating func applyUndoably(_ patch: JSONPatch) throws(JSONPatchError) -> JSONPatch {
    var undoing: [JSONPatch.Operation] = []
    var allowance = JSONPatch.CopyAllowance()
    for (index, operation) in patch.operations.enumerated() {
      do {
        let steps = steps(undoing: operation)
        try apply(operation, &allowance)
        undoing += steps.reversed()
      } catch {
        // What has just been done can be undone.
        for step in undoing.reversed() { try? apply(step) }
        throw JSONPatchError(error, operation: operation, index: index)
      }
    }
    return JSONPatch(undoing.reversed())
  }

  /// What takes an operation back that is about to be applied; anything where it will fail.
  private func steps(undoing operation: JSONPatch.Operation) -> [JSONPatch.Operation] {
    switch operation {
    case .add(_, let path), .copy(_, let path): undoAdding(at: path)
    case .remove(let path): self[path].map { [.add($0, at: path)] } ?? []
    case .replace(let path, _): self[path].map { [.replace(at: path, with: $0)] } ?? []
    case .move(let from, let path): undoMoving(from, to: path)
    case .test: []
    }
  }

  private func undoAdding(at path: JSONPointer) -> [JSONPatch.Operation] {
    guard let token = path.tokens.last else { return [.replace(at: path, with: self)] }
    let parent = JSONPointer(Array(path.tokens.dropLast()))
    switch self[parent] {
    case .array(let elements): return [.remove(at: parent.appending(JSONPointer.arrayIndex(token) ?? elements.count))]
    case .object(let object): return object[token].map { [.replace(at: path, with: $0)] } ?? [.remove(at: path)]
    default: return []
    }
  }

  private func undoMoving(_ from: JSONPointer, to path: JSONPointer) -> [JSONPatch.Operation] {
    guard from != path, let moved = self[from] else { return [] }
    var between = self
    // A move that fails here fails when it is applied, too, where that is reported.
    guard (try? between.remove(at: from)) != nil else { return [] }
    return between.undoAdding(at: path) + [.add(moved, at: from)]
  }
}
