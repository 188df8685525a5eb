import StoreRouting
import TerminalScreen

extension Keymap {
  static func list(_ key: Key, _ state: State) -> [Command] {
    let visible = visibleEpisodes(state.parent)
    let chosen = state.chosenEpisode
    switch key {
    case .up, .character("k"):
      return step(visible, from: chosen?.id, by: -1).map { [.dispatch(.chooseEpisode($0))] } ?? []
    case .down, .character("j"):
      return step(visible, from: chosen?.id, by: 1).map { [.dispatch(.chooseEpisode($0))] } ?? []
    case .enter, .right: return chosen.map { [go(from: .list, to: .episode($0.id), state)] } ?? []
    case .character("w"): return chosen.map { [watched($0)] } ?? []
    case .character("/"): return [.app(.search(.open))]
    case .escape: return state.parent.search.query.isEmpty ? [] : [.app(.search(.cancel))]
    case .character("f"): return [.app(.route(.push("/filter")))]
    case .character("r"): return [.app(.loading(.retry)), .app(.loading(.want(.episodes)))]
    default: return anywhere(key)
    }
  }

  static func searching(_ key: Key, _ state: State) -> [Command] {
    let text = state.searchText
    switch key {
    case .character(let character): return [type(text + String(character), state)]
    case .backspace: return text.isEmpty ? [] : [type(String(text.dropLast()), state)]
    case .enter: return [.app(.search(.submit(text)))]
    case .escape: return [.app(.search(.cancel))]
    default: return []
    }
  }

  static func filter(_ key: Key, _ state: State) -> [Command] {
    let rows = FilterRow.rows(of: state.parent)
    let index = min(state.local.filterRow, rows.count - 1)
    switch key {
    case .up, .character("k"): return [.dispatch(.chooseFilter(row: max(0, index - 1)))]
    case .down, .character("j"): return [.dispatch(.chooseFilter(row: min(rows.count - 1, index + 1)))]
    case .enter, .character(" "), .left, .right: return set(rows[index], key, state.parent.search.filter)
    case .character("0"): return [.app(.search(.filter(.reset)))]
    case .escape, .character("f"): return [.app(.route(.pop("/filter")))]
    default: return anywhere(key)
    }
  }

  static func episode(_ key: Key, _ id: Episode.ID, _ state: State) -> [Command] {
    switch key {
    case .character("s"), .enter: return [.app(.route(.push("/rate")))]
    case .character("c"), .right: return [.app(.route(.push("/comments")))]
    case .character("w"): return state.parent.episodes[id: id].map { [watched($0)] } ?? []
    case .character("h"):
      return state.parent.details[id].map { [.app(.details(.favourite(id, !$0.isFavourite)))] } ?? []
    case .escape, .left: return [.dispatch(.chooseEpisode(id)), go(from: .episode(id), to: .list, state)]
    default: return anywhere(key)
    }
  }

  static func rating(_ key: Key, _ id: Episode.ID) -> [Command] {
    switch key {
    case .left: return [.app(.episodes(.episode(id, .adjustRating(by: -0.5))))]
    case .right: return [.app(.episodes(.episode(id, .adjustRating(by: 0.5))))]
    case .character("0"): return [.app(.episodes(.episode(id, .clearRating)))]
    case .enter, .escape, .character("s"): return [.app(.route(.pop("/rate")))]
    case .character(let character):
      guard let points = character.wholeNumberValue, character.isASCII else { return anywhere(key) }
      return [.app(.episodes(.episode(id, .rate(Double(points)))))]
    default: return anywhere(key)
    }
  }

  static func comments(_ key: Key, _ id: Episode.ID, _ state: State) -> [Command] {
    let chosen = state.chosenComment
    switch key {
    case .up, .character("k"):
      return step(state.comments, from: chosen?.id, by: -1).map { [.dispatch(.chooseComment($0))] } ?? []
    case .down, .character("j"):
      return step(state.comments, from: chosen?.id, by: 1).map { [.dispatch(.chooseComment($0))] } ?? []
    case .character("l"): return chosen.map { [.app(.comments(.like($0.id)))] } ?? []
    case .character("c"): return write(on: id, replyTo: nil)
    case .character("a"): return chosen.map { write(on: id, replyTo: $0.id) } ?? []
    case .escape, .left: return [go(from: .comments(id), to: .episode(id), state)]
    default: return anywhere(key)
    }
  }

  static func writing(_ key: Key, _ state: State) -> [Command] {
    switch key {
    case .character(let character): return [.app(.draft(.append(String(character))))]
    case .backspace: return [.app(.draft(.deleteLast))]
    case .enter: return state.parent.draft.text.isEmpty ? [] : [.post(state.parent.draft)]
    case .escape: return [.app(.route(.pop("/write")))]
    default: return []
    }
  }

  static func travelling(_ key: Key, _ timeline: Timeline) -> [Command] {
    let (places, position) = (timeline.places, timeline.position)
    switch key {
    case .up, .left, .character("k"):
      return position > 0 ? [.travel(.go(to: places[position - 1].number))] : []
    case .down, .right, .character("j"):
      return position + 1 < places.count ? [.travel(.go(to: places[position + 1].number))] : []
    case .character(" "):
      return position > 0 ? [.travel(.skip(places[position].number, !places[position].isSkipped))] : []
    case .character("c"): return [.travel(.keep)]
    case .character("0"): return [.travel(.goBackToBase)]
    case .escape, .enter, .character("t"): return [.travel(.close)]
    case .character("q"): return [.quit]
    default: return []
    }
  }

  // MARK: What several places share

  private static func anywhere(_ key: Key) -> [Command] {
    switch key {
    case .character("q"): [.quit]
    case .character("r"): [.app(.loading(.retry))]
    case .character("x"): [.app(.report(nil))]
    case .character("t"): [.travel(.open)]
    default: []
    }
  }

  /// Further in by push, and back out by pop. A route that leads nowhere, as an editor may have left it, is said anew.
  private static func go(from here: Place, to there: Place, _ state: State) -> Command {
    let (here, there) = (here.route, there.route)
    guard state.parent.route == here else { return .app(.route(.goto(there))) }
    return .app(
      .route(
        there.hasPrefix(here)
          ? .push(there.dropFirst(here.segments.count)) : .pop(here.dropFirst(there.segments.count))))
  }

  private static func watched(_ episode: Episode) -> Command {
    .app(.episodes(.episode(episode.id, .watched(!episode.isWatched))))
  }

  private static func type(_ text: String, _ state: State) -> Command {
    .dispatch(.type(text, over: state.parent.search.query))
  }

  private static func write(on id: Episode.ID, replyTo comment: Comment.ID?) -> [Command] {
    [.app(.draft(.begin(on: id, replyTo: comment))), .app(.route(.push("/write")))]
  }

  private static func set(_ row: FilterRow, _ key: Key, _ filter: Filter) -> [Command] {
    let change: FilterAction =
      switch row {
      case .season(let season): .season(season, !filter.seasons.contains(season))
      case .minimumRating: .adjustRating(by: key == .left ? -0.5 : 0.5)
      case .onlyUnwatched: .onlyUnwatched(!filter.onlyUnwatched)
      }
    return [.app(.search(.filter(change)))]
  }

  /// The next element up or down, unless there is none.
  private static func step<ID: Equatable>(_ elements: [some Identifiable<ID>], from id: ID?, by step: Int) -> ID? {
    let index = (elements.firstIndex { $0.id == id } ?? 0) + step
    return elements.indices.contains(index) ? elements[index].id : nil
  }
}
