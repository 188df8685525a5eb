import StateJSON

/// The file may be shared with other devices. Somebody else looks after that; the driver takes part in it, and says what is in the way.
extension Driver {
  /// How the file is shared.
  struct Devices {
    /// `nil` if it isn't, as far as this instance knows.
    var form: ShareForm?
    /// Why that can't be told, or not be brought about, as last reported. It is tried again on the next tick.
    var failure: Problem?
    /// The journals beside the file, as long as it isn't shared.
    var invitation: Invitation?
    /// The version that the file was last told to hold to whoever looks after other devices, and whether it was there.
    var told: (version: ContentHash?, isThere: Bool) = (nil, true)
  }

  /// An invitation to take part in what other devices share: their journals, as they were found beside the file.
  struct Invitation {
    let look: InvitationLook
    /// The last notice about it.
    let notice: Notice?
  }

  /// Finds out how the file is shared.
  func noteShareForm() {
    let path = file.resolvedPath
    // One that can't be read is told by who looks after it.
    let agreement = (try? ShareAgreement.current(for: path, stateFolder: options.stateFolder)) ?? nil
    let isShared = agreement != nil || ShareAgreement.exists(for: path, stateFolder: options.stateFolder)
    devices.form = isShared ? agreement?.form ?? .apart : nil
    file.deviceMark = devices.form == .inside ? agreement.map { String($0.device.prefix(Self.deviceMarkLength)) } : nil
  }

  /// How many characters of a device's name make a mark. Two devices with one would take each other's stamps for their own.
  private static let deviceMarkLength = 8

  /// Does what sharing the file takes, and says when that fails, and when it no longer does.
  func attemptToShare(_ body: () throws(Problem) -> Void) {
    var failure: Problem?
    do throws(Problem) {
      // A program that wants that agrees when it starts, and not again once it could.
      if !membership.stays || devices.failure != nil { try agreeToShare() }
    } catch {
      // An agreement of before holds although another one failed.
      failure = error
    }
    do throws(Problem) {
      try acceptInvitation()
      try body()
    } catch {
      failure = failure ?? error
    }
    if failure == devices.failure { return }
    devices.failure = failure
    view.report(failure.map(ProblemEvent.occurred) ?? .resolved(.cannotShare))
  }

  /// Shares the file, if the program wants that and it isn't shared yet.
  private func agreeToShare() throws(Problem) {
    guard let sharing = options.sharing, let folder = sharing.folder else { return }
    _ = try ShareAgreement.agree(
      for: options.replica.file, folder: folder, name: sharing.device, stateFolder: options.stateFolder)
  }

  /// Takes part in what other devices share, if the file has come here with their journals.
  ///
  /// A notice that was given of journals and a file isn't given again.
  private func acceptInvitation() throws(Problem) {
    noteShareForm()
    guard let look = lookForInvitation(), look != devices.invitation?.look else { return }
    let notices = try ShareAgreement.join(path, options: options)
    for notice in notices where notice != devices.invitation?.notice { view.notify(notice) }
    devices.invitation = Invitation(look: look, notice: notices.first)
    noteShareForm()
  }

  /// Whether sharing failed, or journals have come here since that was looked at: then it is to be attempted.
  var mayBeShared: Bool {
    devices.failure != nil || lookForInvitation().map { $0 != devices.invitation?.look } ?? false
  }

  /// The journals that have come here with the file; `nil` if there are none, or it is shared.
  private func lookForInvitation() -> InvitationLook? {
    let folder = ShareAgreement.folder(beside: file.resolvedPath)
    // A folder that can't be examined is none.
    guard devices.form == nil, let status = (try? FileStatus(ofLinkIfThere: folder)) ?? nil, status.isDirectory else {
      return nil
    }
    // Journals that are written in place grow while their folder stays as it is. Those that can't be listed are told by who joins.
    let journals = (try? ShareFolder(path: folder).journals()) ?? []
    return InvitationLook(
      folder: status.modified, size: journals.reduce(0) { $0 + $1.status.size }, file: replica.base?.hash)
  }

  /// How journals beside the file, and the file, were when they were looked at.
  struct InvitationLook: Equatable {
    let folder: Int64
    let size: Int
    let file: ContentHash?
  }
}
