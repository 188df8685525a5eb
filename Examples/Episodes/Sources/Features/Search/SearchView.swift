import StoreCore
import TerminalScreen

extension NodeState<App, Interface> {
  /// What is searched for, and at the right the filter.
  func searchLine(_ columns: Int) -> Line {
    .justified(query, Line("\(parent.search.filter.summary) ", .faint), width: columns)
  }

  private var query: Line {
    if parent.search.isOpen { return Line(" / ", .accent) + Line(searchText) + Line("▏", .accent) }
    if !parent.search.query.isEmpty { return Line(" / ", .faint) + Line(parent.search.query, .accent) }
    let recent = parent.search.recent
    return recent.isEmpty ? .empty : Line(" / \(recent.joined(separator: " · "))", .faint)
  }

  /// The sheet in which the filter is set.
  var filterSheet: Panel {
    Panel(
      title: "Filter",
      lines: FilterRow.rows(of: parent).enumerated().map { index, row in
        let isChosen = index == local.filterRow
        return Line(isChosen ? "▸ " : "  ", .accent) + Line(row.text(parent.search.filter), isChosen ? .bold : .plain)
      })
  }
}

/// One thing that can be set in the filter.
enum FilterRow: Equatable {
  case season(Int)
  case minimumRating
  case onlyUnwatched

  static func rows(of app: App) -> [FilterRow] {
    Set(app.episodes.map(\.season)).sorted().map(FilterRow.season) + [.minimumRating, .onlyUnwatched]
  }

  fileprivate func text(_ filter: Filter) -> String {
    switch self {
    case .season(let season): "\(filter.seasons.contains(season) ? "✓" : "·")  season \(season)"
    case .minimumRating: "★  \(filter.minimumRating.map { "\($0) or more" } ?? "any rating")"
    case .onlyUnwatched: "\(filter.onlyUnwatched ? "✓" : "·")  only what I haven't watched"
    }
  }
}

extension Filter {
  fileprivate var summary: String {
    var parts = seasons.isEmpty ? [] : ["season " + seasons.sorted().map { "\($0)" }.joined(separator: ", ")]
    if let minimumRating { parts.append("★ \(minimumRating)+") }
    if onlyUnwatched { parts.append("unwatched") }
    return (parts + tags.sorted()).joined(separator: " · ")
  }
}
