import HotReload
import StateJSON
import StoreCore
import TerminalScreen

/// All that an inspector shows of a file, and where somebody is in it.
///
/// Its parts are many since each is a thing of its own on the screen, and any may be there with any other: what only one of several
/// can be at a time is a ``Mode``.
struct Inspector: Sendable {
  /// The path as it was typed.
  var file: String
  /// The newest state of the file; `nil` while none could be read.
  var document: TreeDocument?
  /// What is wrong now, by what it is.
  var problems: [Problem.Code: Problem] = [:]
  /// What stands in the file where that isn't valid JSON.
  var excerpt: Excerpt?
  /// What a person may want to know about the last change; shown until the next one.
  var notices: [String] = []
  /// Where the last change came from, and when.
  var last: (cause: Cause, time: String) = (.start, "")
  var marks = Marks()
  var position: Position
  /// What only a part of the document is shown of, if somebody asked for that.
  var filter: Filter?
  var search: Search?
  var mode = Mode.browsing
  /// What came of the last key; gone with the next one.
  var message: Message?
  var own = OwnEdits()
  /// The recent versions, if somebody wants to see them.
  var timeline: TimelinePane?
  /// The file into which what happens is being recorded.
  var capture: String?
  /// What is looked at in the place of the newest state.
  var past: Past?
  /// What was removed or copied last, for pasting.
  var clipboard: JSONValue?
  /// Whether the cursor goes to what changes.
  var isFollowing = false
  var size: Size
  /// In nanoseconds of the monotonic clock.
  var now: UInt64

  /// Something to say in the last line.
  struct Message: Equatable, Sendable {
    var text: String
    var isBad = false
  }

  /// What the keys are for.
  indirect enum Mode: Equatable, Sendable {
    case browsing
    /// A version is chosen.
    case timeline
    /// Something is typed into the last line.
    case prompting(Prompt)
    /// Somebody else has changed what was edited; what was being done goes on after the decision.
    case deciding(Conflict, then: Mode)
    /// What was left in the editor isn't JSON.
    case correcting(Draft)
    /// A text is read, from a line on.
    case reading(Reading)
    case help(first: Int)

    /// What a question that comes up meanwhile leads back to: what somebody has typed, and what waits for an answer.
    var interrupted: Mode {
      switch self {
      case .prompting, .deciding, .correcting: self
      case .browsing, .timeline, .reading, .help: .browsing
      }
    }
  }

  struct Search: Equatable, Sendable {
    var text: String
    var isBackward = false
  }

  /// What the tree is narrowed to.
  struct Filter: Equatable, Sendable {
    var text: String
    /// The entries that have it, in the newest document.
    var found: [Int]
  }

  struct Reading: Equatable, Sendable {
    var title: String
    var text: String
    var first = 0
    /// Whether its lines say what was added, removed and changed.
    var isDifference = false
  }

  init(file: String, root: Place = .root, size: Size, now: UInt64) {
    self.file = file
    self.size = size
    self.now = now
    position = Position(root: root)
  }
}

/// Where somebody is in a document, whatever becomes of it.
struct Position: Equatable, Sendable {
  /// The value that is shown as the first line.
  var root: Place
  var folds = Folds(depth: 1)
  var cursor: Place
  /// The indices that led to the cursor when it was there last.
  var indices: [Int] = []
  /// How many lines of the tree are above the cursor's.
  var row = 0
  /// The lines of before a jump, for going back.
  var trail: [Place] = []

  init(root: Place) {
    self.root = root
    cursor = root
  }
}

extension Inspector {
  /// The tree that is shown, if there is a document.
  var tree: Tree? {
    shown.map { Tree(document: $0, root: position.root, folds: position.folds, filtered: filter?.found) }
  }

  /// What is shown: the newest state, or an earlier one.
  var shown: TreeDocument? { past?.document ?? document }

  /// When the screen changes though nothing happens: what glows fades, and what is played goes on.
  var nextChange: UInt64? {
    [marks.nextChange(after: now), timeline?.playing?.due].compactMap(\.self).min()
  }

  /// How many lines the tree has: there is one at the top, and some are at the bottom.
  var treeRows: Int { max(1, size.rows - 1 - footRows - timelineRows - excerptRows) }

  /// How many lines show what is wrong in the file.
  var excerptRows: Int {
    guard excerpt != nil else { return 0 }
    return max(0, min(8, (size.rows - 1 - footRows - timelineRows) / 2))
  }

  /// How many lines the versions have, with one above them.
  var timelineRows: Int {
    guard timeline != nil else { return 0 }
    let room = size.rows - 1 - footRows
    return min(max(4, room / 2), room, 14)
  }

  /// Problems and notices, the last message or prompt, and the keys.
  var footRows: Int { notes.count + (size.rows < 8 ? 1 : 2) }

  /// What is to be said for longer than until the next key.
  var notes: [String] {
    let all = problems.values.map(\.description).sorted() + notices
    return Array(
      all.flatMap { $0.escapedForTerminalLine.wrapped(toColumns: max(10, size.columns - 3)) }
        .prefix(max(0, size.rows / 3)))
  }

  /// The pointer of the cursor's value; that of the root where there is nothing.
  var pointer: JSONPointer { read { text, path in text.pointer(of: path) } ?? .root }

  /// The same as what an edit means.
  var target: EditTarget {
    read { text, path in
      EditTarget(text.pointer(of: path), identities: path.levels.map { text.identity(of: text.value(at: $0), in: $0) })
    } ?? EditTarget(.root)
  }

  /// The value at the cursor.
  var value: JSONValue? { read { text, path in text.value(at: text.node(at: path)) } }

  /// Does something with the text of the document and the path of the cursor.
  func read<Result>(_ body: (TreeText, TreePath) -> Result) -> Result? {
    shown?.read { text in body(text, text.path(to: position.cursor, former: position.indices).path) }
  }
}
