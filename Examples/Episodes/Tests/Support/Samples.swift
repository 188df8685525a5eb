import StoreCore
import StoreRouting

@testable import Episodes

extension App {
  /// Three episodes, one of which nobody has rated, and one whose title is wide.
  static var sample: App {
    var app = App()
    app.episodes = [
      .sample(1101, "1×01", "Nebel", rating: 8.1, isWatched: true), .sample(1103, "1×03", "雪の灯台", rating: 8.6),
      .sample(1104, "2×01", "Ein Licht, zwei Schatten"),
    ]
    return app
  }

  /// This app, at another place.
  func at(_ place: Place) -> App {
    var app = self
    app.route = place.route
    return app
  }
}

extension Episode {
  static func sample(
    _ id: ID, _ code: String, _ title: String, rating: Double? = nil, isWatched: Bool = false
  ) -> Episode {
    let numbers = code.split(separator: "×").compactMap { Int($0) }
    return Episode(
      id: id, season: numbers[0], number: numbers[1], title: title, airedOn: "2026-01-15", minutes: 52, rating: rating,
      isWatched: isWatched, progress: isWatched ? 1 : 0)
  }
}

extension Details {
  static let sample = Details(
    summary: "Zwei Jahre später kehrt Yuki zurück.\nDer Leuchtturm ist verkauft.", directors: ["Søren Bruun"],
    cast: [Part(actor: "Mei Tanaka", role: "Yuki")])
}

extension Comment {
  static func sample(_ id: ID, on episode: Episode.ID, _ text: String, likes: Int = 0, replyTo: ID? = nil) -> Comment {
    Comment(
      id: id, episode: episode, author: "Zoë", text: text, postedAt: "2026-03-14T09:31:07Z", likes: likes,
      replyTo: replyTo)
  }
}

/// The app's state as a screen has it.
func interface(_ app: App, _ change: (inout Interface) -> Void = { _ in }) -> NodeState<App, Interface> {
  var local = Interface()
  change(&local)
  return NodeState(parent: app, local: local)
}
