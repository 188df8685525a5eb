import StoreCore

/// What can be loaded from the service.
enum Resource: Sendable, Hashable {
  case episodes
  case details(Episode.ID)
  case comments(Episode.ID)
}

/// In the file it is text, such as `comments/1104`.
extension Resource: RawRepresentable, Codable {
  init?(rawValue: String) {
    let parts = rawValue.split(separator: "/", maxSplits: 1)
    switch (parts.first, parts.count == 2 ? Episode.ID(parts[1]) : nil) {
    case ("episodes", nil): self = .episodes
    case ("details", let id?): self = .details(id)
    case ("comments", let id?): self = .comments(id)
    default: return nil
    }
  }

  var rawValue: String {
    switch self {
    case .episodes: "episodes"
    case .details(let id): "details/\(id)"
    case .comments(let id): "comments/\(id)"
    }
  }
}

/// Something that is being loaded, or couldn't be.
struct Fetch: Codable, Sendable, Equatable, Identifiable {
  var id: Resource
  var effect = EffectState(attempts: 3, backoff: .exponential(from: .seconds(1)))
}
