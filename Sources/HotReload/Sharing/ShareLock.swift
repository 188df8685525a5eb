import Replication
import StateJSON

/// The lock that the processes of one device take turns with at a share.
final class ShareLock {
  private static let name = "lock"
  /// How long to sleep before it is asked for again, in nanoseconds.
  private static let pause: UInt64 = 2_000_000

  private let descriptor: FileDescriptor

  /// Takes it.
  ///
  /// - Throws: `EAGAIN` if somebody has it for that long, or why it can't be had.
  init(_ agreement: ShareAgreement, stateFolder: String, until deadline: UInt64) throws(SystemError) {
    let records = try StateFolder.open(stateFolder).folder(making: agreement.recordsName)
    descriptor = try records.open(Self.name, System.O_RDWR | System.O_CREAT, permissions: 0o600)
    while try !descriptor.tryLock() {
      guard MonotonicClock.now() < deadline else {
        throw SystemError(
          call: "flock", errno: System.EAGAIN, path: records.path, detail: "another process is at it for too long")
      }
      MonotonicClock.sleep(nanoseconds: Self.pause)
    }
  }

  func release() { descriptor.unlock() }

  /// What the process holds locked that looks after a share, as long as it does.
  static func turn(
    _ agreement: ShareAgreement, stateFolder: String, app: AppVersion?
  ) throws(SystemError) -> FileDescriptor {
    let records = try StateFolder.open(stateFolder).folder(making: agreement.recordsName)
    let name = app.map { "turn.\(ContentHash($0.value.bytes()).digits(of: 16))" } ?? "turn"
    return try records.open(name, System.O_RDWR | System.O_CREAT, permissions: 0o600)
  }
}
