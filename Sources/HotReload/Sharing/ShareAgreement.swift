import Replication
import StateJSON

/// This user's word that a file is shared with other devices, through a folder: kept in the state folder, by the file's path.
///
/// What lies in a folder never makes a file shared. Who copies the file, or the folder, copies no agreement.
package struct ShareAgreement: Sendable, Equatable {
  /// The resolved path of the file.
  package let file: String
  /// The resolved path of the folder in which the journals lie.
  package let folder: String
  /// The share that this device's journal names. All journals in the folder belong together, whichever they name.
  package let share: String
  /// This device, among those that share; see `Writer`.
  package let device: String
  /// What people call it.
  package var name: String
  /// The places of the document that stay on this device.
  package var except: [JSONPointer]
  /// The label of the version that the file held when that was agreed, so that what was done since is told as that, be it long
  /// before anything can be told; `nil` if it held none that is known.
  package let since: String?

  /// The name of its file in the state folder.
  static func fileName(of path: String) -> String { "\(ContentHash(Array(path.utf8))).share" }

  /// The same for the file that a log of versions, of this name, is about.
  static func fileName(ofLog name: String) -> String { String(name.prefix { $0 != "." }) + ".share" }

  /// The name of the folder, in the state folder, in which this device keeps what it has written and read: a copy of the file,
  /// or of the folder, is another share's.
  var recordsName: String { "\(ContentHash(Array("\(file)\0\(share)\0\(folder)\0\(device)".utf8))).journals" }

  /// The agreement for a file, which is given by its resolved path; `nil` if there is none.
  ///
  /// - Throws: When it can't be read, or is none.
  package static func current(
    for path: String, stateFolder: String = StateFolder.path
  ) throws(SystemError) -> ShareAgreement? {
    guard let folder = try StateFolder.existing(stateFolder), try folder.status(of: fileName(of: path)) != nil else {
      return nil
    }
    let file = try folder.open(fileName(of: path), System.O_RDONLY)
    let bytes = try file.contents(expecting: 512, limit: 1 << 16)
    guard let agreement = ShareAgreement(bytes, of: path) else {
      throw SystemError(
        call: "read", errno: System.EINVAL, path: folder.path(of: fileName(of: path)),
        detail: "is damaged; 'replicate share --stop' and 'replicate share' make it anew")
    }
    return agreement
  }

  /// Whether there is an agreement for a file, be it one that can't be read; also where that can't be told just now.
  package static func exists(for path: String, stateFolder: String = StateFolder.path) -> Bool {
    do throws(SystemError) {
      guard let folder = try StateFolder.existing(stateFolder) else { return false }
      return try folder.status(of: fileName(of: path)) != nil
    } catch {
      // Where this user may not keep anything there is none.
      return error.isMomentary
    }
  }

  /// Makes it count from now on, and returns whether it does: not if it is to be the first one of its file, and another came first.
  @discardableResult
  package func save(isFirst: Bool = false, stateFolder: String = StateFolder.path) throws(SystemError) -> Bool {
    let folder = try StateFolder.open(stateFolder)
    let name = Self.fileName(of: file)
    let copy = "\(name)~\(InstanceName.random())"
    do throws(SystemError) {
      let new = try folder.open(copy, System.O_RDWR | System.O_CREAT | System.O_EXCL, permissions: 0o600)
      try new.write(bytes)
      if isFirst { try Self.give(copy, unused: name, in: folder) } else { try folder.rename(copy, to: name) }
      if form == .inside { try decline(false, in: folder) }
    } catch {
      // At worst it stays there, and nobody reads it.
      try? folder.remove(copy)
      if isFirst, error.errno == System.EEXIST { return false }
      throw error
    }
    return true
  }

  /// Renames a file to a name that nothing has, by a link where the file system can't do it at once.
  private static func give(_ old: String, unused new: String, in folder: Folder) throws(SystemError) {
    do throws(SystemError) {
      try folder.rename(old, toUnused: new)
    } catch {
      guard [System.EINVAL, System.ENOSYS, System.ENOTSUP].contains(error.errno) else { throw error }
      try folder.link(old, to: new)
      try folder.remove(old)
    }
  }

  /// Makes it count no longer, and forgets what was kept for it.
  ///
  /// - Parameters:
  ///   - isDeclined: Whether this user has left, so that it isn't agreed again by itself.
  ///   - stateFolder: Where this user's instances keep what must outlive them.
  /// - Throws: When it can't be changed.
  package func end(isDeclined: Bool = false, stateFolder: String = StateFolder.path) throws(SystemError) {
    guard let folder = try StateFolder.existing(stateFolder) else { return }
    // The journals stay beside the file.
    if form == .inside, isDeclined { try decline(true, in: folder) }
    try folder.remove(Self.fileName(of: file))
    guard try folder.status(of: recordsName)?.isDirectory == true else { return }
    let records = try Folder(path: folder.path(of: recordsName))
    for name in try records.names(startingWith: "") where name != "." && name != ".." { try records.remove(name) }
    try folder.removeFolder(recordsName)
  }
}

extension ShareAgreement {
  private static let format = 1

  fileprivate var bytes: [UInt8] {
    let value: JSONValue = [
      "format": .number(JSONNumber(Self.format)), "file": .string(file), "folder": .string(folder),
      "share": .string(share), "device": .string(device), "name": .string(name),
      "except": .array(except.map { .string("\($0)") }), "since": since.map(JSONValue.string) ?? .null,
    ]
    return value.bytes() + [UInt8(ascii: "\n")]
  }

  fileprivate init?(_ bytes: [UInt8], of path: String) {
    // What can't be read is none, which is said.
    guard case .object(let object) = try? JSONValue(parsing: bytes), object["format"]?.integer == Self.format,
      let folder = object["folder"]?.text, let share = object["share"]?.text, let device = object["device"]?.text,
      let name = object["name"]?.text, case .array(let places) = object["except"], Writer.isName(share),
      Writer.isName(device), Writer.isName(name)
    else { return nil }
    let except = places.compactMap { $0.text.flatMap { try? JSONPointer(parsing: $0) } }
    // What can't be read must not be told to others.
    guard except.count == places.count else { return nil }
    self.init(
      file: path, folder: folder, share: share, device: device, name: name, except: except, since: object["since"]?.text
    )
  }
}
