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
  /// Finds out what the recent versions are.
  case loadVersions
  /// Shows what the file held in a version.
  case look(TimelinePane.Moment)
  /// Shows how a version differs from another one, or from the newest state.
  case compare(TimelinePane.Moment, with: TimelinePane.Moment?)
  /// Makes a version current again, or what stands at a place of it.
  case restore(TimelinePane.Moment, JSONPointer)
  /// Shows the moments of a recording.
  case openRecording(String)
  /// Records what happened since a version, or from now on, into a file.
  case startCapture(String, from: TimelinePane.Moment?)
  case endCapture
  /// Finds out who else has the file.
  case loadCompany
  case redraw
  case quit

  static func say(_ text: String, isBad: Bool = false) -> Command {
    .dispatch(.say(Inspector.Message(text: text, isBad: isBad)))
  }
}
