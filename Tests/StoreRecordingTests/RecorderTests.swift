import Glibc
import HotReload
import StateJSON
import StoreCore
import Synchronization
import TestSupport
import TestThreads
import Testing

@testable import StoreRecording

@Suite(.ownThreads, .timeLimit(.minutes(10)))
struct `A recorder` {
  let folder: TemporaryFolder
  private var path: String { folder.path("notes.recording") }

  init() throws { folder = try TemporaryFolder() }

  /// A recorder to which each line comes half a second after the one before.
  private func recorder(
    limits: RecordingLimits = RecordingLimits(), redacting: [Redaction<Notes, NotesAction>] = [],
    report: @escaping @Sendable (RecorderError) -> Void = { Issue.record("\($0)") }
  ) -> Recorder<Notes, NotesAction> {
    let ticks = Atomic<Int>(-1)
    return Recorder(
      path, program: "Notes", schema: 3, limits: limits, redacting: redacting, began: 1_763_805_600_000,
      clock: { .milliseconds(500) * ticks.add(1, ordering: .relaxed).newValue }, report: report)
  }

  private func store(_ recorder: Recorder<Notes, NotesAction>) throws -> NotesStore {
    try Store(Notes(), reducer: notesReducer, middleware: [recorder])
  }

  @Test func `writes a line for what is dispatched, and one for each change`() async throws {
    let store = try store(recorder())
    store.dispatch(.add("milk"))
    store.rebase(cause: .instance("4f2a")) { notes, _ in notes.weight = 1.5 }
    try await store.close()
    #expect(
      try folder.text(of: "notes.recording") == """
        {"recording":1,"program":"Notes","schema":3,"began":1763805600000,"step":0,"at":0.000000,\
        "state":{"notes":[],"weight":0}}
        {"at":0.500000,"type":"StoreRecordingTests.NotesAction","dispatched":{"add":{"_0":"milk"}}}
        {"step":1,"at":1.000000,"cause":"action","action":{"add":{"_0":"milk"}},\
        "patch":[{"op":"add","path":"/notes/0","value":{"id":1,"text":"milk"}}],"hash":"16ee145818898112"}
        {"step":2,"at":1.500000,"cause":"instance","instance":"4f2a",\
        "patch":[{"op":"replace","path":"/weight","value":1.5}],"hash":"8096729c2c673203"}
        {"at":2.000000,"end":true}

        """)
  }

  @Test func `is read while it writes`() throws {
    let store = try store(recorder())
    for number in 1...100 {
      store.dispatch(.add("\(number)"))
      let recording = try Recording(contentsOf: path)
      #expect(recording.steps.count == number)
      #expect(recording.problems == [])
      #expect(!recording.isEnded)
    }
  }

  @Test func `cuts off the older half, and begins with a whole state all the same`() async throws {
    let store = try store(recorder(limits: .init(size: 20_000, archive: 2)))
    for number in 1...1_000 {
      store.dispatch(.change(1, "\(number)"))
      if number == 1 { store.dispatch(.add("")) }
      let size = try folder.bytes(of: "notes.recording").count
      #expect(size < 22_000)
    }
    try await store.close()
    #expect(try folder.names.sorted() == ["notes.recording", "notes.recording.1", "notes.recording.2"])
    let recording = try Recording(contentsOf: path)
    #expect(recording.problems == [])
    #expect(recording.steps.count > 20)
    #expect(recording.steps.last?.number == 1_001)
    let last = try recording.verify(with: notesReducer, schema: StateSchema(3))
    #expect(last == store.state)

    // What was cut is in the archive; put together it goes on.
    let bytes = try ["notes.recording.2", "notes.recording.1", "notes.recording"].flatMap { try folder.bytes(of: $0) }
    let whole = try Recording(parsing: bytes, file: "whole")
    #expect(whole.problems == [])
    #expect(whole.steps.count > recording.steps.count)
    #expect(try whole.verify(with: notesReducer, schema: StateSchema(3)) == last)
  }

  @Test func `keeps what was recorded before`() async throws {
    for number in 1...3 {
      let store = try store(recorder(limits: .init(archive: 1)))
      store.dispatch(.add("\(number)"))
      try await store.close()
    }
    #expect(try folder.names.sorted() == ["notes.recording", "notes.recording.1"])
    #expect(try folder.text(of: "notes.recording.1").contains(#""dispatched":{"add":{"_0":"2"}}"#))
  }

  /// As a process is that was begun meanwhile, before it becomes another program.
  @Test func `begins again also while somebody still has the former file open`() async throws {
    var copies: [Int32] = []
    defer { for copy in copies { close(copy) } }
    for number in 1...3 {
      let store = try store(recorder(limits: .flight(steps: 2, archive: 1)))
      for _ in 0..<10 {
        store.dispatch(.add("\(number)"))
        copies += try ownDescriptors(below: folder.path).filter { !copies.contains($0) }.map { dup($0) }
      }
      try await store.close()
    }
    #expect(!copies.isEmpty)
    #expect(try Recording(contentsOf: path).problems == [])
  }

  @Test func `as a flight recorder keeps the last steps in one file, and the records of earlier runs`() async throws {
    for run in 1...3 {
      let store = try store(recorder(limits: .flight(steps: 10, archive: 1)))
      for number in 1...(run * 100) {
        store.dispatch(.weigh(Double(number)))
        let recording = try Recording(contentsOf: path)
        #expect(recording.problems == [])
        #expect(recording.steps.last?.number == number)
        #expect((min(number, 10)...21).contains(recording.steps.count))
      }
      try await store.close()
    }
    #expect(try folder.names.sorted() == ["notes.recording", "notes.recording.1"])
    #expect(try Recording(contentsOf: path + ".1").steps.last?.number == 200)
    #expect(try Recording(contentsOf: path).verify(with: notesReducer, schema: StateSchema(3)).weight == 300)
  }

  /// What is told of a recorder that can't begin; the store works without.
  private func trouble(_ name: String = "notes.recording", limits: RecordingLimits = .init()) throws -> [String] {
    let failures = Mutex<[String]>([])
    let recorder = Recorder<Notes, NotesAction>(folder.path(name), limits: limits) { failure in
      failures.withLock { $0.append("\(failure)") }
    }
    let store = try store(recorder)
    store.dispatch(.add("milk"))
    #expect(store.state.notes.count == 1)
    return failures.withLock { $0 }
  }

  @Test(arguments: [
    ("notes.recording", "{}"), ("notes.recording", "{"), ("notes.recording", #"{"recording":99}"#),
    ("notes.recording.1", "mine"), ("notes.recording.2", "mine"), (".notes.recording~", "mine"),
  ])
  func `leaves alone what is no recording, and goes on without`(name: String, text: String) throws {
    try folder.write(text, to: name)
    let place = name == "notes.recording" ? "there" : "at '\(folder.path(name))'"
    #expect(
      try trouble(limits: RecordingLimits(archive: 2)) == [
        """
        cannot record into '\(path)': something else than a recording is \(place); give it another name, or remove that
        """
      ])
    #expect(try folder.text(of: name) == text)
    #expect(try folder.names == [name])
  }

  @Test func `takes over what one left who was killed as he began, and an empty file`() throws {
    try folder.write(#"{"recording":1,"#, to: ".notes.recording~")
    try folder.write("", to: "notes.recording")
    #expect(try trouble() == [])
    #expect(try folder.names == ["notes.recording"])
  }

  @Test func `does not record where another does`() throws {
    let first = try store(recorder())
    first.dispatch(.add("milk"))
    #expect(
      try trouble() == ["cannot record into '\(path)': another program is recording there; give each a file of its own"]
    )
    first.dispatch(.add("bread"))
    #expect(try Recording(contentsOf: path).steps.count == 2)
    #expect(try folder.names == ["notes.recording"])
  }

  @Test(arguments: [("gone/x", "no such file or directory"), (".", "or remove that")])
  func `says why it can't begin`(name: String, reason: String) throws {
    let trouble = try trouble(name)
    #expect(trouble.count == 1)
    #expect(trouble.first?.hasPrefix("cannot record into '\(folder.path(name))': ") == true)
    #expect(trouble.first?.hasSuffix(reason) == true)
  }

  @Test(arguments: [RecordingLimits(size: 20_000, archive: 0), .flight(steps: 10, size: 20_000, archive: 0)])
  func `that can't cut off what is older keeps what it says, and says so once`(limits: RecordingLimits) async throws {
    let failures = Mutex<[String]>([])
    let store = try store(recorder(limits: limits) { failure in failures.withLock { $0.append("\(failure)") } })
    try folder.write("mine", to: ".notes.recording~")
    for number in 1...400 { store.dispatch(.weigh(Double(number))) }
    let place = folder.path(".notes.recording~")
    #expect(
      failures.withLock { $0 }
        == [
          "something else than a recording is at '\(place)'; give it another name, or remove that",
          "it is too large by now, and what is older can't be cut off",
        ].map { "cannot record into '\(path)': \($0)" })
    let recording = try Recording(contentsOf: path)
    #expect(recording.problems == [])
    #expect(recording.steps.prefix(100).map(\.action).allSatisfy { $0 != nil })
    // Not for ever.
    #expect(try folder.bytes(of: "notes.recording").count < 60_000)
  }

  @Test func `is bounded also where all that is dispatched is dropped`() throws {
    let dropping = Interceptor<Notes, NotesAction> { _, _ in }
    let store = try Store(
      Notes(), reducer: notesReducer,
      middleware: [recorder(limits: RecordingLimits(size: 10_000, archive: 0)), dropping])
    for number in 1...1_000 { store.dispatch(.weigh(Double(number))) }
    #expect(try folder.bytes(of: "notes.recording").count < 11_000)
    #expect(try Recording(contentsOf: path).problems == [])
  }

  @Test func `says in the end that somebody has removed its file`() async throws {
    let failures = Mutex<[String]>([])
    let store = try store(recorder { failure in failures.withLock { $0.append("\(failure)") } })
    store.dispatch(.add("milk"))
    #expect(unlink(path) == 0)
    try await store.close()
    #expect(failures.withLock { $0 } == ["cannot record into '\(path)': somebody has removed or replaced it"])
  }

  @Test func `is for its owner only`() throws {
    let store = try store(recorder())
    var status = stat()
    #expect(stat(path, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)
    withExtendedLifetime(store) {}
  }

  @Test func `doesn't tell what is redacted`() async throws {
    let store = try store(
      recorder(redacting: [
        .state(\.token, as: "•"),
        .actions { if case .logIn = $0 { .logIn(token: "•") } else { $0 } },
      ]))
    store.dispatch(.logIn(token: "secret"))
    store.dispatch(.add("milk"))
    try await store.close()
    #expect(store.state.token == "secret")
    #expect(try !folder.text(of: "notes.recording").contains("secret"))
    let last = try Recording(contentsOf: path).verify(with: notesReducer, schema: StateSchema(3))
    #expect(last.token == "•")
  }

  @Test func `says once what can't be recorded, and goes on with the whole state`() async throws {
    let failures = Mutex<[String]>([])
    let store = try store(recorder { failure in failures.withLock { $0.append("\(failure)") } })
    store.dispatch(.weigh(.nan))
    store.dispatch(.add("milk"))
    store.dispatch(.weigh(2))
    store.dispatch(.add("bread"))
    try await store.close()
    #expect(
      failures.withLock { $0 } == [
        "cannot record into '\(path)': at /weigh/_0: NaN has no JSON form; make the value optional and set it to nil, or "
          + "keep it finite"
      ])
    let recording = try Recording(contentsOf: path)
    #expect(recording.problems.map(\.description) == ["\(path):4: steps 1 to 2 are missing"])
    #expect(recording.steps.map(\.number) == [3, 4])
    #expect(recording.steps.map(\.cause) == [.start, .action])
    #expect(try recording.state(after: 2) == JSONValue(encoding: store.state))
  }

  @Test func `has recorded all that was dispatched when the process is killed`() async throws {
    try await #require(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let store = try NotesStore(
        Notes(), reducer: notesReducer, middleware: [Recorder(path, schema: 3)])
      for number in 1...200 { store.dispatch(.add("\(number)")) }
      kill(getpid(), SIGKILL)
    }
    let recording = try Recording(contentsOf: path)
    #expect(recording.steps.count == 200)
    #expect(recording.problems == [])
    #expect(try recording.verify(with: notesReducer, schema: StateSchema(3)).notes.last?.text == "200")
  }

  @Test func `has recorded what a program died of`() async throws {
    try await #require(processExitsWith: .failure) { [path = path as String] in
      let trapping = Reducer<Notes, NotesAction> { notes, action in
        if action == .add("trap") { fatalError("a trap") }
        notesReducer.reduce(&notes, action)
      }
      let store = try NotesStore(Notes(), reducer: trapping, middleware: [Recorder(path, schema: 3)])
      store.dispatch(.add("milk"))
      store.dispatch(.add("trap"))
    }
    let recording = try Recording(contentsOf: path)
    #expect(recording.steps.count == 1)
    #expect(recording.dispatched.map(\.type) == ["StoreRecordingTests.NotesAction"])
    #expect(recording.dispatched.map(\.action) == [["add": ["_0": "trap"]]])
  }
}

/// What this process has open of files in a folder. However many that are: all tests run at once.
private func ownDescriptors(below folder: String) throws -> [Int32] {
  var link = [UInt8](repeating: 0, count: 4096)
  return try Folder(path: "/proc/self/fd").names(startingWith: "").compactMap(Int32.init).filter { descriptor in
    let count = readlink("/proc/self/fd/\(descriptor)", &link, link.count)
    return count > 0 && String(decoding: link[..<count], as: UTF8.self).hasPrefix(folder + "/")
  }
}
