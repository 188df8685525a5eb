/// The list of what an engine isn't to bring to other devices, of one of those that can be told by what lies around a file.
///
/// Instances have files beside the shared one for an instant. They are of no use elsewhere, and an engine that comes upon one as it
/// vanishes may stop.
struct EngineFilter {
  /// The engine, as people call it.
  let engine: String
  /// The list.
  private let folder: String
  private let name: String
  private let lines: [String]
  /// The consequence for the file, as it is told.
  let advice: String

  /// The path of the list.
  var path: String { Folder.path(of: name, in: folder) }

  /// The names of what instances have beside files, as all of these engines say it.
  private static let leftovers = ".*.replicate-*"

  /// How many profiles of unison are read, and how long a list may be.
  private static let (profileLimit, sizeLimit) = (256, 1 << 20)

  /// The lists of the engines whose marks are nearest above a file, which is given by its resolved path.
  static func filters(around file: String) -> [EngineFilter] {
    var (path, isFirst, isBelowCeiling) = (Substring(file), true, true)
    let (profiles, ceilings) = (unisonProfiles(), gitCeilings())
    while let slash = path.lastIndex(of: "/") {
      path = path[..<slash]
      let folder = path.isEmpty ? "/" : String(path)
      if !isFirst, ceilings.contains(folder) { isBelowCeiling = false }
      isFirst = false
      let filters =
        filters(of: file, markedIn: folder, git: isBelowCeiling)
        + profiles.filter { $0.roots.contains(folder) }.map(\.filter)
      if !filters.isEmpty { return filters }
    }
    return []
  }

  /// The folders in which, and above which, git isn't to look for a repository, unless it begins there.
  private static func gitCeilings() -> Set<String> {
    let list = Environment["GIT_CEILING_DIRECTORIES"] ?? ""
    // One that isn't there is above nothing.
    return Set(list.split(separator: ":").compactMap { try? Folder.resolved(String($0)) })
  }

  private static func filters(of file: String, markedIn folder: String, git: Bool) -> [EngineFilter] {
    // A mark that can't be examined counts as missing.
    func isThere(_ name: String) -> Bool { (try? FileStatus(of: Folder.path(of: name, in: folder))) != nil }
    var filters: [EngineFilter] = []
    if isThere(".stfolder") {
      filters.append(
        EngineFilter(
          engine: "Syncthing", folder: folder, name: ".stignore", lines: ["(?d)\(leftovers)"],
          advice: "what is beside the file for an instant stays here"))
    }
    if git, isThere(".git") {
      let (folder, name) = Folder.split(file)
      filters.append(
        EngineFilter(
          engine: "git", folder: folder, name: ".gitignore", lines: ["/\(escapedForGit(name))", leftovers],
          advice:
            "the journals say all that the file holds; if git has it already: git rm --cached \(name.quotedForShell)"
        ))
    }
    return filters
  }

  /// A name as a pattern that nothing else fits.
  private static func escapedForGit(_ name: String) -> String {
    name.map { #"\*?[ "#.contains($0) ? "\\\($0)" : "\($0)" }.joined()
  }

  /// The profiles of unison, each with the folders that it keeps in sync.
  private static func unisonProfiles() -> [(roots: [String], filter: EngineFilter)] {
    let path = Environment["UNISON"] ?? Environment["HOME"].map { "\($0)/.unison" }
    // Where there are none, or they can't be read, unison isn't known to be there.
    guard let path, let folder = try? Folder(path: path), let names = try? folder.names(startingWith: "") else {
      return []
    }
    return names.filter { $0.hasSuffix(".prf") }.sorted().prefix(profileLimit).compactMap { name in
      let filter = EngineFilter(
        engine: "unison", folder: path, name: name, lines: ["ignore = Name \(leftovers)"],
        advice: "what is beside the file for an instant stays here")
      guard let contents = try? filter.contents(in: folder) else { return nil }
      let roots = lines(of: contents).compactMap { line -> String? in
        guard let match = line.wholeMatch(of: #/\s*root\s*=\s*(.*?)\s*/#) else { return nil }
        return try? Folder.resolved(String(match.output.1))
      }
      return (roots, filter)
    }
  }

  private func contents(in folder: Folder) throws(SystemError) -> [UInt8] {
    guard let status = try folder.status(of: name) else { return [] }
    let file = try folder.open(name, System.O_RDONLY | System.O_NONBLOCK)
    return try file.contents(expecting: status.size, limit: Self.sizeLimit)
  }

  private static func lines(of contents: [UInt8]) -> [String] {
    String(decoding: contents, as: UTF8.self).split(whereSeparator: \.isNewline).map(String.init)
  }

  /// Adds what isn't there; returns whether there was anything.
  ///
  /// - Throws: When the list can't be read, or changed.
  func add() throws(SystemError) -> Bool {
    let folder = try Folder(path: folder)
    let contents = try contents(in: folder)
    let known = Set(Self.lines(of: contents))
    let missing = lines.filter { !known.contains($0) }
    if missing.isEmpty { return false }
    let isLineEnded = contents.last.map { $0 == UInt8(ascii: "\n") } ?? true
    let file = try folder.open(name, System.O_RDWR | System.O_CREAT, permissions: 0o666)
    try file.write(
      Array(((isLineEnded ? "" : "\n") + missing.map { "\($0)\n" }.joined()).utf8), at: contents.count)
    return true
  }

  /// The message where the list can't be changed.
  func failure(_ error: SystemError) -> String {
    "'\(path)' can't be changed, so \(engine) may stop where it meets with what is beside the file for an instant: "
      + "\(error.reason); add to it: \(lines.joined(separator: ", "))"
  }
}

extension ShareAgreement {
  /// Keeps what is of use on this device alone from being brought to others, where an engine can be told by what lies around a file that
  /// lies beside its journals.
  ///
  /// - Returns: What was added to which list, or couldn't be.
  package func filterEngines() -> [Notice] {
    guard form == .inside else { return [] }
    return EngineFilter.filters(around: file).compactMap { filter in
      do throws(SystemError) {
        return try filter.add()
          ? Notice(
            code: .filtered, file: file,
            message: "'\(filter.path)' tells \(filter.engine) now what not to bring to other devices: \(filter.advice)")
          : nil
      } catch {
        return Notice(code: .filtered, file: file, message: filter.failure(error))
      }
    }
  }
}
