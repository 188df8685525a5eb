import StoreCore
import TerminalScreen

extension App {
  /// All there is to say about an episode.
  func detailLines(of id: Episode.ID, _ size: Size) -> [Line] {
    guard let episode = episodes[id: id] else { return [Line("   there is no episode \(id)", .faint)] }
    let details = details[id]
    let name = Line(" \(episode.code) ", .accent) + Line(episode.title, .bold)
    let heart = details?.isFavourite == true ? Line("♥ ", .bad) : .empty
    let facts = ["\(episode.airedOn)", "\(episode.minutes) min"] + episode.tags
    let lines = [
      Line.justified(name, heart, width: size.columns),
      Line("      \(facts.joined(separator: " · "))", .faint),
      Line("      ") + Line.stars(episode.rating) + Line("  \(episode.rating.map { "\($0)" } ?? "not rated")")
        + Line(episode.isWatched ? "   ✓ watched" : "", .good),
      .empty,
    ]
    return lines + (details.map { $0.lines(size) } ?? [Line("      …", .faint)]) + [.empty, commentCount(of: id)]
  }

  private func commentCount(of id: Episode.ID) -> Line {
    let count = comments.count { $0.episode == id }
    return Line(
      "      \(count == 0 ? "nobody has commented on it yet" : count == 1 ? "1 comment" : "\(count) comments")", .faint)
  }
}

extension Details {
  fileprivate func lines(_ size: Size) -> [Line] {
    summary.wrapped(toColumns: max(1, size.columns - 8)).map { Line("      \($0)") }
      + [.empty, Line("      directed by ", .faint) + Line(directors.joined(separator: ", "))]
      + cast.map { Line("      with ", .faint) + Line($0.actor) + Line(" as \($0.role)", .faint) }
  }
}
