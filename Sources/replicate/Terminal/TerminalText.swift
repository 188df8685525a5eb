import TerminalScreen

extension StringProtocol {
  /// As much of the text as fits, with `…` in the place of the rest.
  func clipped(toColumns columns: Int) -> String { Line(String(self)).clipped(to: columns).text }
}

extension String {
  /// The text with spaces behind it, up to a width.
  func padding(to columns: Int) -> String { self + String(repeating: " ", count: max(0, columns - self.columns)) }
}
