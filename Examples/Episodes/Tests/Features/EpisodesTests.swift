import StoreTesting
import Testing

@testable import Episodes

@Suite struct `The episodes` {
  @Test func `are watched, rated, and rated up and down in halves`() async throws {
    try await withTestStore(TestStore(.sample, reducer: appReducer)) { store in
      try await store.send(.episodes(.episode(1103, .watched(true)))) {
        $0.episodes[id: 1103]?.isWatched = true
        $0.episodes[id: 1103]?.progress = 1
      }
      try await store.send(.episodes(.episode(1103, .adjustRating(by: 0.5)))) { $0.episodes[id: 1103]?.rating = 9.1 }
      try await store.send(.episodes(.episode(1103, .rate(42)))) { $0.episodes[id: 1103]?.rating = 10 }
      try await store.send(.episodes(.episode(1103, .clearRating))) { $0.episodes[id: 1103]?.rating = nil }
      try await store.send(.episodes(.episode(1103, .adjustRating(by: -0.5)))) { $0.episodes[id: 1103]?.rating = 6.5 }
      try await store.send(.episodes(.episode(9999, .rate(1))))
    }
  }

  @Test func `that are loaded again keep what the user made of them`() async throws {
    var renamed = Episode.sample(1101, "1×01", "Nebel, neu geschnitten")
    renamed.tags = ["director's cut"]
    let new = Episode.sample(1105, "2×02", "Das Café am Ende der Mole")
    try await withTestStore(TestStore(.sample, reducer: appReducer)) { store in
      try await store.send(.episodes(.loaded([renamed, new]))) {
        $0.episodes[id: 1101]?.title = "Nebel, neu geschnitten"
        $0.episodes[id: 1101]?.tags = ["director's cut"]
        $0.episodes.upsert(new)
      }
    }
  }
}
