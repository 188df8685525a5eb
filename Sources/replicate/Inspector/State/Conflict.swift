import StateJSON

/// Somebody else has changed what was edited here.
struct Conflict: Equatable, Sendable {
  var edit: Edit
  var way: OwnEdits.Way
  /// What stands there now; `nil` if nothing does.
  var theirs: JSONValue?

  /// What was to stand there; `nil` if nothing was.
  var mine: JSONValue? {
    switch edit.change {
    case .replace(_, let new), .rewrite(_, let new), .add(let new), .move(let new, _): new
    case .remove, .increment: nil
    }
  }

  /// The same edit, over what stands there now; `nil` if there is nothing to be done any more.
  var insisting: Edit? {
    switch edit.change {
    case .move, .increment: nil
    case .replace, .rewrite, .add, .remove: Edit(edit.target, from: theirs, to: mine)
    }
  }
}
