import Glibc
import StateJSON

/// The machine this process runs on, as far as a shared folder is concerned.
package enum Machine {
  /// Eight hexadecimal digits that differ between machines, and between containers with machine ids of their own. Whoever comes to a
  /// file calls ``identify()`` first.
  package static var identifier: String { ProcessState.current.machine ?? digits(of: hostName()) }

  /// Makes sure that ``identifier`` is known.
  ///
  /// - Throws: When it can't be found out just now. A process that took another would know nothing of what the others on its
  ///   machine leave, nor they of what it leaves.
  static func identify() throws(SystemError) {
    let process = ProcessState.current
    if process.machine == nil { process.machine = digits(of: try fileIdentifier() ?? hostName()) }
  }

  private static func digits(of seed: [UInt8]) -> String { ContentHash(seed).digits(of: 8) }

  private static func fileIdentifier() throws(SystemError) -> [UInt8]? {
    for path in ["/etc/machine-id", "/var/lib/dbus/machine-id"] {
      do throws(SystemError) {
        let bytes = try FileDescriptor(opening: path, O_RDONLY).contents(expecting: 64, limit: 4096)
        if bytes.count >= 32 { return bytes }
      } catch {
        // A machine without the file, or with an empty one (some containers), is known by its host name.
        guard [ENOENT, ENOTDIR, EACCES].contains(error.errno) else { throw error }
      }
    }
    return nil
  }

  /// What the machine is called. The corresponding C function is `gethostname`.
  package static var name: String { String(decoding: hostName(), as: UTF8.self) }

  private static func hostName() -> [UInt8] {
    var name = [CChar](repeating: 0, count: 256)
    gethostname(&name, name.count - 1)
    return name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
  }
}
