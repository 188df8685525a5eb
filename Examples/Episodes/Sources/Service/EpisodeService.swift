import StoreCore

/// Where episodes come from. It takes its time, and sometimes it can't.
protocol EpisodeService: Sendable {
  func episodes() async throws -> [Episode]
  func details(of episode: Episode.ID) async throws -> Details
  func comments(on episode: Episode.ID) async throws -> [Comment]
  func post(_ comment: Comment) async throws
}

struct ServiceError: Error, CustomStringConvertible {
  let description: String
}

private struct ServiceKey: DependencyKey {
  static func makeDefault(in dependencies: Dependencies) -> any EpisodeService {
    FakeService(clock: dependencies.clock)
  }
}

extension Dependencies {
  var service: any EpisodeService {
    get { self[ServiceKey.self] }
    set { self[ServiceKey.self] = newValue }
  }
}
