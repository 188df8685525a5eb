/// The changes that somebody made here, and which of them are taken back.
struct OwnEdits: Equatable, Sendable {
  /// Which way an edit is done.
  enum Way: Equatable, Sendable { case first, undo, redo }

  /// Those that are in the file, the last one last.
  private(set) var done: [Edit] = []
  /// Those that were taken back, the last one last.
  private(set) var undone: [Edit] = []

  /// Takes in that an edit got into the file.
  mutating func take(_ edit: Edit, _ way: Way) {
    switch way {
    case .first:
      done.append(edit)
      undone = []
    case .undo:
      done = done.dropLast()
      undone.append(edit.inverse)
    case .redo:
      undone = undone.dropLast()
      done.append(edit)
    }
  }
}
