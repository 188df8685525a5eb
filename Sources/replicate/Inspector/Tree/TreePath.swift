import StateJSON

/// A value in one version of a document: where its text stands, and what it is in, from the root on.
struct TreePath: Equatable, Sendable {
  /// An item of an array or an object.
  struct Level: Equatable, Sendable {
    var container: Int
    var index: Int
    /// The element's entry, or that of the key.
    var item: Int
  }

  var levels: [Level] = []

  static let root = TreePath()

  var depth: Int { levels.count }

  /// What the value is in; the root is in itself.
  var parent: TreePath { TreePath(levels: Array(levels.dropLast())) }

  func appending(_ level: Level) -> TreePath { TreePath(levels: levels + [level]) }
}

extension TreeText {
  /// The value at a level.
  func value(at level: TreePath.Level) -> Int { isObject(level.container) ? level.item + 1 : level.item }

  /// The entry of a path's value.
  func node(at path: TreePath) -> Int { path.levels.last.map(value(at:)) ?? 0 }

  /// The key under which a path's value stands in an object.
  func key(at path: TreePath) -> Int? {
    path.levels.last.flatMap { isObject($0.container) ? $0.item : nil }
  }

  /// The item after one, if there is one.
  func item(after level: TreePath.Level) -> TreePath.Level? {
    guard level.index + 1 < count(of: level.container) else { return nil }
    return TreePath.Level(container: level.container, index: level.index + 1, item: next(after: value(at: level)))
  }

  // MARK: - Places and pointers

  /// What tells an element of an array from the others, if it says so.
  func identity(of element: Int) -> ElementIdentity? {
    guard isContainer(element), isObject(element) else { return nil }
    return ElementIdentity.usualKeys.lazy.compactMap { identity(of: element, by: $0) }.first
  }

  /// The same of what stands at a level; a member has none.
  func identity(of value: Int, in level: TreePath.Level) -> ElementIdentity? {
    isObject(level.container) ? nil : identity(of: value)
  }

  func step(at level: TreePath.Level) -> Place.Step {
    if isObject(level.container) { return .member(ScalarString(string(at: level.item))) }
    return identity(of: level.item).map { .element($0) } ?? .index(level.index)
  }

  func place(of path: TreePath) -> Place { Place(steps: path.levels.map(step(at:))) }

  func pointer(of path: TreePath) -> JSONPointer {
    JSONPointer(path.levels.map { isObject($0.container) ? string(at: $0.item) : String($0.index) })
  }

  /// The path that the tokens of a pointer lead along, as far as they lead.
  func path(along tokens: [String]) -> (path: TreePath, isWhole: Bool) {
    var path = TreePath.root
    for token in tokens {
      let container = node(at: path)
      guard isContainer(container), let level = level(at: token, in: container) else { return (path, false) }
      path = path.appending(level)
    }
    return (path, true)
  }

  /// The entry of what a pointer leads to; `nil` if it leads nowhere.
  func node(at pointer: JSONPointer) -> Int? {
    let (path, isWhole) = path(along: pointer.tokens)
    return isWhole ? node(at: path) : nil
  }

  private func level(at token: String, in container: Int) -> TreePath.Level? {
    if isObject(container) { return level(of: .member(ScalarString(token)), in: container) }
    return Int(token).flatMap { "\($0)" == token && $0 >= 0 ? items(of: container, $0..<$0 + 1).first : nil }
  }

  /// Where a place is in this version, or the nearest one, where there is nothing any more.
  ///
  /// The indices are those that led there in another version. An element that says who it is stands at the same index most likely;
  /// and where there is nothing any more, what stands at the same index is the nearest.
  func path(to place: Place, former: [Int]) -> (path: TreePath, isThere: Bool) {
    var path = TreePath.root
    for (depth, step) in place.steps.enumerated() {
      let container = node(at: path)
      guard isContainer(container) else { return (path, false) }
      let hint = depth < former.count ? former[depth] : 0
      if let level = level(of: step, in: container, hint: hint) {
        path = path.appending(level)
        continue
      }
      let last = count(of: container) - 1
      guard last >= 0 else { return (path, false) }
      let nearest = min(hint, last)
      return (path.appending(items(of: container, nearest..<nearest + 1)[0]), false)
    }
    return (path, true)
  }

  /// The item that a step leads to, if it leads to one. The hint is its index, most likely.
  func level(of step: Place.Step, in container: Int, hint: Int = 0) -> TreePath.Level? {
    if case .index(let index) = step {
      return isObject(container) ? nil : items(of: container, index..<index + 1).first
    }
    if let level = items(of: container, hint..<hint + 1).first, self.step(at: level) == step { return level }
    var level = items(of: container, 0..<1).first
    while let one = level, self.step(at: one) != step { level = item(after: one) }
    return level
  }
}
