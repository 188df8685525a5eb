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
    switch (edit.change, theirs, mine) {
    case (.move, _, _), (.increment, _, _): nil
    case (_, let theirs?, let mine?): Edit(edit.target, .replace(theirs, with: mine))
    case (_, let theirs?, nil): Edit(edit.target, .remove(theirs))
    case (_, nil, let mine?): Edit(edit.target, .add(mine))
    case (_, nil, nil): nil
    }
  }
}
