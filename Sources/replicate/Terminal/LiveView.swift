import HotReload
import StateJSON
import StoreCore

/// What the live view shows at one moment; a pure function of these values.
///
/// The state fills the screen, with what just changed highlighted and in view. Below stand problems, and a line that
/// says who changed the state and when.
struct LiveView {
  /// The path as it was typed.
  var file: String
  /// The state before the last change; `nil` if there was none yet.
  var old: JSONValue?
  /// The state; `nil` while none could be read.
  var new: JSONValue?
  var cause: Cause
  /// When the change came, as text: `14:03:27`.
  var time: String
  /// What is wrong now, in plain words, one sentence each.
  var problems: [String] = []
  /// What a person may want to know about the last change; shown until the next one.
  var notices: [String] = []
  private var areNoticesNew = false
  var isColored = true

  init(
    file: String, old: JSONValue? = nil, new: JSONValue? = nil, cause: Cause, time: String, problems: [String] = [],
    isColored: Bool = true
  ) {
    (self.file, self.old, self.new, self.cause, self.time) = (file, old, new, cause, time)
    (self.problems, self.isColored) = (problems, isColored)
  }

  /// Takes notices, if there are any. They come before the change that they are about.
  mutating func take(notices: [String]) {
    guard !notices.isEmpty else { return }
    self.notices = notices
    areNoticesNew = true
  }

  /// Goes on to another state.
  mutating func show(_ value: JSONValue, cause: Cause, time: String) {
    (old, new, self.cause, self.time) = (new, value, cause, time)
    if !areNoticesNew { notices = [] }
    areNoticesNew = false
  }

  /// The lines of the screen: at most `size.rows`, each at most `size.columns` wide.
  func lines(size: Terminal.Size) -> [String] {
    guard size.rows > 0 else { return [] }
    let status = status(columns: size.columns)
    let notes =
      problems.map { ("! \($0.escapedForTerminalLine)", Style.problem) }
      // Whole, since they end with what can be done.
      + notices.flatMap { $0.escapedForTerminalLine.wrapped(to: size.columns) }.map { ($0, Style.notice) }
    let warnings = notes.prefix(size.rows - 1).map { styled($0.0.clipped(toColumns: size.columns), $0.1) }
    let room = size.rows - warnings.count - 1
    return stateLines(rows: room, columns: size.columns) + warnings + [status]
  }

  // MARK: The state

  private func stateLines(rows: Int, columns: Int) -> [String] {
    guard let new, rows > 0 else { return [] }
    let changed = old.map { ChangedPlaces(from: $0, to: new) } ?? ChangedPlaces()
    let lines = PrettyLine.lines(of: new).map { line in
      (text: line.text, isChanged: changed.contain(line.pointer))
    }
    let first = Self.firstVisibleLine(of: lines.map(\.isChanged), rows: rows)
    return lines.dropFirst(first).prefix(rows).map { line in
      let text = line.text.escapedForTerminal.clipped(toColumns: columns)
      return line.isChanged ? styled(text, .change) : text
    }
  }

  /// Scrolls no further than is needed to show the first change with some lines above it.
  private static func firstVisibleLine(of isChanged: [Bool], rows: Int) -> Int {
    guard let change = isChanged.firstIndex(of: true), change >= rows - 1 else { return 0 }
    return min(change - rows / 3, max(0, isChanged.count - rows))
  }

  // MARK: Status

  private func status(columns: Int) -> String {
    let nothing = problems.isEmpty ? "waiting for the file" : "nothing to show yet"
    let what = new == nil ? nothing : "\(cause.phrase) at \(time)"
    let text = " \(file) · \(what) ".escapedForTerminalLine.clipped(toColumns: columns)
    let padding = String(repeating: " ", count: max(0, columns - text.terminalWidth))
    return isColored ? styled(text + padding, .status) : text
  }

  // MARK: Colours

  /// Graphic renditions of ECMA-48 that are readable on dark and on light screens.
  private enum Style: String {
    case change = "1;33"
    case problem = "31"
    case notice = "36"
    case status = "7"
  }

  private func styled(_ text: String, _ style: Style) -> String {
    isColored ? "\u{1b}[\(style.rawValue)m\(text)\u{1b}[0m" : text
  }
}

extension LiveView {
  /// What makes a terminal show these lines, and nothing else, without flicker.
  static func frame(_ lines: [String]) -> String {
    let home = "\u{1b}[H"
    let clearLine = "\u{1b}[K"
    let clearBelow = "\u{1b}[J"
    // Cleared before it is written: after a line as wide as the screen, clearing would take its last character.
    let cleared = lines.dropLast().map { clearLine + $0 } + lines.suffix(1).map { clearBelow + $0 }
    return home + cleared.joined(separator: "\r\n")
  }
}
