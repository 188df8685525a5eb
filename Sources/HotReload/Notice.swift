import StateJSON

/// Something that a person at the file may want to know, and that is over already; unlike a ``Problem`` it asks for
/// nothing.
public struct Notice: Sendable, Hashable, CustomStringConvertible {
  /// The kind of a notice; more may be added.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    public let description: String

    /// A code of that description.
    public init(_ description: String) { self.description = description }

    /// A save was not taken as it is: it came from a buffer that was older than the file, and what had changed since was kept.
    public static let kept = Code("kept")
    /// A save was exactly an older version, and has brought it back.
    public static let restored = Code("restored")
    /// The file has come here with the journals of other devices, and takes part in what they share from now on.
    public static let joined = Code("joined")
    /// Journals of other devices lie beside the file, and it takes no part: whether it is to, somebody has to say.
    public static let invited = Code("invited")
    /// The list of what an engine isn't to bring to other devices was added to, or couldn't be.
    public static let filtered = Code("filtered")
    /// What others had set lost to actions that had waited for long to be committed; it is in the history.
    public static let overruled = Code("overruled")
  }

  /// What happened.
  public let code: Code
  /// The path of the file, as it was given.
  public let file: String
  /// What has happened and how it can be undone, in lower case.
  public let message: String
  /// The places that were kept, or overruled.
  public let pointers: [JSONPointer]
  /// The instances that had made what was kept, and `edit` for what somebody had saved; empty where nothing is known of that.
  public let authors: [String]
  /// The version by which `replicate restore` has it otherwise: what was saved, or what was there before an older one was.
  public let version: String?

  public var description: String { message }

  package init(
    code: Code, file: String, message: String, pointers: [JSONPointer] = [], authors: [String] = [],
    version: String? = nil
  ) {
    (self.code, self.file, self.message) = (code, file, message)
    (self.pointers, self.authors, self.version) = (pointers, authors, version)
  }

  /// Writes it where those read who run the program. It names a file, and keys in it, which anybody may have chosen.
  package func writeToStandardError() { StandardError.write("replicate: \(message)".escapedForTerminalLine + "\n") }

  /// Whether it tells what was taken for somebody's save.
  var isOfSave: Bool { code == .kept || code == .restored }

  static func kept(_ kept: KeptChanges, saved hash: ContentHash, in file: String) -> Notice {
    Notice(
      code: .kept, file: file,
      message: "'\(file)' was saved from an older version; kept \(list(of: kept.pointers)), changed since then"
        + "\(phrase(for: kept.authors)); to insist: \(restoring(hash, in: file))",
      pointers: kept.pointers, authors: kept.authors, version: shortened(hash))
  }

  static func overruled(_ lost: [LostValue], in file: String) -> Notice {
    let pointers = lost.map(\.pointer)
    return Notice(
      code: .overruled, file: file,
      message: "'\(file)' could not be written for long; now older changes have won over those of others at "
        + "\(list(of: pointers)), which are in the history: replicate history --json \(file.quotedForShell)",
      pointers: pointers)
  }

  static func restored(over newest: ContentHash, in file: String) -> Notice {
    Notice(
      code: .restored, file: file,
      message: "an older version of '\(file)' was saved; to take that back: \(restoring(newest, in: file))",
      version: shortened(newest))
  }

  static func joined(_ file: String, as name: String, _ others: [String]) -> Notice {
    Notice(
      code: .joined, file: file,
      message:
        "'\(file)' is shared as \(name) with \(others.listed(atMost: 3)) from now on, whose journals lie beside it; to leave: "
        + "replicate share --stop \(file.quotedForShell)")
  }

  static func invited(to file: String, by others: [String], _ objection: String) -> Notice {
    Notice(
      code: .invited, file: file,
      message:
        "'\(file)' is not shared with \(others.listed(atMost: 3)), whose journals lie beside it, as \(objection); to join: "
        + "replicate share \(file.quotedForShell)")
  }

  private static func restoring(_ hash: ContentHash, in file: String) -> String {
    "replicate restore \(file.quotedForShell) \(shortened(hash))"
  }

  /// As many digits as mostly tell versions apart.
  private static func shortened(_ hash: ContentHash) -> String { String(hash.description.prefix(8)) }

  private static func list(of pointers: [JSONPointer]) -> String {
    pointers.map { "'\($0)'" }.listed(atMost: 3)
  }

  private static func phrase(for authors: [String]) -> String {
    if authors.isEmpty { return "" }
    let isEdited = authors.contains(KeptChanges.edit)
    let names = authors.filter { $0 != KeptChanges.edit }
    let instances = names.isEmpty ? [] : ["by instance\(names.count > 1 ? "s" : "") \(names.listed(atMost: 3))"]
    return " " + (instances + (isEdited ? ["by another save"] : [])).joined(separator: " and ")
  }
}

extension [String] {
  fileprivate func listed(atMost limit: Int) -> String {
    prefix(limit).joined(separator: ", ") + (count > limit ? " and \(count - limit) more" : "")
  }
}

extension String {
  /// The path as a word of a shell's command line, which no program takes for an option.
  var quotedForShell: String {
    if hasPrefix("-") { return "./\(self)".quotedForShell }
    let plain = "0123456789_./-+@%:,".unicodeScalars
    if !isEmpty, unicodeScalars.allSatisfy({ $0.properties.isAlphabetic || plain.contains($0) }) { return self }
    return "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
  }
}
