import CLinux
import Glibc

/// The permissions, owner, access control list and user attributes of a file.
struct Ownership: Hashable {
  private(set) var rights: FileStatus.Rights
  let attributes: [String: [UInt8]]

  init(_ status: FileStatus, attributes: [String: [UInt8]]) { (rights, self.attributes) = (status.rights, attributes) }

  /// Whether both give the same users the same rights.
  func hasSameAccess(as other: Ownership) -> Bool {
    rights == other.rights && attributes[Self.accessList] == other.attributes[Self.accessList]
  }

  fileprivate static let accessList = "system.posix_acl_access"

  /// Leaves owner and group to the system: `chown` takes -1 for "as it is".
  mutating func disown() {
    (rights.owner, rights.group) = (.max, .max)
  }
}

extension FileDescriptor {
  /// The corresponding C function is `fchmod`.
  package func setPermissions(_ permissions: UInt32) throws(SystemError) {
    try SystemError.check("fchmod", path) { System.calls.fchmod(rawValue, permissions) }
  }

  /// The corresponding C function is `fchown`.
  package func setOwner(_ owner: UInt32, group: UInt32) throws(SystemError) {
    try SystemError.check("fchown", path) { System.calls.fchown(rawValue, owner, group) }
  }

  /// The names of the extended attributes; none where the file system has no such thing.
  package func attributeNames() throws(SystemError) -> [String] { Self.split(try attributeList()) }

  /// The names of the extended attributes, each ended by a zero.
  private func attributeList() throws(SystemError) -> [UInt8] {
    try Self.growing("flistxattr", path) { buffer, size in
      System.calls.flistxattr(rawValue, buffer?.assumingMemoryBound(to: CChar.self), size)
    } ?? []
  }

  private static func split(_ list: [UInt8]) -> [String] {
    list.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The list of a file that has nothing but a stamp.
  private static let stampAlone = Array("\(Stamp.attribute)\0".utf8)

  /// The value of an extended attribute, or nil if it has none. The corresponding C function is `fgetxattr`.
  package func attribute(_ name: String) throws(SystemError) -> [UInt8]? {
    try Self.growing("fgetxattr", path) { buffer, size in
      name.withCString { System.calls.fgetxattr(rawValue, $0, buffer, size) }
    }
  }

  /// The value of an extended attribute of what stands at a path, or nil if it has none. The corresponding C function is
  /// `lgetxattr`.
  static func attribute(_ name: String, of path: String) throws(SystemError) -> [UInt8]? {
    try growing("lgetxattr", path) { buffer, size in
      path.withCString { path in name.withCString { System.calls.lgetxattr(path, $0, buffer, size) } }
    }
  }

  /// The corresponding C function is `fsetxattr`.
  package func setAttribute(_ name: String, _ value: [UInt8]) throws(SystemError) {
    try SystemError.check("fsetxattr", path) {
      name.withCString { System.calls.fsetxattr(rawValue, $0, value, value.count, 0) }
    }
  }

  /// The corresponding C function is `fremovexattr`.
  package func removeAttribute(_ name: String) throws(SystemError) {
    try SystemError.check("fremovexattr", path) { System.calls.fremovexattr(rawValue, name) }
  }

  /// What of this file belongs to whoever owns it, and stays when its content is replaced.
  func ownership() throws(SystemError) -> Ownership { try ownership(status()) }

  /// What of this file belongs to whoever owns it, where the rest of it is known.
  func ownership(_ status: FileStatus) throws(SystemError) -> Ownership {
    var attributes: [String: [UInt8]] = [:]
    let names = try attributeList()
    // Most files have none, and the others mostly the stamp alone.
    if !names.isEmpty, names != Self.stampAlone {
      for name in Self.split(names) where Self.isCopied(name) { attributes[name] = try attribute(name) }
    }
    return Ownership(status, attributes: attributes)
  }

  /// Gives this file the permissions, owner, access control list and user attributes of another.
  ///
  /// The owner goes first, since changing it clears permission bits; the permissions go after the list, which they
  /// mask. Only what differs is set, so that a reused file costs little; what it has now may be known.
  ///
  /// - Throws: `EPERM` from `fchown` when the owner can't be kept.
  func take(_ wanted: Ownership, over known: Ownership? = nil) throws(SystemError) {
    if known == wanted { return }
    let own = if let known { known } else { try ownership() }
    let rights = wanted.rights
    if own.rights.owner != rights.owner || own.rights.group != rights.group {
      try setOwner(rights.owner, group: rights.group)
    }
    for name in own.attributes.keys where wanted.attributes[name] == nil { try removeAttribute(name) }
    for (name, value) in wanted.attributes where own.attributes[name] != value { try setAttribute(name, value) }
    if try status().permissions != rights.permissions { try setPermissions(rights.permissions) }
  }

  private static func isCopied(_ name: String) -> Bool {
    (name.hasPrefix("user.") && name != Stamp.attribute) || name == Ownership.accessList
  }

  /// Calls with a buffer that is large enough for most; where it isn't, for the size first, then for the content; again if
  /// the attribute grew in between.
  private static func growing(
    _ call: String, _ path: @autoclosure () -> String, _ body: (UnsafeMutableRawPointer?, Int) -> Int
  ) throws(SystemError) -> [UInt8]? {
    var capacity = 256
    while true {
      var (count, code) = (0, Int32(0))
      let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, filled in
        count = body(buffer.baseAddress, capacity)
        if count < 0 { code = errno }
        filled = max(count, 0)
      }
      if count >= 0 { return bytes }
      if code == ERANGE {
        let size = body(nil, 0)
        if size == 0 { return [] }
        if size > 0 {
          capacity = size
          continue
        }
        code = errno
      }
      switch code {
      case EINTR, ERANGE: continue
      case ENODATA, ENOTSUP: return nil
      default: throw SystemError(call: call, errno: code, path: path())
      }
    }
  }
}
