import StoreCore
import TerminalScreen
import Testing

@testable import Episodes

@Suite struct `The timeline` {
  private let travel = AppTravel(merge: AppTravel.merging)
  private let store: AppStore

  /// Three steps: the second one is an edit.
  init() throws {
    store = try AppStore(.sample.at(.rating(1104)), reducer: appReducer, middleware: [travel])
    store.dispatch(.episodes(.episode(1104, .rate(8))))
    store.rebase(cause: .edit) { app, _ in app.show.title = "Wärter" }
    store.dispatch(.episodes(.episode(1104, .adjustRating(by: 0.5))))
  }

  private var timeline: Timeline { Timeline(travel, trouble: nil) }

  /// Does what a key is for.
  private func press(_ key: Key) throws {
    for case .travel(let move) in Keymap.commands(for: key, interface(store.state), timeline) { try travel.make(move) }
  }

  private var rating: Double? { store.state.episodes[id: 1104]?.rating }

  @Test func `goes back and forth, and stops at its ends`() throws {
    try press(.up)
    #expect(rating == 8)
    for _ in 1...5 { try press(.up) }
    #expect(rating == nil)
    #expect(store.state.show.title == "Die Leuchtturmwärter")
    for _ in 1...5 { try press(.down) }
    #expect(rating == 8.5)
    #expect(store.state.show.title == "Wärter")
  }

  @Test func `leaves a step out, and what came after it is done again`() throws {
    try press(.up)
    try press(.up)
    try press(.character(" "))
    try press(.down)
    try press(.down)
    #expect(rating == 7.5)
    #expect(store.state.show.title == "Wärter")
  }

  @Test func `drops what is dispatched until it is closed`() throws {
    #expect(Keymap.commands(for: .character("t"), interface(.sample)) == [.travel(.open)])
    try travel.make(.open)
    store.dispatch(.episodes(.episode(1104, .rate(1))))
    #expect(rating == 8.5)
    try press(.escape)
    store.dispatch(.episodes(.episode(1104, .rate(1))))
    #expect(rating == 1)
  }

  @Test func `begins anew where it is kept, or given up`() throws {
    try press(.up)
    try press(.character("c"))
    #expect(timeline.places.map(\.number) == [2])
    #expect(rating == 8)
    store.dispatch(.episodes(.episode(1104, .rate(3))))
    try press(.character("0"))
    #expect(rating == 8)
  }

  @Test func `shows the place one is at among the others`() throws {
    try press(.up)
    let lines = timeline.sheet(rows: 20).lines.map { String($0.text) }
    #expect(
      lines == [
        "    0   what was before", "    1   .episodes(.episode(1104, .rate(8.0)))", "▸   2   edit",
        "    3   .episodes(.episode(1104, .adjustRating(by: 0.5)))",
      ])
    var far = timeline
    far.position = 3
    far.trouble = "no"
    #expect(far.sheet(rows: 8).lines.map(\.text).first == "    2   edit")
    #expect(far.sheet(rows: 8).lines.last?.text == "no")
  }
}
