import StoreCore

/// One episode, and what the user has made of it.
struct Episode: Codable, Sendable, Equatable, Identifiable {
  var id: Int
  var season: Int
  var number: Int
  var title: String
  var airedOn: String
  var minutes: Int
  @Nullable var rating: Double? = nil
  var isWatched = false
  /// How much of it was seen, from 0 to 1.
  var progress = 0.0
  var tags: [String] = []

  /// As fans write it: `2×01`.
  var code: String { "\(season)×\(number < 10 ? "0" : "")\(number)" }
}

enum EpisodeAction: Codable, Sendable, Equatable {
  case watched(Bool)
  case rate(Double)
  /// Up or down by so much: what two people do at once adds up.
  case adjustRating(by: Double)
  case clearRating
}

let episodeReducer = Reducer<Episode, EpisodeAction> { episode, action in
  switch action {
  case .watched(let isWatched):
    episode.isWatched = isWatched
    episode.progress = isWatched ? 1 : 0
  case .rate(let rating): episode.rating = Rating.valid(rating)
  case .adjustRating(let step): episode.rating = Rating.valid((episode.rating ?? Rating.middle) + step)
  case .clearRating: episode.rating = nil
  }
}

/// What a rating can be.
enum Rating {
  /// Where one begins that wasn't given before.
  static let middle = 7.0

  /// From 0 to 10, in tenths.
  static func valid(_ rating: Double) -> Double { min(max((rating * 10).rounded() / 10, 0), 10) }
}
