import Foundation
import HotReload
import StateJSON
import StoreCore
import Testing

@testable import Episodes

/// The app on the file that comes with the repository, which holds more than the app knows.
@Suite(.timeLimit(.minutes(10)))
struct `The sample file` {
  private let folder = TemporaryFolder()
  private let sample: String

  init() throws {
    var root = URL(filePath: #filePath)
    for _ in 1...4 { root.deleteLastPathComponent() }
    sample = try String(contentsOf: root.appending(path: "sample-state.json"), encoding: .utf8)
    try sample.write(to: folder.file, atomically: true, encoding: .utf8)
  }

  private func open(_ dependencies: (inout Dependencies) -> Void = { _ in }) throws -> AppStore {
    try withDependencies(dependencies) { try .mirrored(in: HotReload(file: folder.file.path), travel: AppTravel()) }
  }

  private var text: String { get throws { try String(contentsOf: folder.file, encoding: .utf8) } }

  @Test func `is taken in as it is`() async throws {
    let store = try open()
    let app = store.state
    #expect(Place(app.route) == .comments(1104))
    #expect(app.session.user.name == "Zoë Müller-Østergård")
    #expect(app.episodes.map(\.title) == ["Nebel", "Was die Möwen wissen", "雪の灯台", "Ein Licht, zwei Schatten"])
    #expect(app.episodes.map(\.rating) == [8.1, 7.9, 8.6, nil])
    #expect(app.search.filter == Filter(seasons: [1, 2], minimumRating: 7.5, onlyUnwatched: true))
    #expect(app.search.recent == ["café", "雪", #"the "long" night"#])
    #expect(app.details[1103]?.cast.last == Details.Part(actor: "Mei Tanaka", role: "Yuki"))
    #expect(app.comments[id: "c-502"]?.replyTo == "c-501")
    #expect(app.draft == Draft(episode: 1104))
    try await store.close()
    #expect(try text == sample)
  }

  @Test(
    arguments: [
      (.episodes(.episode(1104, .rate(8))), [#"      "rating": null,"#], [#"      "rating": 8,"#]),
      (.episodes(.episode(1101, .clearRating)), [#"      "rating": 8.1,"#], [#"      "rating": null,"#]),
      (
        .search(.submit("雪")), [#"    "recent": ["café", "雪", "the \"long\" night"]"#, #"    "query": "café","#],
        [#"    "query": "雪","#, #"    "recent": ["雪", "café", "the \"long\" night"]"#]
      ),
      (
        .search(.filter(.adjustRating(by: -7.5))), [#"      "minimumRating": 7.5,"#], [#"      "minimumRating": null,"#]
      ),
      (.search(.filter(.season(1, false))), [#"      "seasons": [1, 2],"#], [#"      "seasons": [2],"#]),
      (.comments(.like("c-501")), [#"      "likes": 12,"#], [#"      "likes": 13,"#]),
      (
        .draft(.append("雪")), [#"  "draft": { "episode": 1104, "text": "", "replyTo": null },"#],
        [#"  "draft": { "episode": 1104, "text": "雪", "replyTo": null },"#]
      ),
      (
        .route(.pop()), [#"  "route": ["episodes", "show", 1104, "comments"],"#],
        [#"  "route": ["episodes", "show", 1104],"#]
      ),
      (.report("no light"), [#"  "lastError": null,"#], [#"  "lastError": "no light","#]),
      (.details(.favourite(1103, false)), [#"      "isFavourite": true"#], [#"      "isFavourite": false"#]),
    ] as [(AppAction, [String], [String])])
  func `changes in the lines that an action is about, and in no other`(
    action: AppAction, gone: [String], new: [String]
  ) async throws {
    let store = try open()
    store.dispatch(action)
    try await store.close()
    let (before, after) = (sample.split(separator: "\n"), try text.split(separator: "\n"))
    var (removals, insertions): ([Substring], [Substring]) = ([], [])
    for change in after.difference(from: before) {
      switch change {
      case .remove(_, let line, _): removals.append(line)
      case .insert(_, let line, _): insertions.append(line)
      }
    }
    #expect(removals.map(String.init) == gone)
    #expect(insertions.map(String.init) == new)
  }

  @Test(
    arguments: [
      [.report("no light"), .report(nil)],
      [.episodes(.episode(1104, .rate(8))), .episodes(.episode(1104, .clearRating))],
      [.draft(.begin(on: 1104, replyTo: "c-501")), .draft(.begin(on: 1104, replyTo: nil))],
    ] as [[AppAction]])
  func `has its null again where there is nothing any more`(actions: [AppAction]) async throws {
    let store = try open()
    for action in actions {
      store.dispatch(action)
      try await store.commit()
      #expect(try (text == sample) == (action == actions.last))
    }
    try await store.close()
  }

  @Test func `is followed when somebody saves it, and mirrored by other instances`() async throws {
    let (first, second) = (try open(), try open())
    try sample.replacingOccurrences(of: #""rating": 8.6"#, with: #""rating": 9.1"#)
      .write(to: folder.file, atomically: true, encoding: .utf8)
    for store in [first, second] {
      for await rating in store.values(of: \.episodes[id: 1103]?.rating) where rating == 9.1 { break }
    }
    first.dispatch(.comments(.like("c-502")))
    second.dispatch(.comments(.like("c-502")))
    for store in [first, second] {
      for await likes in store.values(of: \.comments[id: "c-502"]?.likes) where likes == 5 { break }
    }
    try await first.close()
    try await second.close()
  }

  @Test func `gets what was loaded by the one instance that was asked to`() async throws {
    let asked = try open()
    let other = try open { $0.service = NoService() }
    asked.dispatch(.loading(.want(.details(1101))))
    for await details in other.values(of: \.details[1101]) where details != nil { break }
    #expect(other.state.details[1101] == FakeShow.details[1101])
    try await asked.close()
    try await other.close()
    let document = try JSONDocument(parsing: text)
    #expect(document.value[JSONPointer(["heatmap", "1"])] == [1, 8, 13, 4])
  }
}

/// Is not to be asked for anything.
private struct NoService: EpisodeService {
  func episodes() async throws -> [Episode] { throw asked() }
  func details(of episode: Episode.ID) async throws -> Details { throw asked() }
  func comments(on episode: Episode.ID) async throws -> [Episodes.Comment] { throw asked() }
  func post(_ comment: Episodes.Comment) async throws { throw asked() }

  private func asked() -> ServiceError {
    Issue.record("the service of the wrong instance was asked")
    return ServiceError(description: "wrong instance")
  }
}
