import HotReload
import StateJSON
import StoreCore
import TerminalScreen

extension Inspector {
  /// What happens to an inspector, as the reducer of its store.
  mutating func reduce(_ action: InspectorAction) {
    switch action {
    case .show(let document, let cause, let time): show(TreeDocument(document), cause, time)
    case .problem(.occurred(let problem)): problems[problem.code] = problem
    case .problem(.resolved(let code)):
      problems[code] = nil
      if code == .invalidJSON { excerpt = nil }
      keepCursor()
    case .excerpt(let excerpt):
      self.excerpt = excerpt
      keepCursor()
    case .notices(let notices): self.notices = notices
    case .tick(let moment): now = moment
    case .resize(let size):
      self.size = size
      position.row = min(position.row, treeRows - 1)
    case .edited(let edit, let way, let outcome): take(edit, way, outcome)
    case .move(let move): self.move(move)
    case .fold(let fold): self.fold(fold)
    case .click(let row): click(row)
    case .scroll(let lines): scroll(lines)
    case .enter: enter()
    case .leave: leave()
    case .back: back()
    case .follow:
      isFollowing.toggle()
      message = Message(text: isFollowing ? "following what changes; F stops" : "not following any more")
    case .say(let message): self.message = message
    case .keep(let value): clipboard = value
    case .mode(let mode): self.mode = mode
    case .prompt(let editor):
      guard case .prompting(var prompt) = mode else { return }
      prompt.editor = editor
      mode = .prompting(prompt)
    case .search(let search):
      self.search = search
      find(search, isNext: false)
    case .find(let search): find(search, isNext: true)
    case .filter(let text): filter(by: text)
    case .go(let pointer): go(to: pointer)
    case .versions(let moments):
      if timeline == nil { timeline = TimelinePane(moments) } else { timeline?.update(moments) }
      keepCursor()
    case .look(let moment, let document, let before):
      look(at: moment, TreeDocument(document), TreeDocument(before))
    case .choose(.by(let count)): timeline.map { timeline?.choose($0.chosen + count) }
    case .choose(.at(let index)): timeline?.choose(index)
    case .choose(.mark): timeline?.mark()
    case .present: goToPresent()
    case .closeTimeline:
      timeline = nil
      goToPresent()
      keepCursor()
    }
  }

  // MARK: - What comes from outside

  private mutating func show(_ document: TreeDocument, _ cause: Cause, _ time: String) {
    last = (cause, time)
    guard let old = self.document else {
      self.document = document
      position.folds = Folds(depth: document.read(\.readableDepth))
      setCursor { $0.path(to: $1.cursor, former: []).path }
      return
    }
    let (changes, place) = old.read { oldText in
      document.read { text in
        // Where large texts differ is found out once.
        let divergence = JSONDivergence(oldText.taped, text.taped)
        return (
          TreeChanges(divergence, from: oldText, to: text), position.relocated(divergence, from: oldText, to: text)
        )
      }
    }
    marks.add(changes, cause: cause, moment: now, time: time)
    self.document = document
    // Where somebody looks at an earlier version, that stays.
    if past != nil { return }
    position = place
    if let filter { self.filter = Filter(text: filter.text, found: found(filter.text)) }
    keepCursor()
    if isFollowing, let change = changes.all.first { reveal(change.place, keepsTrail: true) }
  }

  /// Takes the cursor, and all that is known of places, along into another version.
  private mutating func relocate(from old: TreeDocument, to new: TreeDocument) {
    position = old.read { old in
      new.read { new in position.relocated(JSONDivergence(old.taped, new.taped), from: old, to: new) }
    }
    keepCursor()
  }

  // MARK: - Versions

  private mutating func look(at moment: TimelinePane.Moment, _ document: TreeDocument, _ before: TreeDocument) {
    guard let former = shown else { return }
    var marks = Marks()
    marks.add(TreeChanges(from: before, to: document), cause: Cause(moment), moment: now, time: moment.time)
    past = Past(moment: moment, document: document, marks: marks)
    filter = nil
    relocate(from: former, to: document)
  }

  private mutating func goToPresent() {
    guard let past, let document else { return }
    self.past = nil
    filter = nil
    relocate(from: past.document, to: document)
  }

  /// Puts the cursor on a line that there is, with the screen as it is now.
  private mutating func keepCursor() { setCursor { $0.path(to: $1.cursor, former: $1.indices).path } }

  private mutating func take(_ edit: Edit, _ way: OwnEdits.Way, _ outcome: EditOutcome) {
    switch outcome {
    case .done:
      own.take(edit, way)
      // What is there goes on being looked at.
      switch edit.change {
      case .move(_, let target): look(at: target)
      case .add: look(at: edit.pointer)
      case .replace, .remove, .increment, .rewrite: break
      }
      message = Message(text: edit.story(way))
    case .movedOn:
      mode = .deciding(Conflict(edit: edit, way: way, theirs: standing(at: edit.target)))
    case .failed(let reason): message = Message(text: reason, isBad: true)
    }
  }

  /// What stands at a place that an edit meant.
  private func standing(at target: EditTarget) -> JSONValue? {
    guard let value = document?.document.value else { return nil }
    return target.pointer(in: value).flatMap { value[$0] }
  }

  // MARK: - The cursor

  /// Puts the cursor where a path leads, with its line where it is, or at another one of the screen.
  private mutating func setCursor(row: Int? = nil, _ path: (TreeText, Position) -> TreePath) {
    guard let tree else { return }
    tree.document.read { text in
      let path = tree.shownPath(path(text, position), text)
      position.cursor = text.place(of: path)
      position.indices = path.levels.map(\.index)
      let row = min(max(0, row ?? position.row), treeRows - 1)
      position.row = tree.paths(before: path, limit: row, text).count
    }
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

  private mutating func move(_ move: InspectorAction.Move) {
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

  private mutating func click(_ row: Int) {
    guard let tree, let path = read({ $1 }) else { return }
    let paths = tree.document.read { tree.paths(around: path, before: position.row, rows: treeRows, $0) }
    guard paths.indices.contains(row) else { return }
    if paths[row] == path { return fold(.toggle) }
    setCursor(row: row) { _, _ in paths[row] }
  }

  /// Moves the tree below the cursor, which goes along where it would leave the screen.
  private mutating func scroll(_ lines: Int) {
    guard let tree, let path = read({ $1 }) else { return }
    let row = position.row - lines
    if row < 0 {
      step(-row, tree, path)
      position.row = 0
    } else if row >= treeRows {
      step(treeRows - 1 - row, tree, path)
      setCursor(row: treeRows - 1) { $0.path(to: $1.cursor, former: $1.indices).path }
    } else {
      setCursor(row: row) { _, _ in path }
    }
  }

  // MARK: - Folds

  private mutating func fold(_ fold: InspectorAction.Fold) {
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
        text.items(of: level.container, 0..<text.count(of: level.container)).filter {
          text.isContainer(text.value(at: $0))
        }
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
  private mutating func enter() {
    guard position.cursor != position.root else { return }
    position.root = position.cursor
    position.folds.set(position.root, isOpen: true)
    position.row = 0
    setCursor(row: 0) { $0.path(to: $1.cursor, former: $1.indices).path }
  }

  /// What the first line is in becomes the first line.
  private mutating func leave() {
    guard let parent = position.root.parent else { return }
    position.root = parent
    position.folds.set(parent, isOpen: true)
    setCursor(row: treeRows / 3) { $0.path(to: $1.cursor, former: $1.indices).path }
  }

  private mutating func back() {
    guard let place = position.trail.popLast() else { return }
    reveal(place, keepsTrail: true)
  }

  // MARK: - Search

  private mutating func find(_ search: Search, isNext: Bool) {
    guard let document = shown, !search.text.isEmpty else { return }
    let found = document.read { text -> Place? in
      let path = text.path(to: position.cursor, former: position.indices).path
      let root = text.node(at: text.path(to: position.root, former: []).path)
      let (first, end) = (root, text.next(after: root))
      let node = text.node(at: path)
      let searching = TreeSearch(search.text)
      // What begins behind the cursor's own key and value, which are one line.
      let rest = min(end, text.isContainer(node) ? node + 2 : node + 1)
      let own = path.levels.last?.item ?? node
      func line(_ entry: Int) -> Place { text.place(of: text.path(toEntry: entry)) }
      if search.isBackward {
        let before = searching.entries(in: first..<max(first, own), text).last
        return (before ?? searching.entries(in: rest..<end, text).last).map(line)
      }
      let start = isNext ? rest : own
      let behind = searching.entries(in: start..<end, text, isEnough: true).first
      return (behind ?? searching.entries(in: first..<max(first, own), text, isEnough: true).first).map(line)
    }
    if let found {
      message = nil
      if found != position.cursor { reveal(found) }
    } else {
      message = Message(text: "not found: \(search.text)", isBad: true)
    }
  }

  private mutating func filter(by text: String) {
    guard !text.isEmpty else {
      filter = nil
      setCursor(row: treeRows / 3) { $0.path(to: $1.cursor, former: $1.indices).path }
      return
    }
    let found = found(text)
    guard !found.isEmpty else {
      message = Message(text: "not found: \(text)", isBad: true)
      return
    }
    filter = Filter(text: text, found: found)
    setCursor(row: treeRows / 3) { $0.path(to: $1.cursor, former: $1.indices).path }
  }

  private func found(_ text: String) -> [Int] {
    shown?.read { taped in
      let root = taped.node(at: taped.path(to: position.root, former: []).path)
      return TreeSearch(text).entries(in: root..<taped.next(after: root), taped)
    } ?? []
  }

  private mutating func look(at pointer: JSONPointer) {
    guard let place = document?.read({ $0.place(of: $0.path(along: pointer.tokens).path) }) else { return }
    reveal(place, keepsTrail: true)
  }

  private mutating func go(to pointer: JSONPointer) {
    guard let document = shown else { return }
    let (place, isWhole) = document.read { text in
      let (path, isWhole) = text.path(along: pointer.tokens)
      return (text.place(of: path), isWhole)
    }
    reveal(place)
    if !isWhole {
      let text = "'\(pointer)' leads nowhere; this is how far it leads"
      message = Message(text: text, isBad: true)
    }
  }
}

extension Position {
  /// Where somebody is in another version.
  fileprivate func relocated(_ divergence: JSONDivergence?, from old: TreeText, to new: TreeText) -> Position {
    var relocation = Relocation(divergence, from: old, to: new)
    var position = self
    position.root = relocation.place(root)
    position.cursor = relocation.place(cursor)
    position.trail = trail.map { relocation.place($0) }
    position.folds.relocate { relocation.place($0) }
    let shown = new.path(to: position.root, former: [])
    // What was looked at is gone, and so what it was in is.
    if !shown.isThere { position.root = new.place(of: shown.path) }
    return position
  }
}

extension TreeText {
  /// More lines than this nobody wants to begin with.
  private static let readable = 200

  /// How many levels can be open at first.
  fileprivate var readableDepth: Int {
    var (lines, depth) = (1, 0)
    var containers = isContainer(0) ? [0] : []
    while !containers.isEmpty {
      lines += containers.reduce(0) { $0 + count(of: $1) }
      // The first level always is.
      if lines > Self.readable { return max(1, depth) }
      containers = containers.flatMap { container in
        items(of: container, 0..<count(of: container)).map(value(at:)).filter(isContainer)
      }
      depth += 1
    }
    return max(1, depth)
  }
}

extension Edit {
  /// What was done, for who did it.
  fileprivate func story(_ way: OwnEdits.Way) -> String {
    let what =
      switch change {
      case .replace: "set \(pointer.tokens.isEmpty ? "the whole" : "\(pointer)")"
      case .add: "added \(pointer)"
      case .remove: "removed \(pointer)"
      case .increment(let number): "added \(number) to \(pointer)"
      case .move(_, let target): "moved \(pointer) to \(target)"
      case .rewrite: "changed \(pointer.tokens.isEmpty ? "the whole" : "\(pointer)")"
      }
    return switch way {
    case .first, .redo: "\(what); u takes it back"
    case .undo: "taken back: \(what); ^R does it again"
    }
  }
}

extension Cause {
  /// What made a version.
  fileprivate init(_ moment: TimelinePane.Moment) {
    switch moment.cause {
    case "edit": self = .edit
    case "device": self = .device(moment.author)
    case "restore": self = Cause(.restore, instance: moment.author)
    default: self = .instance(moment.author)
    }
  }
}
