import StateJSON
import TerminalScreen

/// What the keys do, which depends on what one is about.
enum Keymap {
  /// A key as it is meant: who presses Escape and at once another key sends what the alternate key would.
  static func keys(in key: Key) -> [Key] {
    guard case .alternate(let character) = key, !["j", "k"].contains(character) else { return [key] }
    return [.escape, .character(character)]
  }

  /// What is to be done for a key, one after another; nothing for one that means nothing here.
  static func commands(for key: Key, _ inspector: Inspector) -> [Command] {
    if key == .control("l") { return [.redraw] }
    switch inspector.mode {
    case .browsing: return [.dispatch(.say(nil))] + browsing(key, inspector)
    case .timeline: return [.dispatch(.say(nil))] + TimelineKeys.commands(for: key, inspector)
    case .prompting(let prompt): return prompting(key, prompt, inspector)
    case .deciding(let conflict, let next): return deciding(key, conflict, then: next)
    case .correcting(let draft): return correcting(key, draft)
    case .reading(var reading):
      guard let first = paging(key, first: reading.first, inspector) else {
        let isOfVersions = reading.isDifference && inspector.timeline != nil
        return [.dispatch(.mode(isOfVersions ? .timeline : .browsing))]
      }
      reading.first = first
      return [.dispatch(.mode(.reading(reading)))]
    case .help(let first):
      return [.dispatch(.mode(paging(key, first: first, inspector).map { .help(first: $0) } ?? .browsing))]
    }
  }

  // MARK: - Browsing

  private static func browsing(_ key: Key, _ inspector: Inspector) -> [Command] {
    if let action = moving(key) ?? folding(key) { return [.dispatch(action)] }
    if let commands = looking(key, inspector) ?? TimelineKeys.inTree(key, inspector) { return commands }
    guard let commands = Editing.commands(for: key, inspector) else { return [] }
    guard let past = inspector.past else { return commands }
    return [
      .say("this is how it was at \(past.moment.time): r brings it back, R this part of it, Esc goes back", isBad: true)
    ]
  }

  private static func moving(_ key: Key) -> InspectorAction? {
    switch key {
    case .down, .character("j"), .control("n"): .move(.lines(1))
    case .up, .character("k"), .control("p"): .move(.lines(-1))
    case .pageDown, .control("f"), .character("f"): .move(.pages(halves: 2))
    case .pageUp, .control("b"), .character("b"): .move(.pages(halves: -2))
    case .control("d"): .move(.pages(halves: 1))
    case .control("u"): .move(.pages(halves: -1))
    case .home, .character("g"): .move(.first)
    case .end, .character("G"): .move(.last)
    case .character("J"): .move(.sibling(1))
    case .character("K"): .move(.sibling(-1))
    case .character("^"): .move(.firstSibling)
    case .character("$"): .move(.lastSibling)
    case .character("H"): .move(.parent)
    case .character("."): .move(.change)
    case .control("e"): .scroll(1)
    case .control("y"): .scroll(-1)
    case .mouse(.wheelDown, _, _): .scroll(3)
    case .mouse(.wheelUp, _, _): .scroll(-3)
    case .mouse(.press, _, let row): .click(row: row - 1)
    case .control("o"): .back
    default: nil
    }
  }

  private static func folding(_ key: Key) -> InspectorAction? {
    switch key {
    case .right, .character("l"): .fold(.open)
    case .left, .character("h"): .fold(.close)
    case .character(" "): .fold(.toggle)
    case .character("["): .fold(.siblings(isOpen: false))
    case .character("]"): .fold(.siblings(isOpen: true))
    case .character(let digit) where ("1"..."9").contains(digit): .fold(.depth(Int(String(digit)) ?? 1))
    case .character("0"): .fold(.depth(99))
    case .character(">"): .enter
    case .character("<"): .leave
    default: nil
    }
  }

  private static func looking(_ key: Key, _ inspector: Inspector) -> [Command]? {
    switch key {
    case .character("q"): return [.quit]
    case .character("?"), .control("_"): return [.dispatch(.mode(.help(first: 0)))]
    case .character("/"): return Editing.prompt(.search(isBackward: false))
    case .character("&"): return Editing.prompt(.filter, inspector.filter?.text ?? "")
    case .character(":"): return Editing.prompt(.go, "\(inspector.pointer)")
    case .character("n"), .character("N"):
      guard var search = inspector.search else { return [.say("nothing was searched for: / does", isBad: true)] }
      if key == .character("N") { search.isBackward.toggle() }
      return [.dispatch(.find(search))]
    case .character("F"): return [.dispatch(.follow)]
    case .character("v"):
      guard let value = inspector.value else { return [] }
      return [.dispatch(.mode(.reading(Inspector.Reading(title: inspector.title, text: value.plainText))))]
    case .character("y"): return [.copy("\(inspector.pointer)", name: "the pointer")]
    case .character("Y"): return [.copy(inspector.pointer.dotted, name: "the path")]
    case .character("c"):
      guard let value = inspector.value else { return [] }
      return [.dispatch(.keep(value)), .copy(value.plainText, name: "the value")]
    case .escape:
      if inspector.past != nil { return [.dispatch(.present)] }
      if inspector.filter != nil { return [.dispatch(.filter(""))] }
      if inspector.position.root != .root { return [.dispatch(.leave)] }
      return inspector.timeline == nil ? [] : [.dispatch(.closeTimeline)]
    default: return nil
    }
  }

  // MARK: - Texts

  /// The first line after a key; `nil` if it ends the reading.
  private static func paging(_ key: Key, first: Int, _ inspector: Inspector) -> Int? {
    let page = max(1, inspector.size.rows - 2)
    switch key {
    case .character("q"), .escape, .enter, .character("?"), .character("v"): return nil
    case .down, .character("j"): return first + 1
    case .up, .character("k"): return max(0, first - 1)
    case .mouse(.wheelDown, _, _): return first + 3
    case .mouse(.wheelUp, _, _): return max(0, first - 3)
    case .pageDown, .character(" "), .character("f"), .control("f"): return first + page
    case .pageUp, .character("b"), .control("b"): return max(0, first - page)
    case .home, .character("g"): return 0
    case .end, .character("G"): return .max / 2
    default: return first
    }
  }

  // MARK: - Prompts

  private static func prompting(_ key: Key, _ prompt: Prompt, _ inspector: Inspector) -> [Command] {
    let isOfVersions = prompt.purpose.isOfVersions && inspector.timeline != nil
    let end = Command.dispatch(.mode(isOfVersions ? .timeline : .browsing))
    switch key {
    case .escape, .control("g"): return [end]
    case .backspace where prompt.editor.text.isEmpty: return [end]
    case .tab where prompt.purpose == .go:
      guard let completed = inspector.completion(of: prompt.editor.string) else { return [] }
      return [.dispatch(.prompt(LineEditor(completed)))]
    case .enter:
      // What is wrong is in sight already.
      return prompt.complaint == nil ? [end] + finish(prompt, inspector) : []
    default:
      var editor = prompt.editor
      guard editor.press(key) else { return [] }
      return [.dispatch(.prompt(editor))]
    }
  }

  private static func finish(_ prompt: Prompt, _ inspector: Inspector) -> [Command] {
    let text = prompt.editor.string
    switch prompt.purpose {
    case .search(let isBackward):
      let text = text.isEmpty ? inspector.search?.text ?? "" : text
      return [.dispatch(.search(Inspector.Search(text: text, isBackward: isBackward)))]
    case .filter: return [.dispatch(.filter(text))]
    case .go:
      // Checked while it was typed.
      return ((try? JSONPointer(typed: text)).map { [.dispatch(.go($0))] }) ?? []
    case .edit, .append: return Editing.finish(prompt, inspector)
    case .capture(let moment): return text.isEmpty ? [] : [.startCapture(text, from: moment)]
    case .open: return text.isEmpty ? [] : [.openRecording(text)]
    }
  }

  // MARK: - Conflicts

  private static func correcting(_ key: Key, _ draft: Draft) -> [Command] {
    switch key {
    case .character("e"), .character("E"), .enter: [.dispatch(.mode(.browsing)), .open(draft)]
    case .character("d"), .escape: [.dispatch(.mode(.browsing)), .say("the text was dropped; nothing was changed")]
    default: []
    }
  }

  private static func deciding(_ key: Key, _ conflict: Conflict, then next: Inspector.Mode) -> [Command] {
    let end = Command.dispatch(.mode(next))
    switch key {
    case .character("m"):
      guard let edit = conflict.insisting else { return [end, .say("there is nothing to be done any more")] }
      return [end, .commit(edit, .first)]
    case .character("t"), .escape: return [end, .say("left as it is now")]
    case .character("e"):
      guard let mine = conflict.mine, let theirs = conflict.theirs, next == .browsing else { return [] }
      return Editing.prompt(.edit(conflict.edit.target, old: theirs), "\(mine)")
    default: return []
    }
  }
}

extension Inspector {
  /// Where the cursor is, for people.
  var title: String {
    let pointer = pointer
    return pointer.tokens.isEmpty ? file : "\(pointer)"
  }
}

extension JSONValue {
  /// The value as a text for reading, and for other programs: what a string says, or pretty JSON.
  fileprivate var plainText: String {
    if case .string(let string) = self { return string }
    return String(decoding: bytes(format: .pretty), as: UTF8.self)
  }
}
