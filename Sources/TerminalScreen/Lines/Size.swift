/// How many characters fit on a screen, or on a part of it.
public struct Size: Sendable, Hashable {
  /// How many there are in a line.
  public var columns: Int
  /// How many lines there are.
  public var rows: Int

  /// Makes a size of so many columns and rows.
  public init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }
}
