import StateJSON
import StoreCore
import StoreTesting
import TestSupport
import Testing

@testable import StoreRecording

@Suite(.timeLimit(.minutes(10)))
struct `A replay` {
  let folder: TemporaryFolder
  let recording: Recording

  /// Five steps: the third from outside.
  init() throws {
    folder = try TemporaryFolder()
    let path = folder.path("notes.recording")
    let store = try NotesStore(Notes(token: "t"), reducer: notesReducer, middleware: [Recorder(path)])
    store.dispatch(.add("milk"))
    store.dispatch(.add("bread"))
    store.rebase(cause: .edit) { notes, _ in notes.notes[1].text = "rye bread" }
    store.dispatch(.change(1, "oat milk"))
    store.dispatch(.weigh(2))
    recording = try Recording(contentsOf: path)
  }

  @Test func `takes the steps that were recorded, and comes to the same states`() throws {
    let store = Store(Notes(), reducer: notesReducer)
    let replay = try Replay(recording, on: store)
    var texts: [[String]] = []
    while try replay.step() { texts.append(store.state.notes.map(\.text)) }
    #expect(
      texts == [
        ["milk"], ["milk", "bread"], ["milk", "rye bread"], ["oat milk", "rye bread"], ["oat milk", "rye bread"],
      ])
    #expect(store.state.token == "t")
    #expect(replay.position == 5)
    #expect(replay.next == nil)
  }

  @Test func `starts no effect, and is seen as restored`() async throws {
    let reaction = Reaction<Notes, NotesAction> { _, _, _ in
      Issue.record("a reaction")
    }
    let store = try NotesStore(
      Notes(),
      effects: { (notes: inout Notes, action: NotesAction) -> Effect<NotesAction> in
        notesReducer.reduce(&notes, action)
        return .run { _ in Issue.record("an effect") }
      }, middleware: [reaction])
    store.effect(onChange: \.weight) { _, _ in Issue.record("an effect on change") }
    let subscription = store.subscribe(skipFirst: true) { (_: Notes, cause: Cause) in #expect(cause == .restore) }
    try await Replay(recording, on: store).play(speed: .infinity)
    #expect(store.runningEffects == [])
    #expect(store.state.weight == 2)
    withExtendedLifetime(subscription) {}
  }

  @Test func `with another reducer fails where they part, readably`() throws {
    let broken = Reducer<Notes, NotesAction> { notes, action in
      notesReducer.reduce(&notes, action)
      if case .change = action { notes.notes[0].text += "!" }
    }
    let mismatch = #expect(throws: ReplayMismatch.self) { try recording.verify(with: broken) }
    #expect(
      "\(try #require(mismatch))".replacing(folder.path, with: "") == """
        /notes.recording:8: step 4, change(1, "oat milk"), leads to another state than was recorded:
        - notes[id: 1].text: "oat milk"
        + notes[id: 1].text: "oat milk!"
        """)
  }
}
