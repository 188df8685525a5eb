import TerminalScreen

extension StringProtocol {
  /// As much of the text as fits, with `…` in the place of the rest.
  func clipped(toColumns columns: Int) -> String { Line(String(self)).clipped(to: columns).text }
}
