import StateJSON
import StoreCore

/// What a key leads to.
enum Command: Sendable {
  case dispatch(InspectorAction)
  case commit(Edit, OwnEdits.Way)
  /// Gives a text to the clipboard of the terminal; the name says what it is.
  case copy(String, name: String)
  /// Opens a text in the editor.
  case open(Draft)
  case redraw
  case quit

  static func say(_ text: String, isBad: Bool = false) -> Command {
    .dispatch(.say(Inspector.Message(text: text, isBad: isBad)))
  }
}
