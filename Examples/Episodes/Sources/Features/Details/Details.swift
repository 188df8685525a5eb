import StoreCore

/// What the service knows about an episode beyond the list, and whether the user likes it.
struct Details: Codable, Sendable, Equatable {
  struct Part: Codable, Sendable, Equatable {
    var actor: String
    var role: String
  }

  var summary: String
  var directors: [String]
  var cast: [Part]
  var isFavourite = false
}

enum DetailsAction: Codable, Sendable, Equatable {
  case loaded(Episode.ID, Details)
  case favourite(Episode.ID, Bool)
}

let detailsReducer = Reducer<[Episode.ID: Details], DetailsAction> { details, action in
  switch action {
  case .loaded(let id, var new):
    new.isFavourite = details[id]?.isFavourite ?? new.isFavourite
    details[id] = new
  case .favourite(let id, let isFavourite): details[id]?.isFavourite = isFavourite
  }
}
