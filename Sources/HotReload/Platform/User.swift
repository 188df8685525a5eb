import Glibc

/// On whose behalf the process works.
enum User {
  /// The user whose rights the system checks. The corresponding C function is `geteuid`.
  static var effective: UInt32 { System.calls.geteuid() }
}
