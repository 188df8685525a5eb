/// What a command that looks at a file once has to do with other devices, where the file is shared.
final class ShareVisit {
  private let agreement: ShareAgreement
  private let session: ShareSession
  private let stateFolder: String
  private let timeout: Duration
  private let report: (Problem) -> Void

  /// `nil` if the file isn't shared.
  ///
  /// - Parameters:
  ///   - options: How the file is mirrored.
  ///   - timeout: How long locks are waited for.
  ///   - notify: Told of saves that were met with.
  ///   - report: Told what keeps the file and other devices apart. The command goes on.
  init?(
    options: ReplicatorOptions, within timeout: Duration, notify: @escaping @Sendable (Notice) -> Void,
    report: @escaping (Problem) -> Void
  ) {
    let file = options.replica.file
    // What is wrong with the path is told by who mirrors it.
    guard let path = try? SharedFile(path: file, instance: options.replica.instance).resolvedPath,
      ShareAgreement.exists(for: path, stateFolder: options.stateFolder)
    else { return nil }
    do throws(SystemError) {
      guard let agreement = try ShareAgreement.current(for: path, stateFolder: options.stateFolder) else { return nil }
      self.agreement = agreement
    } catch {
      report(.cannotShare(file, error))
      return nil
    }
    session = ShareSession(agreement, options: options, onNotice: notify)
    (stateFolder, self.timeout, self.report) = (options.stateFolder, timeout, report)
  }

  /// Brings in what others did, if anything has arrived.
  func bringIn() {
    attempt { () throws(Problem) in if try session.hasNews() { try session.synchronise(within: timeout) } }
  }

  /// Says what was committed, unless another process is there that does.
  func carryOut() {
    // Where that can't be told, both do.
    if let turn = try? ShareLock.turn(agreement, stateFolder: stateFolder), (try? turn.tryLock()) == false { return }
    attempt { () throws(Problem) in try session.synchronise(within: timeout) }
  }

  private func attempt(_ body: () throws(Problem) -> Void) {
    do throws(Problem) { try body() } catch  where error.code == .cannotShare { report(error) } catch {
      // What keeps the file from being read or written is told by who mirrors it.
    }
  }
}
