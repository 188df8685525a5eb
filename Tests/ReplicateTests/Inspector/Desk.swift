import HotReload
import StateJSON
import StoreCore
import TerminalScreen

@testable import replicate

/// Somebody who sits before an inspector: what they press, what others do, and what they see.
struct Desk {
  private(set) var inspector: Inspector
  /// What the keys have led to outside of the inspector, in order.
  private(set) var copied: [String] = []
  private(set) var opened: [Draft] = []
  private(set) var committed: [Edit] = []
  /// What is to be found out elsewhere.
  private(set) var asked: [Command] = []
  private(set) var isOver = false
  /// Whether edits get into the file at once.
  var isConnected = true
  private var parser = KeyParser()
  private var clock: UInt64 = 1_000_000_000

  init(_ json: String, columns: Int = 60, rows: Int = 14, file: String = "state.json") throws {
    inspector = Inspector(file: file, size: Size(columns: columns, rows: rows), now: clock)
    try others(save: json, cause: .start)
  }

  /// The keys as a terminal sends them.
  mutating func press(_ keys: String) {
    for key in (parser.keys(in: Array(keys.utf8)) + parser.finish()).flatMap(Keymap.keys) { press(key) }
  }

  mutating func press(_ key: Key) {
    for command in Keymap.commands(for: key, inspector) { perform(command) }
  }

  private mutating func perform(_ command: Command) {
    switch command {
    case .dispatch(let action): inspector.reduce(action)
    case .copy(let text, _): copied.append(text)
    case .open(let draft): opened.append(draft)
    case .commit(let edit, let way):
      committed.append(edit)
      if isConnected { commit(edit, way) }
    case .loadVersions, .look, .compare, .restore, .loadCompany, .openRecording, .startCapture, .endCapture:
      asked.append(command)
    case .redraw: break
    case .quit: isOver = true
    }
  }

  /// Brings an edit into the file, as it stands by now.
  mutating func commit(_ edit: Edit, _ way: OwnEdits.Way = .first) {
    guard let document = inspector.document?.document else { return }
    var value = document.value
    do {
      try DocumentOperation.edit(edit).apply(to: &value)
    } catch {
      return inspector.reduce(.edited(edit, way, .movedOn))
    }
    inspector.reduce(.show(document.replacingValue(with: value), .action, time: "14:00:00"))
    inspector.reduce(.edited(edit, way, .done))
  }

  /// Somebody else saves.
  mutating func others(save json: String, cause: Cause = .edit, time: String = "14:03:27") throws {
    inspector.reduce(.show(try JSONDocument(parsing: json), cause, time: time))
  }

  mutating func wait(milliseconds: UInt64) {
    clock += milliseconds * 1_000_000
    inspector.reduce(.tick(clock))
  }

  mutating func resize(columns: Int, rows: Int) { inspector.reduce(.resize(Size(columns: columns, rows: rows))) }

  mutating func receive(_ action: InspectorAction) { inspector.reduce(action) }

  var lines: [Line] { InspectorScreen(inspector).lines }

  /// What stands on the screen, without the spaces at the ends of lines.
  var screen: String {
    lines.map { line in String(line.text.reversed().drop { $0 == " " }.reversed()) }.joined(separator: "\n")
  }

  /// The line that the cursor is on.
  var cursorLine: String {
    let marked = lines.dropFirst().first { $0.spans.contains { $0.style.isInverse } }
    return marked.map { String($0.text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) } ?? ""
  }

  /// The last line but that of the keys.
  var status: String { lines.suffix(2).first.map { String($0.text.reversed().drop { $0 == " " }.reversed()) } ?? "" }

  var value: JSONValue? { inspector.document?.document.value }
}
