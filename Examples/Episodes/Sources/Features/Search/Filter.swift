import StoreCore

/// Which episodes are of interest, whatever is searched for.
struct Filter: Codable, Sendable, Equatable {
  /// None means all.
  var seasons: Set<Int> = []
  @Nullable var minimumRating: Double? = nil
  var onlyUnwatched = false
  var tags: Set<String> = []

  func admits(_ episode: Episode) -> Bool {
    if onlyUnwatched && episode.isWatched { return false }
    if !seasons.isEmpty && !seasons.contains(episode.season) { return false }
    if !tags.isEmpty && tags.isDisjoint(with: episode.tags) { return false }
    // What nobody has rated yet may be good.
    if let minimumRating, let rating = episode.rating, rating < minimumRating { return false }
    return true
  }

  var isEmpty: Bool { self == Filter() }
}

enum FilterAction: Codable, Sendable, Equatable {
  case season(Int, Bool)
  case adjustRating(by: Double)
  case onlyUnwatched(Bool)
  case reset
}

let filterReducer = Reducer<Filter, FilterAction> { filter, action in
  switch action {
  case .season(let season, true): filter.seasons.insert(season)
  case .season(let season, false): filter.seasons.remove(season)
  case .adjustRating(let step):
    let rating = Rating.valid((filter.minimumRating ?? 0) + step)
    filter.minimumRating = rating > 0 ? rating : nil
  case .onlyUnwatched(let isOn): filter.onlyUnwatched = isOn
  case .reset: filter = Filter()
  }
}
