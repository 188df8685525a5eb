import HotReload

/// Why a remote control ended before its client did, or could not keep its word in the end.
public struct RemoteControlError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What sort of failure it is; more may be added.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    public let description: String

    /// A code of that description.
    public init(_ description: String) { self.description = description }

    /// There can be no more threads or descriptors.
    public static let cannotStart = Code("cannot-start")
    /// The input can't be read.
    public static let cannotRead = Code("cannot-read")
    /// The output can't be written; that nobody reads it is no failure.
    public static let cannotWrite = Code("cannot-write")
    /// The client lets too many answers pile up.
    public static let unread = Code("unread")
    /// Not all that was dispatched is safe.
    public static let uncommitted = Code("uncommitted")
  }

  /// What sort of failure it is.
  public let code: Code
  /// What is wrong, in lower case.
  public let message: String

  /// Makes a failure of its parts.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  init(_ code: Code, _ error: SystemError) { self.init(code, error.description) }

  /// The message.
  public var description: String { message }
}
