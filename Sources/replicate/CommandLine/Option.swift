import HotReload

/// An option of the command line, by its long name.
///
/// One name means the same, and takes a value or doesn't, whichever the verb.
enum Option: String, CaseIterable, Sendable {
  case plain
  case string, parents, create, compact, raw, format, also, count
  case onlyChanges = "only-changes"
  case patch, since, with, mine
  case speed, step, from, until
  case stop, name, join, except
  case externalEdits = "external-edits"
  case json, quiet, color, timeout, durability, generate, help, version

  /// The option as it is typed, `--only-changes`.
  var spelling: String { "--\(rawValue)" }

  /// Whether it may be given more than once, and each counts.
  var isRepeatable: Bool { self == .except || self == .also }

  /// What stands after an option.
  enum Argument: Equatable, Sendable {
    /// One of these words.
    case choice([String])
    /// Something that is named in the help by this word, such as `SECONDS`.
    case placeholder(String)

    /// What the help shows, `auto|always|never` or `SECONDS`.
    var synopsis: String {
      switch self {
      case .choice(let words): words.joined(separator: "|")
      case .placeholder(let name): name
      }
    }
  }
}

/// A set of words that an option can be given, such as `auto`, `always` and `never`.
protocol OptionChoice: RawRepresentable, CaseIterable, Sendable where RawValue == String {}

extension OptionChoice {
  static var words: [String] { allCases.map(\.rawValue) }
}

/// When output is coloured.
enum ColorChoice: String, OptionChoice { case auto, always, never }

/// What a committed change survives: the end of the process, or a power cut.
enum DurabilityChoice: String, OptionChoice { case process, power }

/// What a save made from an older version does to what came since: keeps it, or doesn't.
enum ExternalEditsChoice: String, OptionChoice { case merge, replace }

extension ShareSession.JoinPolicy: OptionChoice {}

/// How `watch` prints a value: a compact document a line, an indented one, or the patch from the one printed before.
enum WatchFormat: String, OptionChoice { case json, pretty, patch }

/// What `--generate` prints.
enum GeneratedText: String, OptionChoice { case man, bash, zsh, fish, pointers, versions }
