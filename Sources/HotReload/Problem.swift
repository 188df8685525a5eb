/// Something that keeps a file and its instances apart: what it is, where, and what to do about it.
///
/// A problem is a state, not an event: it lasts from ``ProblemEvent/occurred(_:)`` to ``ProblemEvent/resolved(_:)``, and
/// the work goes on in memory meanwhile.
public struct Problem: Error, Sendable, Hashable {
  /// The kind of a problem; more may be added.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    public let description: String

    /// A code of that description.
    public init(_ description: String) { self.description = description }

    /// The file is not valid JSON. It stays as it is until somebody mends it.
    public static let invalidJSON = Code("invalid-json")
    /// The file is valid JSON that this program's state can't be decoded from.
    public static let undecodable = Code("undecodable")
    /// The state can't be written as JSON, for example because of a NaN.
    public static let unencodable = Code("unencodable")
    /// The file is missing: it was never there, or it was deleted.
    public static let missing = Code("missing")
    /// The file can't be read.
    public static let cannotRead = Code("cannot-read")
    /// The file can't be replaced, for example because the disk is full.
    public static let cannotWrite = Code("cannot-write")
    /// The lock of the file can't be had.
    public static let cannotLock = Code("cannot-lock")
    /// Changes of the file are noticed late, by polling.
    public static let cannotWatch = Code("cannot-watch")
    /// This place does not allow all that a lossless replacement needs.
    public static let degraded = Code("degraded")
    /// Locks may not reach other machines that have the file's folder mounted, so what two of them do at once can be lost.
    public static let localLocks = Code("local-locks")
    /// Recent versions can't be kept, so a save from a stale buffer counts as a whole.
    public static let cannotRemember = Code("cannot-remember")
    /// Others can't find out that this instance mirrors the file, nor whether it agrees with it.
    public static let unregistered = Code("unregistered")
    /// Instances can't settle which of them performs an effect: each is performed where it was started, and nowhere else.
    public static let cannotClaim = Code("cannot-claim")
    /// What was done here can't be said to other devices, or what they did can't be read; what can is said, and read.
    public static let cannotShare = Code("cannot-share")
    /// An external save could be neither merged nor left in the file; the message says where it was kept.
    public static let rescued = Code("rescued")
    /// Actions were not committed in time.
    public static let uncommitted = Code("uncommitted")
  }

  /// What is wrong.
  public let code: Code
  /// The path of the file, as it was given.
  public let file: String
  /// What is wrong and what next, in lower case, without the place.
  public let message: String
  /// From 1, where the problem has a place in the file.
  public let line: Int?
  /// From 1, counted in Unicode scalars.
  public let column: Int?
  /// The system's error number, where the system said no.
  public let errno: Int32?

  /// Makes a problem of its parts.
  public init(
    _ code: Code, file: String, message: String, line: Int? = nil, column: Int? = nil, errno: Int32? = nil
  ) {
    self.code = code
    self.file = file
    self.message = message
    self.line = line
    self.column = column
    self.errno = errno
  }
}

extension Problem: CustomStringConvertible {
  /// `FILE:LINE:COLUMN: message` where the problem has a place, else the message, which then names the file.
  public var description: String {
    guard let line, let column else { return message }
    return "\(file):\(line):\(column): \(message)"
  }
}

/// The beginning or the end of a ``Problem``.
public enum ProblemEvent: Sendable, Hashable, CustomStringConvertible {
  /// It began, or is another than before.
  case occurred(Problem)
  /// The problem with the code is gone.
  case resolved(Problem.Code)

  /// The problem itself, or that it is over.
  public var description: String {
    switch self {
    case .occurred(let problem): "\(problem)"
    case .resolved(let code): "over: \(code)"
    }
  }
}
