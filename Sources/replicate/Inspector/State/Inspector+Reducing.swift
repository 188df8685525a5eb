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
      if timeline == nil || timeline?.recording != nil {
        timeline = TimelinePane(moments)
      } else {
        timeline?.update(moments)
      }
      keepCursor()
    case .recorded(let recording, let moments):
      timeline = TimelinePane(moments, of: recording)
      timeline?.choose(.at(.max))
      keepCursor()
    case .capture(let path): capture = path
    case .look(let moment, let document, let before):
      look(at: moment, TreeDocument(document), TreeDocument(before))
    case .choose(let choice): timeline?.choose(choice)
    case .play(.toggle): timeline?.play(now: now)
    case .play(.faster): timeline?.pace(isFaster: true)
    case .play(.slower): timeline?.pace(isFaster: false)
    case .play(.step): timeline?.step(now: now)
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
    marks.add(
      TreeChanges(from: before, to: document), cause: Cause(moment.cause, author: moment.author), moment: now,
      time: moment.time)
    past = Past(moment: moment, document: document, marks: marks)
    filter = nil
    relocate(from: former, to: document)
  }

  private mutating func goToPresent() {
    if timeline?.playing != nil { timeline?.play(now: now) }
    guard let past, let document else { return }
    self.past = nil
    filter = nil
    relocate(from: past.document, to: document)
  }

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
      mode = .deciding(Conflict(edit: edit, way: way, theirs: standing(at: edit.target)), then: mode.interrupted)
    case .failed(let reason): message = Message(text: reason, isBad: true)
    }
  }

  /// What stands at a place that an edit meant.
  private func standing(at target: EditTarget) -> JSONValue? {
    guard let value = document?.document.value else { return nil }
    return target.pointer(in: value).flatMap { value[$0] }
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
        items(of: container).map(value(at:)).filter(isContainer)
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
      case .replace: "set \(pointer.phrase)"
      case .add: "added \(pointer)"
      case .remove: "removed \(pointer)"
      case .increment(let number): "added \(number) to \(pointer)"
      case .move(_, let target): "moved \(pointer) to \(target)"
      case .rewrite: "changed \(pointer.phrase)"
      }
    return switch way {
    case .first, .redo: "\(what); u takes it back"
    case .undo: "taken back: \(what); ^R does it again"
    }
  }
}
