/// How a piece of text looks.
public struct Style: Sendable, Hashable {
  /// What it means; the terminal's own palette says which colour that is.
  public enum Ink: Sendable, Hashable {
    /// Text as the terminal shows it anyway.
    case plain
    /// What matters less: grey.
    case faint
    /// What leads the eye: cyan.
    case accent
    /// What is well: green.
    case good
    /// What wants attention: yellow.
    case warning
    /// What is wrong: red.
    case bad
    /// What isn't as all else is: magenta.
    case special
    /// What is another sort of thing than plain text: blue.
    case quiet
  }

  /// The colour of the text.
  public var ink: Ink
  /// Whether the letters are bold.
  public var isBold: Bool
  /// Whether the colours of the text and of what is behind it change places.
  public var isInverse: Bool
  /// Whether there is a line below the text.
  public var isUnderlined: Bool

  /// Makes a style; what isn't said is as in plain text.
  public init(ink: Ink = .plain, isBold: Bool = false, isInverse: Bool = false, isUnderlined: Bool = false) {
    self.ink = ink
    self.isBold = isBold
    self.isInverse = isInverse
    self.isUnderlined = isUnderlined
  }

  /// Text as the terminal shows it anyway.
  public static let plain = Style()
  /// What matters less.
  public static let faint = Style(ink: .faint)
  /// What leads the eye: keys of an object, edges.
  public static let accent = Style(ink: .accent)
  /// What is well.
  public static let good = Style(ink: .good)
  /// What wants attention.
  public static let warning = Style(ink: .warning)
  /// What is wrong.
  public static let bad = Style(ink: .bad)
  /// What isn't as all else is.
  public static let special = Style(ink: .special)
  /// What is another sort of thing than plain text.
  public static let quiet = Style(ink: .quiet)
  /// What stands out.
  public static let bold = Style(isBold: true)
  /// A line across the screen.
  public static let bar = Style(isInverse: true)

  /// The same on inverse ground.
  public var inverted: Style {
    var style = self
    style.isInverse.toggle()
    return style
  }
}
