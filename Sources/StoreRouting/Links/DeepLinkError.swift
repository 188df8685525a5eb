import StoreCore

/// Why a text isn't a deep link of the app.
public struct DeepLinkError: Error, Sendable, Hashable {
  /// What is wrong; more may be added.
  public struct Code: Sendable, Hashable {
    /// The code as text.
    public let name: String
    /// It leads somewhere else: another scheme, another host.
    public static let foreign = Code(name: "foreign")
    /// A character that no link has, unless it is percent-encoded.
    public static let character = Code(name: "character")
    /// Something is percent-encoded wrong.
    public static let encoding = Code(name: "encoding")
    /// A segment that no route has.
    public static let segment = Code(name: "segment")
    /// It is too long.
    public static let length = Code(name: "length")
  }

  /// What is wrong.
  public let code: Code
  /// The link, as it came.
  public let link: String
  /// Where, in bytes of UTF-8 from 0.
  public let offset: Int
  /// What is wrong, in lower case.
  public let message: String
}

extension DeepLinkError: CustomStringConvertible {
  /// All of it on one line, without control characters: `cannot open "episodes://x/%zz": at byte 13, …`.
  public var description: String { "cannot open \(Readable.text(link)): at byte \(offset), \(message)" }
}
