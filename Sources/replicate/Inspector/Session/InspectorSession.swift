import HotReload
import RemoteControl
import StateJSON
import StoreCore
import StoreRecording
import Synchronization
import TerminalScreen

typealias TextDocumentObserver = FileObserver<TextDocumentModel>
typealias InspectorStore = Store<Inspector, InspectorAction>

/// An inspector on a terminal: keys and news become actions, and states become screens.
final class InspectorSession {
  let store: InspectorStore
  private let terminal: Terminal
  private let observer: TextDocumentObserver
  private let answers = EditAnswers()
  let log: LogVersions
  /// The recording that is looked at in the place of the log.
  var recorded: RecordedVersions?
  /// What happens is recorded here, if somebody wants that.
  private var capture: InspectorCapture?
  private let company: (_ instance: String) throws -> [String]
  private let start: JSONPointer
  private var isStarted = false
  /// How many are on their way into the file.
  private var edits = 0
  /// Whether there is a version that the list of them hasn't got.
  var areVersionsStale = false
  var versionsLoaded: UInt64 = 0

  /// No two frames are closer to each other, in nanoseconds.
  private static let pace: UInt64 = 16_000_000

  /// What is asked for who is there gets the name of the own instance.
  init(
    file: String, pointer: JSONPointer, terminal: Terminal, observer: TextDocumentObserver,
    company: @escaping (_ instance: String) throws -> [String]
  ) {
    self.company = company
    self.terminal = terminal
    self.observer = observer
    start = pointer
    log = LogVersions(file: file)
    store = InspectorStore(Inspector(file: file, size: terminal.size, now: MonotonicClock.now())) { $0.reduce($1) }
  }

  /// Runs until a key or a signal ends it.
  func run() throws {
    var drawn: UInt64 = 0
    var isDue = true
    // What glows fades, though nothing happens.
    while let news = try observer.next(
      until: isDue ? drawn + Self.pace : store.state.nextChange,
      or: terminal.keyDescriptor)
    {
      store.dispatch(.tick(MonotonicClock.now()))
      take(news)
      playOn()
      guard let keys = terminal.keys() else { return }
      for key in keys.flatMap(Keymap.keys) where !press(key) { return }
      refreshVersions()
      let now = MonotonicClock.now()
      isDue = keys.isEmpty && now < drawn + Self.pace
      if isDue { continue }
      show()
      drawn = now
    }
  }

  /// As ``run()``, in lines: what is typed in one is answered in one, and what happens is told when it does.
  func runPlainly(_ tell: (String) throws -> Void) throws {
    try tell(PlainText.greeting)
    var typed: [UInt8] = []
    var (isEnded, isAwaited) = (false, false)
    while let news = try observer.next(
      until: store.state.timeline?.playing?.due, or: isEnded ? -1 : StandardStream.input.descriptor)
    {
      store.dispatch(.tick(MonotonicClock.now()))
      let former = store.state
      take(news)
      for line in PlainText.news(store.state, since: former) { try tell(line) }
      if former.document == nil, store.state.document != nil { try tell(PlainText.answer(store.state)) }
      if playOn() { try tell(PlainText.answer(store.state)) }
      refreshVersions()
      if isAwaited, edits == 0 {
        isAwaited = false
        try tellAnswer(tell)
      }
      if !isEnded, try Poller.wait(for: [StandardStream.input.descriptor], until: 0) {
        let bytes = try StandardStream.input.read()
        isEnded = bytes.isEmpty
        typed += bytes
      }
      // The next line is about what the one before has led to.
      while !isAwaited, let end = typed.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: typed[..<end], as: UTF8.self)
        typed.removeFirst(end + 1)
        for key in PlainKeys.keys(for: line, store.state.mode) where !press(key) { return }
        isAwaited = edits > 0
        if !isAwaited { try tellAnswer(tell) }
      }
      if isEnded, !isAwaited { return }
    }
  }

  private func tellAnswer(_ tell: (String) throws -> Void) throws {
    try tell(PlainText.answer(store.state))
    // What was typed wrongly is typed anew, and a text that was told has been read.
    switch store.state.mode {
    case .prompting, .reading, .help: _ = press(.escape)
    case .browsing, .timeline, .deciding, .correcting: break
    }
  }

  private func take(_ news: TextDocumentObserver.News) {
    show(news)
    let answers = answers.take()
    if answers.isEmpty { return }
    // The state that an answer is about was told before it, and may have come after the news.
    show(observer.pending())
    for answer in answers {
      edits -= 1
      store.dispatch(answer)
    }
  }

  private func show(_ news: TextDocumentObserver.News) {
    if !news.notices.isEmpty { store.dispatch(.notices(news.notices.map(\.message))) }
    for event in news.problems {
      store.dispatch(.problem(event))
      if case .occurred(let problem) = event { showPlace(of: problem) }
    }
    note(news)
    if let change = news.change, change.value.bytes != store.state.document?.document.bytes {
      if news.notices.isEmpty, isStarted { store.dispatch(.notices([])) }
      store.dispatch(.show(change.value, change.cause, time: WallClock.time))
      areVersionsStale = true
      if !isStarted { begin() }
    }
  }

  /// Shows what stands in the file at the place of a problem.
  private func showPlace(of problem: Problem) {
    guard problem.code == .invalidJSON, let line = problem.line, let column = problem.column else { return }
    // Where the file can't be read now, another problem says so.
    guard let file = try? SharedFile(path: store.state.file, instance: observer.mirror.instance),
      case .contents(let contents)? = try? file.read()
    else { return }
    store.dispatch(.excerpt(Excerpt(of: contents.bytes, line: line, column: column)))
  }

  /// Goes to where somebody wants to look, with what they want to see as the first line.
  private func begin() {
    isStarted = true
    guard !start.tokens.isEmpty else { return }
    store.dispatch(.go(start))
    if store.state.pointer == start { store.dispatch(.enter) }
  }

  /// Does what a key is for; false if it ends the session.
  private func press(_ key: Key) -> Bool {
    for command in Keymap.commands(for: key, store.state) {
      switch command {
      case .dispatch(let action): store.dispatch(action)
      case .commit(let edit, let way): commit(edit, way)
      case .copy(let text, let name):
        terminal.copy(text)
        store.dispatch(.say(Inspector.Message(text: "copied \(name): \(text.prefix(200))")))
      case .open(let draft): edit(draft)
      case .loadVersions: loadVersions()
      case .look(let moment): look(at: moment)
      case .compare(let moment, let other): compare(moment, other)
      case .restore(let moment, let pointer): restore(moment, pointer)
      case .openRecording(let path): open(path)
      case .startCapture(let path, let moment): startCapture(path, from: moment)
      case .endCapture: endCapture()
      case .loadCompany: showCompany()
      case .redraw:
        terminal.suspend()
        terminal.resume()
      case .quit: return false
      }
    }
    return true
  }

  private func show() {
    let size = terminal.size
    if size != store.state.size { store.dispatch(.resize(size)) }
    terminal.show(InspectorScreen(store.state).lines, size: size)
  }

  // MARK: - Recording

  private func startCapture(_ path: String, from moment: TimelinePane.Moment?) {
    saying {
      guard let document = store.state.document?.document else { return }
      for name in [path, "\(path).1"] { try RecordingPath.refuse(name, as: store.state.file) }
      var steps: [HistoryStep] = []
      if let moment {
        guard let known = try log.steps(from: moment, to: document) else { return sayIsGone(moment) }
        steps = known
      }
      capture = try InspectorCapture(into: path, of: store.state.file, after: steps, now: document)
      observer.setInterest([.writing, .eachChange])
      store.dispatch(.capture(into: path))
      let count = max(0, steps.count - 1)
      let past = count == 0 ? "" : " \(count) \(count == 1 ? "change" : "changes") so far;"
      store.dispatch(.say(Inspector.Message(text: "recording into \(path);\(past) s ends it")))
    }
  }

  private func endCapture() {
    guard let path = store.state.capture else { return }
    saying {
      defer { forgetCapture() }
      try capture?.end()
      store.dispatch(.say(Inspector.Message(text: "recorded into \(path); o opens it")))
    }
  }

  /// Records what is new, if anything is recorded. What can't be written ends the recording, and that is said.
  private func note(_ news: TextDocumentObserver.News) {
    guard capture != nil else { return }
    saying {
      do {
        for change in news.changes { try capture?.note(change.value, cause: change.cause) }
      } catch {
        forgetCapture()
        throw error
      }
    }
  }

  private func forgetCapture() {
    capture = nil
    observer.setInterest(.writing)
    store.dispatch(.capture(into: nil))
  }

  /// Takes in what came after the last look, and ends what is recorded.
  func end(_ news: TextDocumentObserver.News) throws {
    for change in news.changes { try capture?.note(change.value, cause: change.cause) }
    try capture?.end()
  }

  // MARK: - Who is there

  private func showCompany() {
    saying {
      let text = try company(observer.mirror.instance).joined(separator: "\n")
      store.dispatch(.mode(.reading(Inspector.Reading(title: "who is there", text: text))))
    }
  }

  /// Does something that may fail, and says how.
  func saying(_ body: () throws -> Void) {
    do {
      try body()
    } catch {
      sayBadly(Failure(describing: error).message)
    }
  }

  func sayBadly(_ text: String) { store.dispatch(.say(Inspector.Message(text: text, isBad: true))) }

  // MARK: - Edits

  func commit(_ edit: Edit, _ way: OwnEdits.Way) {
    edits += 1
    observer.mirror.submit(.edit(edit)) { [answers, observer] commit in
      let outcome: EditOutcome =
        switch commit.outcome {
        case .success: .done
        case .failure(.movedOn), .failure(.pointer): .movedOn
        case .failure(let error): .failed(error.description)
        }
      answers.put(.edited(edit, way, outcome))
      observer.wake()
    }
  }

  private func edit(_ draft: Draft) {
    var draft = draft
    do {
      terminal.suspend()
      defer { terminal.resume() }
      let edited = try TextEditor.edited(draft.text)
      if let failure = edited.failure {
        // What was saved nevertheless isn't to be lost, nor to be taken unseen.
        if edited.text == draft.text { return sayBadly("\(failure), so nothing was changed") }
        (draft.text, draft.complaint) = (edited.text, failure)
        return store.dispatch(.mode(.correcting(draft)))
      }
      draft.text = edited.text
      let new = try JSONValue(parsing: draft.text)
      if new != draft.old { commit(Edit(draft.target, .rewrite(draft.old, as: new)), .first) }
    } catch let error as JSONParseError {
      draft.complaint = "line \(error.line), column \(error.column): \(error.message)"
      store.dispatch(.mode(.correcting(draft)))
    } catch {
      sayBadly(Failure(describing: error).message)
    }
  }
}

/// What came of edits, told on the thread that mirrors the file, for the one that shows it.
private final class EditAnswers: Sendable {
  private let waiting = Mutex<[InspectorAction]>([])

  func put(_ answer: InspectorAction) { waiting.withLock { $0.append(answer) } }

  func take() -> [InspectorAction] {
    waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
  }
}
