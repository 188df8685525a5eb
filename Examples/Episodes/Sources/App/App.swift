import StoreCore
import StoreRouting

/// The whole state, as the file has it.
///
/// What else there is in the file stays there: keys that nobody here knows survive every change.
struct App: Codable, Sendable, Equatable {
  var schemaVersion = 3
  var route: Route = Place.list.route
  var session = Session()
  var loading = Loading()
  @Nullable var lastError: String? = nil
  var search = Search()
  var show = Show()
  var episodes: Entities<Episode> = []
  var details: [Episode.ID: Details] = [:]
  var comments: Entities<Comment> = []
  var draft = Draft()
}

/// Who is using the app.
struct Session: Codable, Sendable, Equatable {
  struct User: Codable, Sendable, Equatable {
    var id = "u-1"
    var name = "You"
  }

  var user = User()
}

/// What the episodes are of.
struct Show: Codable, Sendable, Equatable {
  var id = 82
  var title = "Die Leuchtturmwärter"
  var network = "Nordic One"
}
