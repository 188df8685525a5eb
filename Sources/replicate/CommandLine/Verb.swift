import HotReload

/// What `replicate` can be asked to do with a file.
///
/// Without a verb a file is shown live; that form has no name, and is `nil` where a verb is optional.
enum Verb: String, CaseIterable, Sendable {
  case watch, get, set, remove, increment, patch, merge, update, exec, wait, attach, history, diff, blame, restore,
    undo, record,
    replay, show, share, devices, verify, doctor

  /// The verb that somebody probably meant, `nil` if none is near.
  static func suggestion(for word: String) -> String? {
    aliases[word]?.rawValue ?? Suggestion.nearest(to: word, among: allCases.map(\.rawValue))
  }

  /// What other programs call what a verb does.
  private static let aliases: [String: Verb] = [
    "rm": .remove, "del": .remove, "delete": .remove, "unset": .remove, "append": .set, "add": .set, "put": .set,
    "push": .set, "ls": .get, "cat": .get, "print": .get, "log": .history, "inc": .increment,
    "tail": .watch, "follow": .watch, "apply": .patch, "revert": .restore, "checkout": .restore, "sync": .share,
  ]

  /// Whether words after the first `--` are a command to run.
  var takesCommand: Bool { self == .update || self == .exec }
}
