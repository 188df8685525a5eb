import StateJSON

extension JSONPatch {
  /// What turns a value at a place of a document into another, either of which may be absent; paths from the root.
  ///
  /// Numbers that are only written in another way are left alone.
  package init(from old: JSONValue?, to new: JSONValue?, at pointer: JSONPointer) {
    switch (old, new) {
    case (nil, nil): self.init()
    case (nil, let new?): self.init([.add(new, at: pointer)])
    case (_?, nil): self.init([.remove(at: pointer)])
    case (let old?, let new?): self = JSONPatch(from: old, to: new, literals: false).moved(below: pointer)
    }
  }

  /// The patch for a document in which the patched value stands at `pointer`.
  private func moved(below pointer: JSONPointer) -> JSONPatch {
    func absolute(_ path: JSONPointer) -> JSONPointer { JSONPointer(pointer.tokens + path.tokens) }
    return JSONPatch(
      operations.map { operation in
        switch operation {
        case .add(let value, let path): .add(value, at: absolute(path))
        case .remove(let path): .remove(at: absolute(path))
        case .replace(let path, let value): .replace(at: absolute(path), with: value)
        case .move(let from, let path): .move(from: absolute(from), to: absolute(path))
        case .copy(let from, let path): .copy(from: absolute(from), to: absolute(path))
        case .test(let path, let value): .test(at: absolute(path), value)
        }
      })
  }
}
