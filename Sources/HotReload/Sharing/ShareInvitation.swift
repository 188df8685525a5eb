import Replication
import StateJSON

/// Journals that lie beside a file of which nothing is agreed here: other devices share it where it lies, and it has come here with them.
///
/// A folder with journals alone shares nothing: who copies a file that has a life of its own next to one doesn't join by that. So a device
/// takes part by itself only where there is no file yet, or one that the journals name.
struct ShareInvitation {
  /// The names of the others.
  let others: [String]
  /// Why this device doesn't take part by itself; `nil` if it does.
  let objection: String?

  /// `nil` if there is none, or this user has left.
  init?(to file: SharedFile, stateFolder: String) throws(SystemError) {
    let path = file.resolvedPath
    // Nearly no file has such journals; a folder that can't be examined counts as none.
    guard (try? FileStatus(ofLinkIfThere: ShareAgreement.folder(beside: path)))??.isDirectory == true,
      try !ShareAgreement.isDeclined(for: path, stateFolder: stateFolder)
    else { return nil }
    // Nothing can be shared there, as who writes says in any case.
    if try FileSystemKind(at: ShareAgreement.folder(beside: path)).locksMayStayHere { return nil }
    let folder = try ShareFolder(path: ShareAgreement.folder(beside: path))
    guard let share = try folder.share(), let writer = Writer(device: "0", incarnation: "0") else { return nil }
    var device = Device(share: share, writer: writer)
    for (name, status) in try folder.journals() {
      guard let bytes = try folder.contents(of: name, from: 0, upTo: status.size) else { continue }
      let journal = Journal(bytes, name: name)
      device.take(journal.lines + journal.carried)
    }
    others = device.company
    if others.isEmpty { return nil }
    if let other = try ShareAgreement.file(of: share, stateFolder: stateFolder), other != path {
      objection = "it looks like a copy of '\(other)', which takes part here"
    } else if case .contents(let contents) = try file.read(),
      device.meaning(of: FileVersion(hash: "\(contents.hash)", time: nil)) == .unknown
    {
      objection = "it holds what none of their journals names"
    } else {
      objection = nil
    }
  }
}

extension ShareAgreement {
  /// Takes part in what other devices share, if this file has come here with their journals; returns what is to be told. The path of the
  /// file is as it was given.
  static func join(_ file: String, options: ReplicatorOptions) throws(Problem) -> [Notice] {
    let invitation: ShareInvitation?
    do throws(SystemError) {
      let shared = try SharedFile(
        path: file, instance: options.replica.instance, sizeLimit: options.replica.limits.size,
        stateFolder: options.stateFolder)
      invitation = try ShareInvitation(to: shared, stateFolder: options.stateFolder)
    } catch {
      throw .cannotShare(file, error)
    }
    guard let invitation else { return [] }
    if let objection = invitation.objection {
      return [.invited(to: file, by: invitation.others, objection)]
    }
    let agreement = try agree(for: file, folder: nil, name: nil, stateFolder: options.stateFolder).now
    return [.joined(file, as: agreement.name, invitation.others)] + agreement.filterEngines()
  }

  /// The file of another agreement of the same share in this user's state folder, if it is still there; `nil` if there is none.
  fileprivate static func file(of share: String, stateFolder: String) throws(SystemError) -> String? {
    guard let folder = try StateFolder.existing(stateFolder) else { return nil }
    for name in try folder.names(startingWith: "") where name.hasSuffix(".share") {
      let bytes = try folder.open(name, System.O_RDONLY).contents(expecting: 512, limit: 1 << 16)
      // One that can't be read is told by who mirrors that file.
      guard case .object(let object) = try? JSONValue(parsing: bytes), object["share"]?.text == share,
        let file = object["file"]?.text, (try? FileStatus(of: file)) != nil
      else { continue }
      return file
    }
    return nil
  }

  /// The name of the mark that this user has left what lies beside a file.
  private static func declinedName(for path: String) -> String { "\(ContentHash(Array(path.utf8))).left" }

  /// Whether this user has left, so that a file isn't shared again by itself.
  fileprivate static func isDeclined(for path: String, stateFolder: String) throws(SystemError) -> Bool {
    try StateFolder.existing(stateFolder)?.status(of: declinedName(for: path)) != nil
  }

  /// Notes that this user has left, or takes part again.
  func decline(_ isDeclined: Bool, in folder: Folder) throws(SystemError) {
    let name = Self.declinedName(for: file)
    guard isDeclined else { return try folder.remove(name) }
    _ = try folder.open(name, System.O_RDWR | System.O_CREAT, permissions: 0o600)
  }
}
