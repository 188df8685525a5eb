/// What `replicate` can be asked to do with a file.
///
/// Without a verb a file is shown live; that form has no name, and is `nil` where a verb is optional.
enum Verb: String, CaseIterable, Sendable {
  case watch, get, set, remove, increment, patch, merge, update, exec, wait, attach, history, diff, blame, restore,
    undo, record,
    replay, show, share, devices, verify, doctor

  /// Whether words after the first `--` are a command to run.
  var takesCommand: Bool { self == .update || self == .exec }
}
