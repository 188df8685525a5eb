import Replication
import StateJSON

extension ShareAgreement {
  /// Agrees to share a file through a folder, from which it joins those that do already.
  ///
  /// - Parameters:
  ///   - file: The path of the file, which need not exist.
  ///   - folder: The path of the folder; if `nil`, as before, or else that of the journals beside the file, which is made if need be.
  ///   - name: What the device is to be called; if `nil`, as before, or else as the machine.
  ///   - except: The places of the document that are to stay on this device; if `nil`, as before, or else none.
  ///   - stateFolder: Where this user's instances keep what must outlive them.
  /// - Returns: What is agreed now, and what was before. Of several that agree at once the first one is the device.
  /// - Throws: When the folder can't be used, or the file is shared through another one.
  package static func agree(
    for file: String, folder: String?, name: String?, except: [JSONPointer]? = nil,
    stateFolder: String = StateFolder.path
  ) throws(Problem) -> (now: ShareAgreement, before: ShareAgreement?) {
    while true {
      let new = try made(for: file, folder: folder, name: name, except: except, stateFolder: stateFolder)
      do throws(SystemError) {
        let old = try current(for: new.file, stateFolder: stateFolder)
        if new == old { return (new, old) }
        if try new.save(isFirst: old == nil, stateFolder: stateFolder) { return (new, old) }
      } catch {
        throw .cannotShare(file, error)
      }
    }
  }

  /// An agreement to share a file, which counts once it is saved; the one that there is, if the file is shared through this folder
  /// already.
  static func made(
    for file: String, folder: String?, name: String?, except: [JSONPointer]? = nil,
    stateFolder: String = StateFolder.path
  ) throws(Problem) -> ShareAgreement {
    do throws(SystemError) {
      let shared = try SharedFile(path: file, instance: InstanceName.random())
      let path = shared.resolvedPath
      let old = try current(for: path, stateFolder: stateFolder)
      let place =
        if let folder { try Folder.resolved(folder) } else { old?.folder ?? Self.folder(beside: path) }
      let isInside = place == Self.folder(beside: path)
      if isInside, except?.isEmpty == false {
        throw refusal(
          file,
          "lies beside its journals, so that all of it comes to the other devices; share it through a FOLDER to except places"
        )
      }
      if isInside, case let kind = try FileSystemKind(at: shared.folder.path), kind.locksMayStayHere {
        throw refusal(
          file,
          "lies where other machines may write to it as well, and locks don't reach them (\(kind)): keep a file outside of it on each, and share that with 'replicate share FILE FOLDER'"
        )
      }
      if folder == nil, isInside { try makeFolder(beside: shared) }
      let there = try ShareFolder(path: place)
      if let old {
        guard old.folder == place else {
          throw refusal(file, "is shared through '\(old.folder)' already; 'replicate share --stop' ends that")
        }
        var new = old
        new.name = name ?? old.name
        new.except = except ?? old.except
        return new
      }
      guard isInside || !path.hasPrefix(place == "/" ? "/" : "\(place)/") else {
        throw refusal(
          file,
          "lies in '\(place)' itself, where what keeps that in sync would overwrite it; give it a place outside, or no FOLDER"
        )
      }
      return ShareAgreement(
        file: path, folder: place, share: try there.share() ?? newIdentifier(), device: newIdentifier(),
        name: name ?? DeviceName.suggested(for: Machine.name), except: except ?? [],
        since: newestLabel(of: shared, stateFolder: stateFolder))
    } catch {
      throw .cannotShare(file, error)
    }
  }

  /// Makes the folder of the journals beside a file, unless it is there: who may read the file may go there.
  private static func makeFolder(beside file: SharedFile) throws(SystemError) {
    let path = folder(beside: file.resolvedPath)
    // A file that is missing, or can't be examined, is as private as can be.
    let readable = ((try? FileStatus(of: file.resolvedPath).permissions) ?? 0o600) & 0o666
    let (parent, name) = Folder.split(path)
    _ = try Folder(path: parent).folder(making: name, permissions: 0o700 | readable | (readable & 0o444) >> 2)
  }

  /// The agreement for a file as it was given.
  ///
  /// - Throws: When there is none, or it can't be read.
  package static func existing(for file: String, stateFolder: String = StateFolder.path) throws(Problem)
    -> ShareAgreement
  {
    do throws(SystemError) {
      let path = try SharedFile(path: file, instance: InstanceName.random()).resolvedPath
      if let agreement = try current(for: path, stateFolder: stateFolder) { return agreement }
    } catch {
      throw .cannotShare(file, error)
    }
    throw Problem(
      .cannotShare, file: file, message: "'\(file)' is not shared; 'replicate share \(file)' shares it")
  }

  /// The label of the newest version of a file, if that is what stands there.
  private static func newestLabel(of file: SharedFile, stateFolder: String) -> String? {
    var log = ShareLog(of: file.resolvedPath, stateFolder: stateFolder)
    // Where the log or the file can't be read now, the first look tells what the file holds then.
    guard let news = try? log.news(since: nil), let snapshot = try? file.read() else { return nil }
    switch snapshot {
    case .contents(let contents) where news.label != nil: return news.hash == contents.hash ? news.label : nil
    case .missing where news.label != nil: return nil
    case .contents, .missing: return ShareLog.start
    }
  }

  /// 64 bits that nobody else has come upon.
  private static func newIdentifier() -> String { InstanceName.random() + InstanceName.random() }

  private static func refusal(_ file: String, _ reason: String) -> SystemError {
    SystemError(call: "share", errno: System.EINVAL, path: file, detail: reason)
  }
}
