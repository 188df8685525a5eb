import StoreCore
import StoreTesting
import Testing

@testable import Episodes

@Suite(.timeLimit(.minutes(10)))
struct `Comments` {
  private let clock = ManualClock()

  private func makeStore(_ draft: Draft) throws -> TestStore<App, AppAction> {
    var app = App.sample.at(.writing(1104))
    app.draft = draft
    return try TestStore(app, reducer: appReducer) {
      $0.clock = clock
      $0.newID = { "c-1" }
      $0.now = { "2026-03-14T09:31:07Z" }
    }
  }

  @Test func `are shown at once, and posted`() async throws {
    let draft = Draft(episode: 1104, text: "雪!", replyTo: "c-602")
    let comment = Episodes.Comment.sample("c-1", on: 1104, "雪!", replyTo: "c-602")
    try await withTestStore(makeStore(draft)) { store in
      store.store.dispatch(postComment(draft, by: "Zoë"))
      try await store.receive(.comments(.add(comment))) { $0.comments = [comment] }
      try await store.receive(.draft(.clear)) { $0.draft.text = "" }
      try await store.receive(.route(.pop("/write"))) { $0.route = Place.comments(1104).route }
      try await clock.advance(by: .milliseconds(600))
    }
  }

  @Test func `that the service refuses are taken back, and can be mended`() async throws {
    let draft = Draft(episode: 1104, text: "spoiler: ")
    let comment = Episodes.Comment.sample("c-1", on: 1104, "spoiler: ")
    try await withTestStore(makeStore(draft)) { store in
      store.store.dispatch(postComment(draft, by: "Zoë"))
      try await store.receive(.comments(.add(comment))) { $0.comments = [comment] }
      try await store.receive(.draft(.clear)) { $0.draft.text = "" }
      try await store.receive(.route(.pop("/write"))) { $0.route = Place.comments(1104).route }
      // Somebody has begun the next one.
      try await store.send(.draft(.append("it …"))) { $0.draft.text = "it …" }
      try await clock.advance(by: .milliseconds(600))
      try await store.receive(.comments(.withdraw("c-1"))) { $0.comments = [] }
      try await store.receive(.draft(.restore(draft))) { $0.draft.text = "spoiler: it …" }
      try await store.receive(.report("your comment was not posted: no spoilers, please")) {
        $0.lastError = "your comment was not posted: no spoilers, please"
      }
    }
  }

  @Test func `that are loaded again keep their likes`() async throws {
    var app = App.sample
    app.comments = [.sample("c-1", on: 1104, "Who?", likes: 2)]
    let new = Episodes.Comment.sample("c-2", on: 1104, "You?")
    try await withTestStore(TestStore(app, reducer: appReducer)) { store in
      try await store.send(.comments(.like("c-1"))) { $0.comments[id: "c-1"]?.likes = 3 }
      try await store.send(.comments(.loaded([.sample("c-1", on: 1104, "Who?", likes: 2), new]))) {
        $0.comments.upsert(new)
      }
    }
  }

  @Test func `are drafted by one or by several, character by character`() async throws {
    try await withTestStore(makeStore(Draft(episode: 1103, text: "old"))) { store in
      try await store.send(.draft(.begin(on: 1103, replyTo: nil)))
      try await store.send(.draft(.append("😱"))) { $0.draft.text = "old😱" }
      try await store.send(.draft(.deleteLast)) { $0.draft.text = "old" }
      try await store.send(.draft(.begin(on: 1103, replyTo: "c-501"))) {
        $0.draft = Draft(episode: 1103, replyTo: "c-501")
      }
      try await store.send(.draft(.deleteLast))
    }
  }
}
