import CLinux
import Glibc

/// The permissions, owner, access control list and user attributes of a file.
package struct Ownership: Hashable, Sendable {
  package var permissions: UInt32
  package var owner: UInt32
  package var group: UInt32
  package var attributes: [String: [UInt8]]

  package init(_ status: FileStatus, attributes: [String: [UInt8]]) {
    permissions = status.permissions
    owner = status.owner
    group = status.group
    self.attributes = attributes
  }

  /// Whether both give the same users the same rights.
  func hasSameAccess(as other: Ownership) -> Bool {
    permissions == other.permissions && owner == other.owner && group == other.group
      && attributes[Self.accessList] == other.attributes[Self.accessList]
  }

  fileprivate static let accessList = "system.posix_acl_access"

  /// Leaves owner and group to the system: `chown` takes -1 for "as it is".
  package mutating func disown() {
    owner = .max
    group = .max
  }
}

extension FileDescriptor {
  /// The corresponding C function is `fchmod`.
  package func setPermissions(_ permissions: UInt32) throws(SystemError) {
    try SystemError.check("fchmod", path) { fchmod(rawValue, permissions) }
  }

  /// The corresponding C function is `fchown`.
  package func setOwner(_ owner: UInt32, group: UInt32) throws(SystemError) {
    try SystemError.check("fchown", path) { fchown(rawValue, owner, group) }
  }

  /// The names of the extended attributes; none where the file system has no such thing.
  package func attributeNames() throws(SystemError) -> [String] {
    let names = try growing("flistxattr") { buffer, size in flistxattr(rawValue, buffer, size) } ?? []
    return names.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The value of an extended attribute, or nil if it has none. The corresponding C function is `fgetxattr`.
  package func attribute(_ name: String) throws(SystemError) -> [UInt8]? {
    try growing("fgetxattr") { buffer, size in fgetxattr(rawValue, name, buffer, size) }
  }

  /// The corresponding C function is `fsetxattr`.
  package func setAttribute(_ name: String, _ value: [UInt8]) throws(SystemError) {
    try SystemError.check("fsetxattr", path) { fsetxattr(rawValue, name, value, value.count, 0) }
  }

  /// The corresponding C function is `fremovexattr`.
  package func removeAttribute(_ name: String) throws(SystemError) {
    try SystemError.check("fremovexattr", path) { fremovexattr(rawValue, name) }
  }

  /// What of this file belongs to whoever owns it, and stays when its content is replaced.
  package func ownership() throws(SystemError) -> Ownership {
    var attributes: [String: [UInt8]] = [:]
    for name in try attributeNames() where Self.isCopied(name) { attributes[name] = try attribute(name) }
    return Ownership(try status(), attributes: attributes)
  }

  /// Gives this file the permissions, owner, access control list and user attributes of another.
  ///
  /// The owner goes first, since changing it clears permission bits; the permissions go after the list, which they
  /// mask. Only what differs is set, so that a reused file costs little.
  ///
  /// - Throws: `EPERM` from `fchown` when the owner can't be kept.
  package func take(_ wanted: Ownership) throws(SystemError) {
    let own = try ownership()
    if own.owner != wanted.owner || own.group != wanted.group {
      try setOwner(wanted.owner, group: wanted.group)
    }
    for name in own.attributes.keys where wanted.attributes[name] == nil { try removeAttribute(name) }
    for (name, value) in wanted.attributes where own.attributes[name] != value { try setAttribute(name, value) }
    if try status().permissions != wanted.permissions { try setPermissions(wanted.permissions) }
  }

  private static func isCopied(_ name: String) -> Bool {
    (name.hasPrefix("user.") && name != Stamp.attribute) || name == Ownership.accessList
  }

  /// Calls for a buffer's size first, then for its content; again if the attribute grew in between.
  private func growing(
    _ call: String, _ body: (UnsafeMutableRawPointer?, Int) -> Int
  ) throws(SystemError) -> [UInt8]? {
    while true {
      var size = body(nil, 0)
      if size > 0 {
        var count = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, filled in
          count = body(buffer.baseAddress, size)
          filled = max(count, 0)
        }
        if count >= 0 { return bytes }
        size = count
      }
      if size == 0 { return [] }
      switch errno {
      case EINTR, ERANGE: continue
      case ENODATA, ENOTSUP: return nil
      default: throw SystemError(call: call, errno: errno, path: path)
      }
    }
  }
}
