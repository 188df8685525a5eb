import CLinux
import Glibc

/// A promise of the kernel: nobody opens the file against it before we were told.
package enum Lease: Sendable {
  /// Nobody has the file open for writing. Needs a descriptor opened `O_RDONLY`.
  case read
  /// Nobody else has the file open at all.
  case write
}

/// The answer to asking for a lease.
package enum LeaseAnswer: Sendable {
  case granted
  /// Somebody has the file open in a way that the lease excludes.
  case refused
  /// The file system, the owner's rights or a setting don't allow leases.
  case unsupported
}

extension FileDescriptor {
  /// Asks for a lease, and never waits. The corresponding C function is `fcntl` with `F_SETLEASE`.
  ///
  /// A broken lease raises `SIGIO`, which would end the process: `SIGURG`, ignored by default, is set first, and each time, since
  /// the end of a lease takes it back. Hold a lease for microseconds only: whoever wants to open the file waits for `endLease()`.
  package func take(_ lease: Lease) -> LeaseAnswer {
    guard System.calls.setSignal(rawValue, SIGURG) == 0 else { return .unsupported }
    while System.calls.setLease(rawValue, lease == .read ? F_RDLCK : F_WRLCK) != 0 {
      switch errno {
      case EINTR: continue
      case EAGAIN, EBUSY: return .refused
      default: return .unsupported
      }
    }
    return .granted
  }

  /// Whether a write lease is on it that nobody is waiting to break. The corresponding C function is `fcntl` with `F_GETLEASE`.
  var hasWriteLease: Bool { System.calls.lease(rawValue) == F_WRLCK }

  /// Lets those in who wait to open the file. Harmless without a lease.
  func endLease() {
    _ = System.calls.setLease(rawValue, F_UNLCK)
  }
}
