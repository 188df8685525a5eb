import StoreCore

enum EpisodesAction: Codable, Sendable, Equatable {
  case episode(Episode.ID, EpisodeAction)
  case loaded([Episode])

  var episode: (Episode.ID, EpisodeAction)? {
    if case .episode(let id, let action) = self { (id, action) } else { nil }
  }
}

let episodesReducer = Reducer<Entities<Episode>, EpisodesAction>.combine(
  episodeReducer.forEach(\.self, action: \.episode),
  Reducer { episodes, action in
    guard case .loaded(let loaded) = action else { return }
    for var new in loaded {
      if let known = episodes[id: new.id] {
        // The service knows the episode, but not what the user thinks of it.
        (new.rating, new.isWatched, new.progress) = (known.rating, known.isWatched, known.progress)
      }
      episodes.upsert(new)
    }
  })
