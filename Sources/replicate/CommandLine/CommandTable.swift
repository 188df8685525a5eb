/// All that the command line is made of: what the parser accepts, and what the help, the man page and the shell
/// completions say about it.
///
/// Texts mark what is typed literally with backquotes; each kind of output renders them in its own way.
enum CommandTable {
  /// How a verb is called, and what its help says.
  struct VerbRow: Sendable {
    /// `nil` for a file without a verb.
    let verb: Verb?
    var required: [Operand] = [.file]
    var optional: [Operand] = []
    /// Whether there may be more of the last operand.
    var repeatsLast = false
    /// The options of this verb, without those that work everywhere.
    var options: [Option] = []
    let summary: String
    /// Paragraphs, with an empty line between them.
    var details = ""
    let examples: [Example]
  }

  /// A command that can be typed as it stands.
  struct Example: Sendable {
    let command: String
    let explanation: String

    init(_ command: String, _ explanation: String) {
      self.command = command
      self.explanation = explanation
    }
  }

  /// How an option is written, and what the help says.
  struct OptionRow: Sendable {
    let option: Option
    var short: Character?
    var argument: Option.Argument?
    let summary: String
    /// What it takes and means with some verbs, where it takes nothing otherwise; its letter stays what it is.
    var meanings: [Verb: (argument: Option.Argument, summary: String)] = [:]

    /// The option as it is with a verb.
    func row(for verb: Verb?) -> OptionRow {
      guard let meaning = verb.flatMap({ meanings[$0] }) else { return self }
      return OptionRow(option: option, argument: meaning.argument, summary: meaning.summary)
    }
  }

  static let name = "replicate"
  static let version = "0.1.0"
  /// When the texts below last changed, as the man page states it.
  static let date = "November 28, 2026"
  static let summary = "keep the state of programs and a JSON file the same"
  static let description = """
    A JSON file holds the state of an app. Any number of processes may change it at once, and so may any editor: each \
    change is applied to the newest state, under a lock, and spliced into the file's own text, so that nothing is lost \
    and every byte outside a change stays what it was.

    The first operand is a verb if it is exactly one; otherwise it is `FILE`, which a `POINTER` may follow. A file called \
    `get` is `./get`. Options stand anywhere before the first `--`, the last one wins, and `-` followed by a digit is \
    an operand.
    """

  /// The variable that stands in for `--external-edits`.
  static let externalEditsVariable = "REPLICATE_EXTERNAL_EDITS"

  /// Options that every verb takes.
  static let commonOptions: [Option] = [.quiet, .color, .timeout, .durability, .help, .version]

  /// What is said of the options that don't belong to a verb, in the order of the help.
  static var commonRows: [OptionRow] { options.filter { (commonOptions + [.generate]).contains($0.option) } }

  static func row(for verb: Verb?) -> VerbRow {
    guard let row = verbs.first(where: { $0.verb == verb }) else {
      preconditionFailure("the command table has a row for every verb")
    }
    return row
  }

  /// The option that is written as a letter: with a verb that takes one of several, that.
  static func option(short letter: Character, of verb: Verb?) -> OptionRow? {
    let rows = options.filter { $0.short == letter }
    return rows.first { row(for: verb).options.contains($0.option) } ?? rows.first
  }

  static func row(for option: Option) -> OptionRow {
    guard let row = options.first(where: { $0.option == option }) else {
      preconditionFailure("the command table has a row for every option")
    }
    return row
  }

  static func summary(of operand: Operand) -> String {
    switch operand {
    case .file: "path of the JSON file; one called like a verb is written `./get`"
    case .pointer:
      """
      place in the document: a JSON Pointer (RFC 6901) such as `/episodes/0/title`, where `""` is the root, or a path such \
      as `.episodes[0].title`
      """
    case .value: "JSON text; `-` reads it from standard input"
    case .by: "a JSON number, 1 unless given"
    case .patch: "JSON Patch (RFC 6902) as text; `-`, or none, reads it from standard input"
    case .document: "merge patch (RFC 7386) as text; `-`, or none, reads it from standard input"
    case .version: "the first digits of a version, as `history` prints them"
    case .newerVersion: "the version to compare with; what is in the file now unless given"
    case .folder: "path of a folder that something keeps in sync between machines, or that they all mount"
    case .recording: "path of a recording, a file of JSON lines"
    case .command: "program with its arguments, run without a shell"
    }
  }

  static let exitCodes: [(code: String, meaning: String)] = [
    ("0", "done"),
    (
      "1",
      """
      no: the pointer leads nowhere, a patch's `test` failed, instances differ, a filter failed, a place is degraded, \
      a recording has gaps, a replay came out otherwise
      """
    ),
    ("2", "usage"),
    ("3", "not valid JSON, or not the shape asked for, as `FILE:LINE:COLUMN: expected …`"),
    ("4", "the system said no, or not in time: cannot read, write, lock or watch"),
    ("128+n", "ended by signal n, after committing what was pending and restoring the terminal"),
  ]

  static let environment: [(name: String, meaning: String)] = [
    ("NO_COLOR", "no colour unless `--color always` is given"),
    (externalEditsVariable, "`merge` or `replace`, for every verb that takes `--external-edits` and isn't given it"),
    ("REPLICATE_FILE", "set for the command of `exec`: the file"),
    ("REPLICATE_POINTER", "set for the command of `exec`: the pointer"),
    ("REPLICATE_CAUSE", "set for the command of `exec`: `start`, `action`, `instance`, `device`, `edit` or `restore`"),
  ]
}
