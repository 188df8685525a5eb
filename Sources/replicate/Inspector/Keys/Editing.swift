import StateJSON
import TerminalScreen

/// The keys that change the document.
enum Editing {
  /// What such a key leads to; `nil` for one that changes nothing.
  static func commands(for key: Key, _ inspector: Inspector) -> [Command]? {
    guard let value = inspector.value else { return nil }
    let target = inspector.target
    switch key {
    case .character("e"), .enter: return edit(value, target, isEnter: key == .enter)
    case .character("E"): return [.open(Draft(value, at: target))]
    case .character("t"):
      guard case .bool(let bool) = value else {
        return [.say("\(inspector.title) is \(value.kind), not a boolean", isBad: true)]
      }
      return [.commit(Edit(target, .replace(value, with: .bool(!bool))), .first)]
    case .character("+"), .character("="), .control("a"): return increment(by: 1, value, target, inspector)
    case .character("-"), .control("x"): return increment(by: -1, value, target, inspector)
    case .character("a"): return append(value, target, inspector)
    case .character("x"), .delete:
      guard !target.pointer.tokens.isEmpty else { return [.say("the root can't be removed", isBad: true)] }
      return [.dispatch(.keep(value)), .commit(Edit(target, .remove(value)), .first)]
    case .character("p"), .character("P"): return paste(after: key == .character("p"), target, inspector)
    case .paste(let text): return pasteText(text, target, value)
    case .character("{"), .alternate("k"): return move(by: -1, value, target, inspector)
    case .character("}"), .alternate("j"): return move(by: 1, value, target, inspector)
    case .character("u"):
      guard let edit = inspector.own.done.last else { return [.say("nothing was changed here", isBad: true)] }
      return [.commit(edit.inverse, .undo)]
    case .control("r"):
      guard let edit = inspector.own.undone.last else { return [.say("nothing was taken back", isBad: true)] }
      return [.commit(edit, .redo)]
    default: return nil
    }
  }

  static func prompt(_ purpose: Prompt.Purpose, _ text: String = "") -> [Command] {
    [.dispatch(.mode(.prompting(Prompt(purpose: purpose, editor: LineEditor(text)))))]
  }

  /// A scalar in a line, what is larger in the editor. Enter opens and closes that.
  private static func edit(_ value: JSONValue, _ target: EditTarget, isEnter: Bool) -> [Command] {
    switch value {
    case .array(let elements) where !elements.isEmpty:
      return isEnter ? [.dispatch(.fold(.toggle))] : [.open(Draft(value, at: target))]
    case .object(let object) where !object.isEmpty:
      return isEnter ? [.dispatch(.fold(.toggle))] : [.open(Draft(value, at: target))]
    default: return prompt(.edit(target, old: value), "\(value)")
    }
  }

  private static func increment(
    by number: Int, _ value: JSONValue, _ target: EditTarget, _ inspector: Inspector
  ) -> [Command] {
    guard case .number = value else { return [.say("\(inspector.title) is \(value.kind), not a number", isBad: true)] }
    return [.commit(Edit(target, .increment(JSONNumber(number))), .first)]
  }

  /// To the array or the object that the cursor is on, else to the one that it is in.
  private static func append(_ value: JSONValue, _ target: EditTarget, _ inspector: Inspector) -> [Command] {
    switch value {
    case .array: return prompt(.append(target, isObject: false))
    case .object: return prompt(.append(target, isObject: true), "\"\": null")
    default:
      let parent = target.parent
      guard !target.pointer.tokens.isEmpty, let container = inspector.document?[parent.pointer] else {
        return [.say("\(inspector.title) is \(value.kind); nothing can be added to it", isBad: true)]
      }
      return append(container, parent, inspector)
    }
  }

  /// What was kept, as the next element, or as another member.
  private static func paste(after: Bool, _ target: EditTarget, _ inspector: Inspector) -> [Command] {
    guard let value = inspector.clipboard else { return [.say("nothing was copied: c does", isBad: true)] }
    guard let document = inspector.document, let token = target.pointer.tokens.last else {
      return [.say("nothing can stand beside the root", isBad: true)]
    }
    let parent = target.parent
    switch document[parent.pointer] {
    case .array?:
      let index = (Int(token) ?? 0) + (after ? 1 : 0)
      return [.commit(Edit(parent.appending(String(index)), .add(value)), .first)]
    default: return prompt(.append(parent, isObject: true), "\(JSONValue.string(token + " copy")): \(value)")
    }
  }

  /// A text that was pasted into the terminal: JSON takes the place of the value, to be looked at first.
  private static func pasteText(_ text: String, _ target: EditTarget, _ value: JSONValue) -> [Command] {
    prompt(.edit(target, old: value), text.filter { !$0.isNewline })
  }

  private static func move(
    by distance: Int, _ value: JSONValue, _ target: EditTarget, _ inspector: Inspector
  ) -> [Command] {
    let parent = target.parent
    guard let token = target.pointer.tokens.last, case .array(let elements)? = inspector.document?[parent.pointer],
      let index = Int(token)
    else { return [.say("only elements of an array can be moved", isBad: true)] }
    guard elements.indices.contains(index + distance) else { return [] }
    let edit = Edit(target, .move(value, to: parent.pointer.appending(index + distance)))
    return [.commit(edit, .first)]
  }

  // MARK: - What was typed

  /// The commit of a prompt whose text is right.
  static func finish(_ prompt: Prompt, _ inspector: Inspector) -> [Command] {
    do {
      switch prompt.purpose {
      case .edit(let target, let old):
        let new = try JSONValue(parsing: prompt.editor.string)
        if new == old, "\(new)" == "\(old)" { return [] }
        return [.commit(Edit(target, .replace(old, with: new)), .first)]
      case .append(let target, let isObject):
        let addition = try prompt.addition(isObject: isObject)
        let count = inspector.document?.count(at: target.pointer) ?? 0
        let place = target.appending(addition.key ?? String(count))
        return [.commit(Edit(place, .add(addition.value)), .first)]
      case .search, .filter, .go, .capture, .open: return []
      }
    } catch {
      return [.say("\(error)", isBad: true)]
    }
  }
}
