/// What somebody does at a terminal.
public enum Key: Sendable, Hashable {
  /// A character that was typed.
  case character(Character)
  /// A letter with the control key, as a small one. Return, Tab, Backspace and Escape have cases of their own.
  case control(Character)
  /// A character with the alternate key.
  case alternate(Character)
  case enter, escape, backspace, tab, backTab
  case up, down, left, right, home, end, pageUp, pageDown, insert, delete
  /// A text that was pasted at once.
  case paste(String)
  /// The mouse at a place of the screen, from its upper left corner on, which is 0, 0.
  case mouse(Mouse, column: Int, row: Int)

  /// What a mouse does.
  public enum Mouse: Sendable, Hashable { case press, wheelUp, wheelDown }
}
