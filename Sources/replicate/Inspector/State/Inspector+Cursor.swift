import StateJSON
import TerminalScreen

/// Where the cursor goes, and what is opened and closed.
extension Inspector {
  /// Puts the cursor where a path leads, with its line where it is, or at another one of the screen.
  mutating func setCursor(row: Int? = nil, _ path: (TreeText, Position) -> TreePath) {
    guard let tree else { return }
    tree.document.read { text in
      let path = tree.shownPath(path(text, position), text)
      position.cursor = text.place(of: path)
      position.indices = path.levels.map(\.index)
      let row = min(max(0, row ?? position.row), treeRows - 1)
      position.row = tree.paths(before: path, limit: row, text).count
    }
  }

  /// Puts the cursor on a line that there is, with the screen as it is now.
  mutating func keepCursor(row: Int? = nil) {
    setCursor(row: row) { $0.path(to: $1.cursor, former: $1.indices).path }
  }

  /// Puts the cursor at a place, and opens what that is in.
  mutating func reveal(_ place: Place, keepsTrail: Bool = false) {
    if !keepsTrail, place != position.cursor { position.trail.append(position.cursor) }
    if position.trail.count > 100 { position.trail.removeFirst() }
    if !place.isWithin(position.root) { position.root = .root }
    var parent = place.parent
    while let one = parent {
      position.folds.set(one, isOpen: true)
      parent = one.parent
    }
    guard let tree, let path = read({ $1 }) else { return }
    let row = tree.document.read { text in
      let target = text.path(to: place, former: []).path
      return tree.paths(around: path, before: position.row, rows: treeRows, text).firstIndex(of: target)
    }
    setCursor(row: row ?? treeRows / 3) { text, _ in text.path(to: place, former: []).path }
  }

  mutating func move(_ move: InspectorAction.Move) {
    guard let tree, let path = read({ $1 }) else { return }
    switch move {
    case .lines(let count): step(count, tree, path)
    case .pages(let halves):
      let lines = max(1, treeRows * abs(halves) / 2 - (abs(halves) == 2 ? 1 : 0))
      step(halves < 0 ? -lines : lines, tree, path, movesScreen: true)
    case .first: setCursor(row: 0) { text, _ in tree.rootPath(text) }
    case .last: setCursor(row: treeRows - 1) { text, _ in tree.lastPath(text) }
    case .parent:
      if path.depth > tree.rootDepth { goUp(to: path.parent, tree) }
    case .child:
      let next = tree.document.read { tree.path(after: path, $0) }
      if let next, next.depth > path.depth { setCursor(row: position.row + 1) { _, _ in next } }
    case .sibling(let count): sibling(tree, path) { $0 + count }
    case .firstSibling: sibling(tree, path) { _ in 0 }
    case .lastSibling: sibling(tree, path) { _ in .max }
    case .change:
      if let place = marks.newestPlace { reveal(place) } else { message = Message(text: "nothing has changed yet") }
    }
  }

  /// Moves by lines. At the edge of the screen the tree scrolls.
  private mutating func step(_ count: Int, _ tree: Tree, _ path: TreePath, movesScreen: Bool = false) {
    let (target, moved) = tree.document.read { text in
      if count < 0 {
        let before = tree.paths(before: path, limit: -count, text)
        return (before.last ?? path, -before.count)
      }
      var (target, moved) = (path, 0)
      while moved < count, let next = tree.path(after: target, text) { (target, moved) = (next, moved + 1) }
      return (target, moved)
    }
    setCursor(row: movesScreen ? position.row : position.row + moved) { _, _ in target }
  }

  private mutating func goUp(to parent: TreePath, _ tree: Tree) {
    let rows = tree.document.read { text in
      tree.paths(before: read { $1 } ?? .root, limit: treeRows, text).firstIndex(of: parent)
    }
    setCursor(row: rows.map { position.row - 1 - $0 }) { _, _ in parent }
  }

  private mutating func sibling(_ tree: Tree, _ path: TreePath, _ target: (Int) -> Int) {
    guard path.depth > tree.rootDepth, let level = path.levels.last else { return }
    setCursor { text, _ in
      let count = text.count(of: level.container)
      let wanted = target(level.index)
      let index = wanted == .max ? count - 1 : min(max(0, wanted), count - 1)
      return text.items(of: level.container, index..<index + 1).first.map { path.parent.appending($0) } ?? path
    }
  }

  mutating func click(_ row: Int) {
    guard let tree, let path = read({ $1 }) else { return }
    let paths = tree.document.read { tree.paths(around: path, before: position.row, rows: treeRows, $0) }
    guard paths.indices.contains(row) else { return }
    if paths[row] == path { return fold(.toggle) }
    setCursor(row: row) { _, _ in paths[row] }
  }

  /// Moves the tree below the cursor, which goes along where it would leave the screen.
  mutating func scroll(_ lines: Int) {
    guard let tree, let path = read({ $1 }) else { return }
    let row = position.row - lines
    if row < 0 {
      step(-row, tree, path)
      position.row = 0
    } else if row >= treeRows {
      step(treeRows - 1 - row, tree, path)
      keepCursor(row: treeRows - 1)
    } else {
      setCursor(row: row) { _, _ in path }
    }
  }

  // MARK: - Folds

  mutating func fold(_ fold: InspectorAction.Fold) {
    guard let tree, let path = read({ $1 }) else { return }
    let (place, isOpen, isContainer) = tree.document.read { text in
      let node = text.node(at: path)
      let place = text.place(of: path)
      return (place, tree.isOpen(path, text), text.isContainer(node) && text.count(of: node) > 0)
    }
    switch fold {
    case .open:
      if isContainer, !isOpen { position.folds.set(place, isOpen: true) } else { move(.child) }
    case .close:
      if isContainer, isOpen, place != position.root { position.folds.set(place, isOpen: false) } else { move(.parent) }
    case .toggle: if isContainer { position.folds.set(place, isOpen: !isOpen) }
    case .siblings(let isOpen):
      guard let level = path.levels.last, path.depth > tree.rootDepth else { return }
      let siblings = tree.document.read { text in
        text.items(of: level.container).filter { text.isContainer(text.value(at: $0)) }
          .map { text.place(of: path.parent.appending($0)) }
      }
      for sibling in siblings { position.folds.set(sibling, isOpen: isOpen) }
      setCursor { _, _ in path }
    case .depth(let depth):
      position.folds = Folds(depth: position.root.steps.count + depth)
      // What it was in may be closed now.
      setCursor { _, position in TreePath(levels: Array(path.levels.prefix(position.folds.depth))) }
    }
  }

  /// The cursor's value becomes the first line.
  mutating func enter() {
    guard position.cursor != position.root else { return }
    position.root = position.cursor
    position.folds.set(position.root, isOpen: true)
    position.row = 0
    keepCursor(row: 0)
  }

  /// What the first line is in becomes the first line.
  mutating func leave() {
    guard let parent = position.root.parent else { return }
    position.root = parent
    position.folds.set(parent, isOpen: true)
    keepCursor(row: treeRows / 3)
  }

  mutating func back() {
    guard let place = position.trail.popLast() else { return }
    reveal(place, keepsTrail: true)
  }
}
