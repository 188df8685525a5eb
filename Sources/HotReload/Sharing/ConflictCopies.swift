import Replication
import StateJSON

/// The copies that an engine makes of a file where two devices have written it at once: one of them keeps the name, the other one gets
/// another, which tells that it is a copy, and of what.
struct ConflictCopyNames {
  private let stem: String
  private let ending: String

  /// Those of a file with this name.
  init(of name: String) {
    let dot = name.dropFirst().lastIndex(of: ".")
    (stem, ending) = (String(name[..<(dot ?? name.endIndex)]), String(name[(dot ?? name.endIndex)...]))
  }

  /// How sure it is that a file is a copy.
  enum Verdict {
    /// An engine made it.
    case copy
    /// An engine may have made it, or somebody who wanted a copy.
    case unclear
  }

  /// How many times a copy may have been copied again.
  private static let depth = 8

  /// The verdict on a name; `nil` if it is none of a copy.
  func verdict(on name: String) -> Verdict? {
    guard name.count > stem.count + ending.count, name.hasPrefix(stem) else { return nil }
    if isCopy(name, depth: Self.depth) { return .copy }
    guard name.hasSuffix(ending) else { return nil }
    let mark = String(name.dropFirst(stem.count).dropLast(ending.count))
    // iCloud numbers them; OneDrive adds the name of the machine.
    let isUnclear = mark.wholeMatch(of: #/ \d{1,3}|-[A-Za-z0-9][A-Za-z0-9_-]*/#) != nil
    return isUnclear ? .unclear : nil
  }

  private func isCopy(_ name: String, depth: Int) -> Bool {
    guard depth > 0 else { return false }
    // rclone puts its mark behind all of the name.
    if let match = name.firstMatch(of: #/(\.conflict\d+|\.\.path[12])$/#) {
      let rest = String(name[..<match.range.lowerBound])
      return rest == stem + ending || isCopy(rest, depth: depth - 1)
    }
    guard name.hasSuffix(ending), let mark = Self.mark(at: String(name.dropLast(ending.count))) else { return false }
    let rest = String(name.dropLast(ending.count).dropLast(mark.count))
    return rest == stem || isCopy(rest + ending, depth: depth - 1)
  }

  /// The mark of an engine at the end of a name without its ending.
  private static func mark(at stem: String) -> Substring? {
    let marks = [
      // Syncthing.
      #/\.sync-conflict-\d{8}-\d{6}-[A-Z0-9]{7}$/#,
      // Nextcloud, also with a user.
      #/ \(conflicted copy (?:[^()]{1,64} )?\d{4}-\d{2}-\d{2} \d{6}\)$/#,
      // Dropbox.
      #/ \([^()]{1,64}'s conflicted copy \d{4}-\d{2}-\d{2}(?: \(\d+\))?\)$/#,
      // unison, with `copyonconflict`; from the second one of a day on they have numbers.
      #/ \(conflict(?: #\d+)?_on_[^()]{1,32}\)$/#,
      // OneDrive.
      #/-[A-Za-z0-9_-]{1,64}-safeBackup-\d{4}$/#,
    ]
    return marks.lazy.compactMap { stem.firstMatch(of: $0)?.output }.first
  }
}

/// A file beside the shared one that an engine made of it.
struct ConflictCopy {
  let name: String
  /// How it looked when it was read.
  let status: FileStatus
  let version: FileVersion
  let contents: JSONValue
}

/// The copies of one shared file, as they lie beside it.
struct ConflictCopies {
  private let folder: Folder
  private let name: String
  private let names: ConflictCopyNames

  /// How many are read at a time.
  private static let limit = 256

  /// Those of a file with this resolved path.
  init(of path: String) throws(SystemError) {
    let place = Folder.split(path)
    (name, names) = (place.name, ConflictCopyNames(of: place.name))
    folder = try Folder(path: place.folder)
  }

  /// The names of files there of which a verdict is the one given, in order.
  func names(of verdict: ConflictCopyNames.Verdict) throws(SystemError) -> [String] {
    try folder.names(startingWith: "").filter { $0 != name && names.verdict(on: $0) == verdict }.sorted()
  }

  /// Reads those that an engine made, and that are whole; links, and what isn't a file, are none. What can't be read is refused, by its
  /// name, and with the reason.
  func read(within limits: JSONLimits, refuse: (String, String) -> Void) throws(SystemError) -> [ConflictCopy] {
    var copies: [ConflictCopy] = []
    for name in try names(of: .copy).prefix(Self.limit) {
      guard let status = try folder.status(of: name), status.isRegularFile else { continue }
      do {
        let file = try folder.open(name, System.O_RDONLY | System.O_NONBLOCK)
        let bytes = try file.contents(expecting: status.size, limit: limits.size)
        // One that is being written is looked at again later.
        guard try file.status().hasSameContent(as: status) else { continue }
        copies.append(
          ConflictCopy(
            name: name, status: status, version: FileVersion(ContentHash(bytes), modified: status.modified),
            contents: try JSONValue(parsing: bytes, limits: limits)))
      } catch {
        refuse(name, "\(error)")
      }
    }
    return copies
  }

  /// Removes one, unless something else has come to have its name.
  func remove(_ copy: ConflictCopy) throws(SystemError) {
    guard try folder.status(of: copy.name)?.hasSameContent(as: copy.status) == true else { return }
    try folder.remove(copy.name)
  }
}
