import HotReload
import StateJSON

/// The names of the instances that verbs are for a moment: what is run in one terminal has names that begin in one way.
enum VerbInstance {
  /// What the names of this terminal begin with: four digits.
  static let mark = String(ContentHash(Array("\(TerminalSession.identifier)".utf8)).description.prefix(4))

  /// A new name: eight hexadecimal digits.
  static func name() -> String { mark + InstanceName.random().prefix(4) }
}
