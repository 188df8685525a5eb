import Glibc
import StateJSON

/// The machine this process runs on, as far as a shared folder is concerned.
package enum Machine {
  /// Eight hexadecimal digits that differ between machines, and between containers with machine ids of their own.
  package static let identifier: String = {
    let seed = fileIdentifier() ?? hostName()
    return ContentHash(seed).digits(of: 8)
  }()

  private static func fileIdentifier() -> [UInt8]? {
    for path in ["/etc/machine-id", "/var/lib/dbus/machine-id"] {
      // A machine without the file, or with an empty one (some containers), is known by its host name.
      guard
        let bytes = try? FileDescriptor(opening: path, O_RDONLY).contents(expecting: 64, limit: 4096),
        bytes.count >= 32
      else { continue }
      return bytes
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
