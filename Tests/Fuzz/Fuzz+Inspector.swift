// What is shown in a terminal, and what is typed there.

import HotReload
import StateJSON
import StoreCore
import TerminalScreen

@testable import replicate

/// A document, one that it becomes, and keys that are pressed meanwhile. Whatever they are, the screen is whole, and holds nothing that
/// commands the terminal.
func fuzzInspector(_ input: [UInt8]) {
  let parts = input.parts(4)
  let documents = parts[..<2].map { try? JSONDocument(parsing: $0) }
  guard let first = documents[0] else { return }
  let size = Size(columns: 1 + parts[3].count % 50, rows: 1 + (parts[3].first.map(Int.init) ?? 12) % 20)
  var inspector = Inspector(file: "f", size: size, now: 1)
  inspector.reduce(.show(first, .start, time: "0:00"))
  check(inspector)
  var parser = KeyParser()
  let keys = parser.keys(in: parts[2]) + parser.finish()
  press(keys.prefix(40), &inspector)
  if let second = documents[1] {
    inspector.reduce(.show(second, .edit, time: "0:01"))
    check(inspector)
  }
  press(keys.dropFirst(40).prefix(40), &inspector)
  inspector.reduce(.excerpt(Excerpt(of: parts[1], line: 1 + parts[3].count, column: 1 + parts[2].count)))
  check(inspector)
}

private func press(_ keys: some Sequence<Key>, _ inspector: inout Inspector) {
  for key in keys.flatMap(Keymap.keys) {
    for command in Keymap.commands(for: key, inspector) {
      switch command {
      case .dispatch(let action): inspector.reduce(action)
      case .commit(let edit, let way): commit(edit, way, &inspector)
      default: break  // What else a key asks for is done outside of what is shown.
      }
    }
    check(inspector)
  }
}

private func commit(_ edit: Edit, _ way: OwnEdits.Way, _ inspector: inout Inspector) {
  guard let document = inspector.document?.document else { return }
  var value = document.value
  guard (try? DocumentOperation.edit(edit).apply(to: &value)) != nil else {
    return inspector.reduce(.edited(edit, way, .movedOn))
  }
  var back = value
  require((try? DocumentOperation.edit(edit.inverse).apply(to: &back)) != nil, "an edit can be taken back")
  require(back == document.value, "what is taken back is as it was")
  inspector.reduce(.show(document.replacingValue(with: value), .action, time: "0:02"))
  inspector.reduce(.edited(edit, way, .done))
}

private func check(_ inspector: Inspector) {
  let lines = InspectorScreen(inspector).lines
  require(lines.count == inspector.size.rows, "the screen has as many lines as there are")
  for line in lines {
    require(line.columns <= inspector.size.columns, "a line fits")
    require(!line.text.contains(where: \.isCommand), "a line commands no terminal")
  }
  require(
    PlainText.answer(inspector).unicodeScalars.allSatisfy { $0 == "\n" || $0 == "\t" || !Character($0).isCommand },
    "nor does an answer")
  guard let document = inspector.document, inspector.past == nil else { return }
  let isThere = document.read { text in
    text.path(to: inspector.position.cursor, former: inspector.position.indices).isThere
  }
  require(isThere, "the cursor is on something")
}
