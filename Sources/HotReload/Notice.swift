import StateJSON

/// Something that a person at the file may want to know, and that is over already; unlike a ``Problem`` it asks for
/// nothing.
public struct Notice: Sendable, Hashable {
  /// The kind of a notice; more may be added.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    public let description: String

    /// A code of that description.
    public init(_ description: String) { self.description = description }

    /// A save came from a buffer that was older than the file; what had changed since was kept.
    public static let kept = Code("kept")
    /// A save was exactly an older version, and has brought it back.
    public static let restored = Code("restored")
    /// What others had set lost to actions that had waited for long to be committed; it is in the history.
    public static let overruled = Code("overruled")
  }

  /// What happened.
  public let code: Code
  /// The path of the file, as it was given.
  public let file: String
  /// What has happened, in lower case.
  public let message: String
  /// The places that were kept.
  public let pointers: [JSONPointer]

  static func kept(_ changes: JSONPatch, in file: String) -> Notice {
    let pointers = changes.operations.map(\.path)
    return Notice(
      code: .kept, file: file,
      message: "'\(file)' was saved from an older version; kept since then: \(list(of: pointers))", pointers: pointers)
  }

  static func overruled(_ lost: [LostValue], in file: String) -> Notice {
    let pointers = lost.map(\.pointer)
    return Notice(
      code: .overruled, file: file,
      message: "'\(file)' could not be written for long; now older changes have won over those of others at "
        + "\(list(of: pointers)), which 'replicate history --json' has",
      pointers: pointers)
  }

  private static func list(of pointers: [JSONPointer]) -> String {
    let shown = pointers.prefix(3).map { "'\($0)'" }.joined(separator: ", ")
    return shown + (pointers.count > 3 ? " and \(pointers.count - 3) more" : "")
  }

  static func restored(in file: String) -> Notice {
    Notice(
      code: .restored, file: file,
      message: "an older version of '\(file)' was saved; 'replicate undo' brings the newer one back", pointers: [])
  }
}
