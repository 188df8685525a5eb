/// A key, a pasted text, or a mouse event at a terminal.
public enum Key: Sendable, Hashable {
  /// A character that was typed.
  case character(Character)
  /// A letter with the control key, as a small one. Return, Tab, Backspace and Escape have cases of their own.
  case control(Character)
  /// A character with the alternate key.
  case alternate(Character)
  /// Return, or Enter.
  case enter
  /// Escape, pressed by itself.
  case escape
  /// Backspace, which removes the character before the cursor.
  case backspace
  /// Tab.
  case tab
  /// Tab with Shift.
  case backTab
  /// The arrow up.
  case up
  /// The arrow down.
  case down
  /// The arrow to the left.
  case left
  /// The arrow to the right.
  case right
  /// To the start of a line or a list.
  case home
  /// To the end of a line or a list.
  case end
  /// A page up.
  case pageUp
  /// A page down.
  case pageDown
  /// Insert.
  case insert
  /// Delete, which removes the character at the cursor.
  case delete
  /// A text that was pasted at once.
  case paste(String)
  /// The mouse at a place of the screen, from its upper left corner on, which is 0, 0.
  case mouse(Mouse, column: Int, row: Int)

  /// A button or the wheel of a mouse.
  public enum Mouse: Sendable, Hashable {
    /// The first button is pressed.
    case press
    /// The wheel is turned away from whoever sits there.
    case wheelUp
    /// The wheel is turned to whoever sits there.
    case wheelDown
  }
}
