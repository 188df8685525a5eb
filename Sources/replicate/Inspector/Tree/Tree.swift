import StateJSON

/// What of a document is shown as a tree: from which value on, what of it is open, and what of it is left out.
struct Tree: Sendable {
  var document: TreeDocument
  /// The value that is shown as the first line.
  var root = Place.root
  var folds: Folds
  /// The entries of the values that are looked for, ascending; of all others only those are shown that have one of them in them.
  var filtered: [Int]?

  /// How many steps there are to the first line.
  var rootDepth: Int { root.steps.count }

  /// Whether the items of a container are shown: those that somebody opened, and those that have what is looked for.
  func isOpen(_ path: TreePath, _ text: TreeText) -> Bool {
    let node = text.node(at: path)
    guard text.isContainer(node), text.count(of: node) > 0 else { return false }
    return hasFound(node + 1..<text.next(after: node)) || folds.isOpen(text.place(of: path))
  }

  /// Whether something that is looked for is among these entries.
  private func hasFound(_ entries: Range<Int>) -> Bool {
    guard let filtered else { return false }
    let index = filtered.firstIndex { $0 >= entries.lowerBound }
    return index < filtered.count && filtered[index] < entries.upperBound
  }

  /// Whether an item of a container is shown: all are in what is called as what is looked for.
  private func isShown(_ level: TreePath.Level, in container: TreePath, _ text: TreeText) -> Bool {
    filtered == nil || hasFound(level.item..<text.next(after: text.value(at: level)))
      || container.levels.contains { hasFound($0.item..<$0.item + 1) }
  }

  // MARK: - Lines

  /// The path of the line after one, if there is one.
  func path(after path: TreePath, _ text: TreeText) -> TreePath? {
    if isOpen(path, text), let child = firstShown(text.items(of: text.node(at: path), 0..<1).first, in: path, text) {
      return path.appending(child)
    }
    var path = path
    while path.depth > rootDepth, let level = path.levels.last {
      path = path.parent
      if let sibling = firstShown(text.item(after: level), in: path, text) { return path.appending(sibling) }
    }
    return nil
  }

  private func firstShown(
    _ level: TreePath.Level?, in container: TreePath, _ text: TreeText
  ) -> TreePath.Level? {
    var level = level
    while let one = level, !isShown(one, in: container, text) { level = text.item(after: one) }
    return level
  }

  /// The paths of the lines before one, the nearest first.
  func paths(before path: TreePath, limit: Int, _ text: TreeText) -> [TreePath] {
    var found: [TreePath] = []
    var path = path
    while found.count < limit, path.depth > rootDepth, let level = path.levels.last {
      path = path.parent
      for sibling in lastShown(in: path, before: level.index, limit - found.count, text) {
        appendReversed(path.appending(sibling), &found, limit, text)
        if found.count >= limit { return found }
      }
      found.append(path)
    }
    return found
  }

  /// The lines of a value, from the last to the first.
  private func appendReversed(_ path: TreePath, _ found: inout [TreePath], _ limit: Int, _ text: TreeText) {
    if isOpen(path, text) {
      for item in lastShown(in: path, before: .max, limit - found.count, text) {
        appendReversed(path.appending(item), &found, limit, text)
        if found.count >= limit { return }
      }
    }
    found.append(path)
  }

  /// The last items that are shown, the last first.
  private func lastShown(in path: TreePath, before end: Int, _ limit: Int, _ text: TreeText) -> [TreePath.Level] {
    let container = text.node(at: path)
    let end = min(end, text.count(of: container))
    if filtered == nil { return text.items(of: container, max(0, end - limit)..<end).reversed() }
    return text.items(of: container, 0..<end).filter { isShown($0, in: path, text) }.suffix(limit).reversed()
  }

  /// A line that is shown: that of a path, or the next one.
  func shownPath(_ path: TreePath, _ text: TreeText) -> TreePath {
    guard let filtered, let last = filtered.last else { return path }
    let isWholly = path.levels.indices.dropFirst(rootDepth).allSatisfy {
      isShown(path.levels[$0], in: TreePath(levels: Array(path.levels[..<$0])), text)
    }
    if isWholly { return path }
    let item = path.levels.last?.item ?? 0
    return text.path(toEntry: filtered.first { $0 >= item } ?? last)
  }

  /// The path of the last line.
  func lastPath(_ text: TreeText) -> TreePath {
    var path = rootPath(text)
    while isOpen(path, text) {
      guard let last = lastShown(in: path, before: .max, 1, text).first else { break }
      path = path.appending(last)
    }
    return path
  }

  /// The path of the first line.
  func rootPath(_ text: TreeText) -> TreePath { text.path(to: root, former: []).path }

  /// The lines around one: at most so many before it, and after those as many as there is room for, in order.
  func paths(around path: TreePath, before: Int, rows: Int, _ text: TreeText) -> [TreePath] {
    var paths = Array(paths(before: path, limit: before, text).reversed()) + [path]
    while paths.count < rows, let next = self.path(after: paths[paths.count - 1], text) { paths.append(next) }
    return paths
  }
}

extension [Int] {
  /// The index of the first one that is large enough, in an ascending array; else their number.
  fileprivate func firstIndex(_ isLargeEnough: (Int) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isLargeEnough(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
