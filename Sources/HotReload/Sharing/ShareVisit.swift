import Replication

/// What a command that looks at a file once has to do with other devices, where the file is shared.
final class ShareVisit {
  private let session: ShareSession
  private let timeout: Duration
  private let report: (Problem) -> Void

  /// As an instance that is about to join a file, which tells its view.
  convenience init?(of driver: Driver, app: (any ActionReducer)?) {
    let view = driver.view
    self.init(options: driver.options, app: app, within: Self.patience, joins: false, notify: { view.notify($0) }) {
      view.report(.occurred($0))
    }
  }

  /// How long an instance waits at its start.
  private static let patience = Duration.seconds(5)

  /// `nil` if the file isn't shared.
  ///
  /// - Parameters:
  ///   - options: How the file is mirrored.
  ///   - app: What its actions come to; `nil` if they can't be reduced here.
  ///   - timeout: How long locks are waited for.
  ///   - joins: Whether the file is shared from now on if it has come here with other devices' journals.
  ///   - notify: Told of saves that were met with.
  ///   - report: Told what keeps the file and other devices apart. The command goes on.
  init?(
    options: ReplicatorOptions, app: (any ActionReducer)? = nil, within timeout: Duration, joins: Bool = true,
    notify: @escaping @Sendable (Notice) -> Void,
    report: @escaping (Problem) -> Void
  ) {
    let file = options.replica.file
    // What is wrong with the path is told by who mirrors it.
    guard let path = try? SharedFile(path: file, instance: options.replica.instance).resolvedPath else { return nil }
    if joins, !ShareAgreement.exists(for: path, stateFolder: options.stateFolder) {
      do throws(Problem) {
        for notice in try ShareAgreement.join(file, options: options) { notify(notice) }
      } catch {
        report(error)
      }
    }
    guard ShareAgreement.exists(for: path, stateFolder: options.stateFolder) else { return nil }
    do throws(SystemError) {
      guard let agreement = try ShareAgreement.current(for: path, stateFolder: options.stateFolder) else { return nil }
      session = ShareSession(agreement, options: options, app: app, onNotice: notify)
    } catch {
      report(.cannotShare(file, error))
      return nil
    }
    (self.timeout, self.report) = (timeout, report)
  }

  /// Brings in what others did, if anything has arrived.
  func bringIn() {
    attempt { () throws(Problem) in if try session.mayHaveNews() { try session.synchronise(within: timeout) } }
  }

  /// Says what was committed, unless another process is there that does.
  func carryOut() {
    let turn = try? ShareLock.turn(session.agreement, stateFolder: session.options.stateFolder, app: nil)
    // Where that can't be told, both do.
    if let turn, (try? turn.tryLock()) == false { return }
    attempt { () throws(Problem) in try session.synchronise(within: timeout) }
  }

  private func attempt(_ body: () throws(Problem) -> Void) {
    do throws(Problem) {
      try body()
    } catch {
      // What keeps the file from being read or written is told by who mirrors it; what was agreed anew, by who agreed.
      if error.code == .cannotShare, !session.isOutdated { report(error) }
    }
  }
}
