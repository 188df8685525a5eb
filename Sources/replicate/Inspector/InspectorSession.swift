import HotReload
import RemoteControl
import StateJSON
import StoreCore
import Synchronization
import TerminalScreen

typealias TextDocumentObserver = FileObserver<TextDocumentModel>
typealias InspectorStore = Store<Inspector, InspectorAction>

/// An inspector on a terminal: keys and news become actions, and states become screens.
final class InspectorSession {
  private let store: InspectorStore
  private let terminal: Terminal
  private let observer: TextDocumentObserver
  private let answers = EditAnswers()
  private let start: JSONPointer
  private var isStarted = false

  /// No two frames are closer to each other, in nanoseconds.
  private static let pace: UInt64 = 16_000_000

  init(file: String, pointer: JSONPointer, terminal: Terminal, observer: TextDocumentObserver) {
    self.terminal = terminal
    self.observer = observer
    start = pointer
    store = InspectorStore(Inspector(file: file, size: terminal.size, now: MonotonicClock.now())) { $0.reduce($1) }
  }

  /// Runs until a key or a signal ends it.
  func run() throws {
    var drawn: UInt64 = 0
    var isDue = true
    // What glows fades, though nothing happens.
    while let news = try observer.next(
      until: isDue ? drawn + Self.pace : store.state.marks.nextChange(after: store.state.now),
      or: terminal.keyDescriptor)
    {
      store.dispatch(.tick(MonotonicClock.now()))
      take(news)
      guard let keys = terminal.keys() else { return }
      for key in keys where !press(key) { return }
      let now = MonotonicClock.now()
      isDue = keys.isEmpty && now < drawn + Self.pace
      if isDue { continue }
      show()
      drawn = now
    }
  }

  private func take(_ news: TextDocumentObserver.News) {
    if !news.notices.isEmpty { store.dispatch(.notices(news.notices.map(\.message))) }
    for event in news.problems { store.dispatch(.problem(event)) }
    if let change = news.change, change.value.bytes != store.state.document?.bytes {
      if news.notices.isEmpty, isStarted { store.dispatch(.notices([])) }
      store.dispatch(.show(change.value, change.cause, time: WallClock.time))
      if !isStarted { begin() }
    }
    for answer in answers.take() { store.dispatch(answer) }
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

  // MARK: - Edits

  private func commit(_ edit: Edit, _ way: OwnEdits.Way) {
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
      draft.text = try TextEditor.edited(draft.text)
      let new = try JSONValue(parsing: draft.text)
      if new != draft.old { commit(Edit(pointer: draft.pointer, change: .rewrite(draft.old, as: new)), .first) }
    } catch let error as JSONParseError {
      draft.complaint = "line \(error.line), column \(error.column): \(error.message)"
      store.dispatch(.mode(.mending(draft)))
    } catch {
      store.dispatch(.say(Inspector.Message(text: Failure(describing: error).message, isBad: true)))
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
