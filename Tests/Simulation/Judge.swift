import HotReload
import SimulatedMachine
import StateJSON

/// A save that an editor completed.
final class Save {
  let editor: Int
  /// The marks of all editors that it contains.
  let marks: [String]
  let bytes: [UInt8]
  let isValid: Bool
  /// When it took hold of the file that it was written to.
  let opened: UInt64
  var completed: UInt64 = 0
  /// The hash of its bytes, as the versions have it.
  private(set) lazy var hash = "\(ContentHash(bytes))"
  /// It was swapped out: it is newer than what stood at the path before, and may be taken in after what came later.
  var wasDisplaced = false
  /// Another editor destroyed it.
  var isOverwritten = false
  /// An instance has noted it among the versions.
  var isNoted = false
  /// What it was made from; none if an instance wrote that.
  let origin: Save?
  /// It was there before anybody came.
  let isInitial: Bool
  /// What it replaces on purpose; none if it is an editor's.
  var replacement: Replacement?

  /// What the file had that somebody has replaced, and is not to have any more.
  struct Replacement {
    /// The hash of the newest version.
    let newest: String
    /// The actions.
    let leftOut: Set<String>
    /// Whether it is more like the newest version than like any that somebody can have in a buffer.
    let isClear: Bool
  }

  /// No instance has ever noted anything that it was made from.
  var isOfUnknownOrigin: Bool { origin.map { !$0.isNoted && $0.isOfUnknownOrigin } ?? isInitial }

  init(editor: Int, bytes: [UInt8], isValid: Bool, opened: UInt64, origin: Save?, isInitial: Bool = false) {
    self.editor = editor
    self.bytes = bytes
    self.isValid = isValid
    self.opened = opened
    self.origin = origin
    self.isInitial = isInitial
    marks = (0..<SimulatedModel.editors).map { bytes.mark(of: $0) ?? "" }
  }
}

/// What is known of a file, as long as it exists.
final class FileNote {
  /// The complete save of an editor that its bytes are.
  var save: Save?
  /// The save that an editor last began to write into it.
  var draft: Save?
  /// Whether an instance has written to it last.
  var isWrittenByInstance = false
  /// The editor that is at it; editors that write into the same file at once are nobody's concern.
  weak var editor: Editor?
  /// An editor has removed it or put another in its place; what is saved into it is lost by the editors alone.
  var isForsaken = false

  /// That of a file, made if there is none yet.
  static func of(_ inode: Inode) -> FileNote {
    if let note = inode.note as? FileNote { return note }
    let note = FileNote()
    inode.note = note
    return note
  }
}

extension Inode {
  /// Whether an instance has written what is in it.
  var isWrittenByInstance: Bool { (note as? FileNote)?.isWrittenByInstance == true }

  /// The save of an editor that its bytes come from; none if an instance wrote them.
  var author: Save? {
    let note = note as? FileNote
    return note?.save ?? (isWrittenByInstance ? nil : note?.draft)
  }
}

extension [UInt8] {
  /// Where an editor's mark is.
  func markRange(of editor: Int, key: Character = "e") -> Range<Int>? {
    guard let key = firstRange(of: "\"\(key)\(editor)\""),
      let quote = self[key.upperBound...].firstIndex(of: UInt8(ascii: "\"")), quote + 5 <= count
    else { return nil }
    return quote + 1..<quote + 5
  }

  func mark(of editor: Int) -> String? { markRange(of: editor).map { Array(self[$0]).text } }

  /// Sets an editor's mark at both places that it has.
  mutating func set(mark: String, of editor: Int) {
    for key: Character in ["e", "z"] {
      if let range = markRange(of: editor, key: key) { replaceSubrange(range, with: mark.utf8) }
    }
  }
}

/// Knows what must not happen, and sees whether it did.
final class Judge {
  struct Token {
    let counter: String
    /// Since when it has stood in the file.
    var first: UInt64?
    var isAcknowledged = false
  }

  private(set) var violations: [String] = []
  private(set) var tokens: [String: Token] = [:]
  private(set) var saves: [Save] = []
  /// What editors begin with.
  let initial = Save(
    editor: 0, bytes: Array(SimulatedModel.text.utf8), isValid: true, opened: 0, origin: nil, isInitial: true)
  /// When the file was deleted.
  var deletions: [UInt64] = []
  /// When an editor left the file empty or torn for good. An instance that joins then may find it empty, and seed it.
  var destructions: [UInt64] = []
  /// An instance found nothing at the path and made the file, in a formatting of its own.
  var wasMadeAnew = false
  /// Versions could not be looked up, or others went on without them.
  var isForgetful = false
  /// The versions that were believed and noted, by their hashes.
  private var noted: Set<String> = []
  /// Those that somebody from outside can have read, as it was noted, and what a log says of itself.
  private var read: Set<String> = []
  /// What instances have put at the path, one after another.
  private(set) var versions: [[UInt8]] = []
  /// What was kept elsewhere, and reported.
  var rescued: () -> [[UInt8]] = { [] }

  func blame(_ violation: String) {
    if violations.count < 5 { violations.append(violation) }
  }

  // MARK: What happens

  func submitted(_ action: SimulatedModel.Action) { tokens[action.token] = Token(counter: action.counter) }

  func acknowledged(_ token: String) { tokens[token]?.isAcknowledged = true }

  /// An instance has put another file at the path, or taken away the one that was there.
  func swapped(_ old: Inode?, for new: Inode?, at now: UInt64) {
    if let save = (old?.note as? FileNote)?.save, !save.isNoted { save.wasDisplaced = true }
    guard let new else { return }
    if new.isWrittenByInstance {
      // Or it was empty when the instance looked, as an editor had left it so, and has been saved since.
      let mayHaveBeenEmpty = !destructions.isEmpty && !new.bytes.contains(SimulatedModel.odd)
      if old?.bytes.isEmpty != false || mayHaveBeenEmpty { wasMadeAnew = true }
      for token in tokens(in: new.bytes) where tokens[token]?.first == nil { tokens[token]?.first = now }
      versions.append(new.bytes)
    } else if new.bytes.isEmpty, !destructions.isEmpty {
      destructions.append(now)
    }
  }

  /// Those of all tokens that stand in a text.
  func tokens(in bytes: [UInt8]) -> Set<String> { Set(tokens.keys.filter { bytes.contains("\"\($0)\"") }) }

  func completed(_ save: Save, at now: UInt64) {
    save.completed = now
    saves.append(save)
  }

  /// The versions that a log has now: what is among them was believed by the instance that noted it.
  ///
  /// A save that is part of what is yet to come to stand is nobody's version before that.
  func noteVersions(in log: [UInt8]) {
    var pending: Set<String> = []
    for line in log.split(separator: UInt8(ascii: "\n")) {
      let isMarked = line.first == UInt8(ascii: "?")
      let fields = (isMarked ? line.dropFirst() : line).split(separator: UInt8(ascii: " "), maxSplits: 7)
      guard fields.count == 8 else { continue }
      let (kind, hash) = (String(decoding: fields[1], as: UTF8.self), String(decoding: fields[2], as: UTF8.self))
      if kind == "read" { read.insert(hash) }
      guard ["whole", "patch"].contains(kind) else { continue }
      if isMarked { noted.subtract(pending) } else { noted.insert(hash) }
      if fields[5].elementsEqual("merged".utf8) { pending.insert(hash) } else { pending = [] }
    }
    for save in [initial] + saves where !save.isNoted && noted.contains(save.hash) { save.isNoted = true }
  }

  /// A state that somebody was shown.
  func shown(_ state: JSONValue, by name: String) {
    for editor in 0..<SimulatedModel.editors where state.string(at: "e\(editor)") != state.string(at: "z\(editor)") {
      blame("promise 3: \(name) believes a torn file: \(state)")
    }
  }

  /// An instance destroys a file beside the path.
  func destroys(_ inode: Inode, where path: Inode?, by name: String) {
    guard let save = (inode.note as? FileNote)?.save, save.isValid, !save.isOverwritten, !rescued().contains(save.bytes)
    else { return }
    if path === inode { return }
    let (mark, standing) = (save.marks[save.editor], path?.bytes.mark(of: save.editor) ?? "")
    if standing >= mark || isReverted(save, to: standing) { return }
    // While the file is missing or somebody writes to it, it can't tell.
    guard let path, (path.note as? FileNote)?.save != nil || path.isWrittenByInstance else { return }
    blame("promise 2: \(name) destroys the save \(mark) of editor \(save.editor), which nobody took in")
  }

  /// Whether a later save set the same place to something older.
  private func isReverted(_ save: Save, to mark: String) -> Bool {
    saves.contains { $0 !== save && ($0.completed >= save.opened || $0.wasDisplaced) && $0.marks[save.editor] == mark }
      || (wasMadeAnew ? deletions + destructions : deletions).contains { $0 >= save.opened }
  }

  // MARK: The end

  /// All is quiet; these are the files of all machines, and the states that the instances show.
  func conclude(files: [[UInt8]?], views: [(name: String, state: JSONValue)]) {
    guard violations.isEmpty else { return }
    let isShared = files.count > 1
    if !isShared, files[0] == nil {
      if deletions.isEmpty { blame("promise 2: the file is gone") }
      return
    }
    let files = files.map { $0 ?? [] }
    let states = files.map { try? JSONValue(parsing: $0) }
    guard let state = states[0], states.allSatisfy({ $0 == state }) else {
      let what = isShared ? "the devices differ" : "the file is not valid"
      return blame("promise 4: \(what): \(files.map(\.text))")
    }
    shown(state, by: "the file")
    if isShared { checkCounters(state) } else { checkTokens(state) }
    checkSaves(state)
    checkReplacements(state)
    checkViews(views, state)
    for file in files { checkFormatting(file) }
  }

  /// Nobody's last save was lost, but by another editor.
  private func checkSaves(_ state: JSONValue) {
    let rescued = rescued()
    for editor in 0..<SimulatedModel.editors {
      guard let save = saves.last(where: { $0.editor == editor && $0.isValid }) else { continue }
      let mark = state.string(at: "e\(editor)") ?? ""
      // What another editor overwrote before any instance could note it, only editors have lost.
      let isEditorsLoss = save.isOverwritten && !save.isNoted
      if mark == save.marks[editor] || rescued.contains(save.bytes) || isEditorsLoss || isReverted(save, to: mark) {
        continue
      }
      blame("promise 2: the save \(save.marks[editor]) of editor \(editor) was lost; the file has \(mark)")
    }
  }

  /// What nobody can have made in a buffer has replaced the file as a whole.
  private func checkReplacements(_ state: JSONValue) {
    for save in saves {
      guard let replacement = save.replacement, replacement.isClear,
        read.intersection(noted).isSubset(of: [initial.hash, save.hash, replacement.newest])
      else { continue }
      let kept = replacement.leftOut.intersection(state.log).sorted()
      if !kept.isEmpty { blame("a replacement is taken for an edit of an older version: the file still has \(kept)") }
    }
  }

  private func checkViews(_ views: [(name: String, state: JSONValue)], _ state: JSONValue) {
    for view in views where view.state != state {
      blame("promise 4: \(view.name) shows \(view.state), the file has \(state)")
    }
  }

  private func checkFormatting(_ bytes: [UInt8]) {
    if !wasMadeAnew && !bytes.contains(SimulatedModel.odd) {
      blame("promise 5: bytes that nobody changed were changed: \(bytes.text)")
    }
  }

  /// All that can be seen of actions where several machines share the file: they leave no tokens.
  private func checkCounters(_ state: JSONValue) {
    // A save from before them counts as a whole where no version could be looked up, which is said. What an editor emptied and left
    // so is seeded by who joins.
    let mayLackActions = isForgetful && !saves.isEmpty || wasMadeAnew && !destructions.isEmpty
    for counter in counters {
      let given = tokens.values.filter { $0.counter == counter }
      let acknowledged = given.count { $0.isAcknowledged }
      let sum = state.count(at: counter) ?? 0
      if sum < acknowledged, !mayLackActions {
        blame("promise 1: counter \(counter) is \(sum) after \(acknowledged) acknowledged actions")
      }
      if sum > given.count { blame("promise 1: counter \(counter) is \(sum) after \(given.count) actions") }
    }
  }

  private func checkTokens(_ state: JSONValue) {
    var counts: [String: Int] = [:]
    for token in state.log { counts[token, default: 0] += 1 }
    for (token, count) in counts.sorted(by: { $0.key < $1.key }) {
      if tokens[token] == nil {
        blame("promise 1: action \(token) was never submitted")
      } else if count > 1 {
        blame("promise 1: action \(token) was applied \(count) times")
      }
    }
    var excused: Set<String> = []
    for (token, action) in tokens.sorted(by: { $0.key < $1.key }) {
      if isExcused(token, action) {
        excused.insert(action.counter)
      } else if action.isAcknowledged && counts[token] == nil {
        blame("promise 1: acknowledged action \(token) was lost")
      }
    }
    for counter in counters where !excused.contains(counter) {
      let applied = tokens.count { $0.value.counter == counter && counts[$0.key] != nil }
      let sum = state.count(at: counter) ?? 0
      if sum != applied { blame("promise 1: counter \(counter) is \(sum) after \(applied) actions") }
    }
  }

  private var counters: [String] { Set(tokens.values.map(\.counter)).sorted() }

  /// Whether an external save that did not have it came after it.
  private func isExcused(_ token: String, _ action: Token) -> Bool {
    guard let first = action.first else { return false }
    if (deletions + destructions).contains(where: { $0 >= first }) { return true }
    if saves.contains(where: { $0.replacement?.leftOut.contains(token) == true }) { return true }
    return saves.contains { save in
      guard !save.bytes.contains("\"\(token)\"") else { return false }
      // Whatever version a save was made from is in the log, unless it was made from none, or that could not be kept: it
      // wins then over all that is there when it is taken in.
      return (isForgetful || save.isOfUnknownOrigin) && (save.wasDisplaced ? .max : save.completed) >= first
    }
  }
}
