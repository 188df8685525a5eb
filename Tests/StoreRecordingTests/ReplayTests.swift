import HotReload
import StateJSON
import StoreCore
import StoreTesting
import Synchronization
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
    let mismatch = #expect(throws: ReplayMismatchError.self) { try recording.verify(with: broken) }
    #expect(
      "\(try #require(mismatch))".replacing(folder.path, with: "") == """
        /notes.recording:8: step 4, .change(1, "oat milk"), leads to another state than was recorded:
        - notes[id: 1].text: "oat milk"
        + notes[id: 1].text: "oat milk!"
        """)
  }

  /// Steps 1, 2, …, each a second after the one before.
  private func timed(_ count: Int) throws -> Recording {
    let path = folder.path("timed.recording")
    let ticks = Atomic<Int>(-1)
    let recorder = Recorder<Notes, NotesAction>(
      path, program: nil, schema: 0, limits: RecordingLimits(), redacting: [], began: 0,
      // What is dispatched takes a line before it is reduced, and one after.
      clock: { .milliseconds(500) * ticks.add(1, ordering: .relaxed).newValue },
      report: { Issue.record("\($0)") })
    let store = try NotesStore(Notes(), reducer: notesReducer, middleware: [recorder])
    for number in 1...count { store.dispatch(.weigh(Double(number))) }
    return try Recording(contentsOf: path)
  }

  @Test(arguments: [(1.0, 1_000), (10, 100), (0.5, 2_000)])
  func `plays in the time it took, or faster, or slower`(speed: Double, milliseconds: Int) async throws {
    let clock = ManualClock()
    let store = withDependencies {
      $0.clock = clock
    } operation: {
      Store(Notes(), reducer: notesReducer)
    }
    let replay = try Replay(timed(5), on: store)
    let playing = Task { try await replay.play(speed: speed) }
    for number in 1...5 {
      #expect(store.state.weight == Double(number - 1))
      #expect(try await clock.advanceToNextSleeper() == .milliseconds(milliseconds))
      if number < 5 { try await clock.sleepers(1) }
    }
    try await playing.value
    #expect(store.state.weight == 5)
    #expect(clock.now.offset == .milliseconds(milliseconds) * 5)
  }

  @Test func `pauses, and goes on from there`() async throws {
    let clock = ManualClock()
    let store = withDependencies {
      $0.clock = clock
    } operation: {
      Store(Notes(), reducer: notesReducer)
    }
    let replay = try Replay(timed(5), on: store)
    let playing = Task { try await replay.play() }
    _ = try await clock.advanceToNextSleeper()
    try await clock.sleepers(1)
    replay.pause()
    _ = try await clock.advanceToNextSleeper()
    try await playing.value
    #expect(replay.position == 1)
    try replay.step()
    #expect(store.state.weight == 2)
    try await replay.play(speed: .infinity, until: .step(3))
    #expect(store.state.weight == 3)
    try await replay.play(speed: .infinity, until: .time(.seconds(4)))
    #expect(store.state.weight == 4)
    let cancelled = Task { try await replay.play() }
    try await clock.sleepers(1)
    cancelled.cancel()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    try await replay.play(speed: .infinity)
    #expect(replay.next == nil)
    #expect(try replay.step() == false)
  }

  @Test func `plays until an action`() async throws {
    let store = Store(Notes(), reducer: notesReducer)
    let replay = try Replay(recording, on: store)
    try await replay.play(speed: .infinity, until: .action { $0 == .add("bread") })
    #expect(store.state.notes.map(\.text) == ["milk", "bread"])
    try await replay.play(speed: .infinity, until: .action { $0 == .add("bread") })
    #expect(replay.next == nil)
  }

  @Test func `says which action it doesn't know, and goes on behind it`() throws {
    let path = folder.path("notes.recording")
    let text = try folder.text(of: "notes.recording").replacing(#""action":{"change""#, with: #""action":{"exchange""#)
    let recording = try Recording(parsing: Array(text.utf8), file: path)
    let mismatch = #expect(throws: ReplayMismatchError.self) { try recording.verify(with: notesReducer) }
    #expect(
      "\(try #require(mismatch))" == """
        \(path):8: the action of step 4, {"exchange":{"_0":1,"_1":"oat milk"}}, isn't known: at the root: invalid number of \
        keys found, expected one
        """)
    let store = Store(Notes(), reducer: notesReducer)
    let replay = try Replay(recording, on: store)
    for _ in 1...3 { try replay.step() }
    #expect(throws: ReplayMismatchError.self) { try replay.step() }
    #expect(store.state.notes.map(\.text) == ["oat milk", "rye bread"])
    try replay.step()
    #expect(store.state.weight == 2)
  }

  @Test func `brings older states and actions up to date, and refuses newer ones`() throws {
    let text = try folder.text(of: "notes.recording")
      .replacing("notes\"", with: "entries\"").replacing("/notes/", with: "/entries/")
      .replacing(#"{"add":{"#, with: #"{"append":{"#)
    // What is recorded is checked as it was recorded.
    let old = try rehashed(text)
    let schema = StateSchema(1) { state, version in
      guard version < 1, case .object(var notes) = state else { return state }
      notes["notes"] = notes["entries"]
      notes["entries"] = nil
      return .object(notes)
    } actions: { action, version in
      guard version < 1, case .object(var action) = action, let added = action["append"] else { return action }
      action["append"] = nil
      action["add"] = added
      return .object(action)
    }
    #expect(try old.verify(with: notesReducer, schema: schema) == recording.verify(with: notesReducer))
    let undecodable = #expect(throws: RecordingError.self) { try old.verify(with: notesReducer) }
    #expect(
      undecodable?.message == """
        old:1: the state that it begins with, of version 0, can't be decoded in version 0: at /notes: missing; expected \
        an array
        """)

    let newer = try Recording(
      parsing: Array(text.replacing(#""schema":0"#, with: #""schema":7"#).utf8), file: "new.recording")
    let error = #expect(throws: RecordingError.self) { try newer.verify(with: notesReducer, schema: schema) }
    #expect(
      error?.message == """
        'new.recording' can't be replayed: it has version 7 of the state, and this program knows up to 1; update the program
        """)
  }

  /// A recording whose hashes are those of its states.
  private func rehashed(_ text: String) throws -> Recording {
    var state: JSONValue = .null
    let lines = try text.split(separator: "\n").map { line -> String in
      guard case .object(var object) = try JSONValue(parsing: Array(line.utf8)) else { return String(line) }
      if let first = object["state"] { state = first }
      if let patch = object["patch"] {
        try state.apply(JSONPatch(patch))
        object["hash"] = .string(state.recordingHash)
      }
      return "\(JSONValue.object(object))"
    }
    return try Recording(parsing: Array(lines.joined(separator: "\n").utf8 + [UInt8(ascii: "\n")]), file: "old")
  }
}
