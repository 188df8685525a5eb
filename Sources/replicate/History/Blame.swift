import HotReload
import StateJSON

/// Of each value of a document the version that set it.
///
/// It goes back from the newest version: what an operation put somewhere was set by its version; all else was there before, at the
/// place that it had then. So only what changed is looked at, and nothing is replayed.
struct Blame {
  struct Line: Equatable {
    let pointer: JSONPointer
    let value: JSONValue
    /// The version that set it, by its place in the history; `nil`: it was there before the first version that is known.
    let version: Int?
  }

  private var tree: BlameTree
  /// The index of the version that each leaf was set by.
  private var versions: [Int?]

  /// Of a value, by what each version changed, newest first, as far as that is known.
  init(_ value: JSONValue, changes: some Sequence<[ValueChange]>) {
    var count = 0
    tree = BlameTree(value) {
      defer { count += 1 }
      return .leaf(count)
    }
    versions = Array(repeating: nil, count: count)
    for (index, changes) in changes.enumerated() {
      for change in changes.reversed() {
        for leaf in tree.takeBack(change) { versions[leaf] = index }
      }
    }
  }

  /// The scalars and the empty containers of the value that it was made of, in its order.
  func lines(of value: JSONValue) -> [Line] {
    var lines: [Line] = []
    var leaf = 0
    collect(value, .root, &leaf, &lines)
    return lines
  }

  private func collect(_ value: JSONValue, _ pointer: JSONPointer, _ leaf: inout Int, _ lines: inout [Line]) {
    switch value {
    case .array(let elements) where !elements.isEmpty:
      for (index, element) in elements.enumerated() { collect(element, pointer.appending(index), &leaf, &lines) }
    case .object(let object) where !object.isEmpty:
      for member in object.members { collect(member.value, pointer.appending(member.key), &leaf, &lines) }
    default:
      lines.append(Line(pointer: pointer, value: value, version: versions[leaf]))
      leaf += 1
    }
  }
}

/// The shape of a document as it was at some version, with the leaves of the newest one where they were then.
private indirect enum BlameTree {
  /// A scalar, or an empty container, that isn't there any more.
  case gone
  case leaf(Int)
  case array([BlameTree])
  case object([String: BlameTree])

  /// The shape of a value, each of whose scalars and empty containers, in its order, becomes what is said.
  init(_ value: JSONValue, _ end: () -> BlameTree) {
    switch value {
    case .array(let elements) where !elements.isEmpty: self = .array(elements.map { BlameTree($0, end) })
    case .object(let object) where !object.isEmpty:
      self = .object(Dictionary(object.members.map { ($0.key, BlameTree($0.value, end)) }) { first, _ in first })
    default: self = end()
    }
  }

  /// The shape of a value that isn't there any more.
  private init(gone value: JSONValue) { self.init(value) { .gone } }

  /// Takes a change back; returns the leaves that it put where they were.
  mutating func takeBack(_ change: ValueChange) -> [Int] {
    let place = change.pointer.tokens[...]
    switch change.kind {
    case .added: return detach(place).leaves
    case .removed(let old): insert(BlameTree(gone: old), at: place)
    case .changed(let old, _):
      let set = detach(place).leaves
      insert(BlameTree(gone: old), at: place)
      return set
    case .moved(let from):
      let moved = detach(place)
      insert(moved, at: from.tokens[...])
    }
    return []
  }

  private var leaves: [Int] {
    switch self {
    case .gone: []
    case .leaf(let leaf): [leaf]
    case .array(let elements): elements.flatMap(\.leaves)
    case .object(let members): members.values.flatMap(\.leaves)
    }
  }

  /// Takes out what is at a place.
  private mutating func detach(_ tokens: ArraySlice<String>) -> BlameTree {
    guard let token = tokens.first else {
      defer { self = .gone }
      return self
    }
    switch self {
    case .array(var elements):
      guard let index = Int(token), elements.indices.contains(index) else { return .gone }
      self = .gone
      defer { self = .array(elements) }
      return tokens.count == 1 ? elements.remove(at: index) : elements[index].detach(tokens.dropFirst())
    case .object(var members):
      self = .gone
      defer { self = .object(members) }
      return tokens.count == 1
        ? members.removeValue(forKey: token) ?? .gone : members[token, default: .gone].detach(tokens.dropFirst())
    case .gone, .leaf: return .gone
    }
  }

  /// Puts something where it was.
  private mutating func insert(_ subtree: BlameTree, at tokens: ArraySlice<String>) {
    guard let token = tokens.first else { return self = subtree }
    switch self {
    case .array(var elements):
      guard let index = Int(token), index >= 0 else { return }
      self = .gone
      defer { self = .array(elements) }
      if tokens.count == 1 {
        elements.insert(subtree, at: min(index, elements.count))
      } else if index < elements.count {
        elements[index].insert(subtree, at: tokens.dropFirst())
      }
    case .object(var members):
      self = .gone
      defer { self = .object(members) }
      members[token, default: .gone].insert(subtree, at: tokens.dropFirst())
    case .gone, .leaf:
      // A container that was empty until something was put into it.
      self = Int(token) != nil ? .array([]) : .object([:])
      insert(subtree, at: tokens)
    }
  }
}
