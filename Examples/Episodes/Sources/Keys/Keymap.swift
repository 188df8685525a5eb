import StoreCore
import TerminalScreen

/// What a key leads to.
enum Command: Sendable, Equatable {
  case dispatch(InterfaceAction)
  /// Posts what is in the draft.
  case post(Draft)
  case travel(Timeline.Move)
  case quit

  static func app(_ action: AppAction) -> Command { .dispatch(.app(action)) }
}

/// What the keys do, which depends on where one is.
enum Keymap {
  struct Help {
    let key: String
    let meaning: String

    init(_ key: String, _ meaning: String) { (self.key, self.meaning) = (key, meaning) }
  }

  typealias State = NodeState<App, Interface>

  /// What is to be done for a key, one after another; nothing for one that means nothing here.
  static func commands(for key: Key, _ state: State, _ timeline: Timeline? = nil) -> [Command] {
    if let timeline { return travelling(key, timeline) }
    if state.parent.search.isOpen && state.place == .list { return searching(key, state) }
    return switch state.place {
    case .list: list(key, state)
    case .filter: filter(key, state)
    case .episode(let id): episode(key, id, state)
    case .rating(let id): rating(key, id)
    case .comments(let id): comments(key, id, state)
    case .writing: writing(key, state)
    }
  }

  /// The keys worth knowing, and first those that one wouldn't guess.
  static func help(_ state: State, isTravelling: Bool = false) -> [Help] {
    if isTravelling {
      return [Help("↑↓", "travel"), Help("space", "skip"), Help("esc", "go on from here"), Help("c", "keep")]
        + [Help("0", "back to the beginning")]
    }
    if state.parent.search.isOpen && state.place == .list {
      return [Help("⏎", "search"), Help("esc", "forget it")]
    }
    return switch state.place {
    case .list:
      [Help("⏎", "open"), Help("/", "search"), Help("f", "filter"), Help("w", "watched"), Help("q", "quit")]
        + [Help("r", "load"), Help("↑↓", "choose")]
    case .filter:
      [Help("⏎", "switch"), Help("←→", "less, more"), Help("0", "reset"), Help("esc", "close"), Help("↑↓", "choose")]
    case .episode:
      [Help("s", "rate"), Help("c", "comments"), Help("w", "watched"), Help("h", "♥"), Help("esc", "back")]
    case .rating: [Help("←→", "half a point"), Help("1…9", "points"), Help("0", "none"), Help("esc", "close")]
    case .comments:
      [Help("c", "comment"), Help("a", "answer"), Help("l", "like"), Help("esc", "back"), Help("↑↓", "choose")]
    case .writing: [Help("⏎", "post"), Help("esc", "later")]
    }
  }
}
