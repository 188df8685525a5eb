import Synchronization

/// A service that is slow, and fails: not by chance, but the first so many times that something is asked for.
final class FakeService: EpisodeService {
  /// Some work at the second attempt, one only when the user tries again.
  static let usualTroubles: [Resource: Int] = [.episodes: 1, .comments(1104): 1, .details(1106): 3, .comments(1107): 2]

  private let clock: any Clock<Duration>
  private let delay: Duration
  private let troubles: Mutex<[Resource: Int]>

  init(
    clock: any Clock<Duration>, delay: Duration = .milliseconds(600),
    troubles: [Resource: Int] = FakeService.usualTroubles
  ) {
    self.clock = clock
    self.delay = delay
    self.troubles = Mutex(troubles)
  }

  func episodes() async throws -> [Episode] {
    try await answer(.episodes)
    return FakeShow.episodes
  }

  func details(of episode: Episode.ID) async throws -> Details {
    try await answer(.details(episode))
    guard let details = FakeShow.details[episode] else { throw ServiceError(description: "nobody knows that episode") }
    return details
  }

  func comments(on episode: Episode.ID) async throws -> [Comment] {
    try await answer(.comments(episode))
    return FakeShow.comments.filter { $0.episode == episode }
  }

  func post(_ comment: Comment) async throws {
    try await clock.sleep(for: delay)
    if comment.text.lowercased().contains("spoiler") { throw ServiceError(description: "no spoilers, please") }
  }

  private func answer(_ resource: Resource) async throws {
    try await clock.sleep(for: delay)
    let isDown = troubles.withLock { troubles in
      guard let left = troubles[resource], left > 0 else { return false }
      troubles[resource] = left - 1
      return true
    }
    if isDown { throw ServiceError(description: "the lighthouse doesn't answer") }
  }
}
