import CLinux
import Glibc

/// A Unix socket: whole messages between the processes of one user on one machine. Nothing here waits.
///
/// A class, since the two ends of a conversation may be on different threads.
final class LocalSocket: Sendable {
  /// The largest message that is received.
  static let messageLimit = 1 << 16

  private let descriptor: FileDescriptor
  /// What to wait for in `Poller`.
  var rawDescriptor: Int32 { descriptor.rawValue }

  private init(owning raw: Int32, path: String) { descriptor = FileDescriptor(owning: raw, path: path) }

  /// The corresponding C function is `socket`.
  private init(path: String) throws(SystemError) {
    let kind = SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    let raw = try SystemError.check("socket", path) { System.calls.socket(AF_UNIX, Int32(kind), 0) }
    descriptor = FileDescriptor(owning: raw, path: path)
  }

  /// Makes a name that others of this user can connect to. The corresponding C functions are `bind` and `listen`.
  convenience init(listeningAt name: String, in folder: Folder) throws(SystemError) {
    let path = folder.path(of: name)
    try self.init(path: path)
    // Before there is a name: the kernel makes it with the mode that the socket has by then.
    try SystemError.check("fchmod", path) { System.calls.fchmod(rawDescriptor, 0o600) }
    try Self.withAddress(of: name, in: folder) { address, size throws(SystemError) in
      try SystemError.check("bind", path) { System.calls.bind(rawDescriptor, address, size) }
    }
    try SystemError.check("listen", path) { System.calls.listen(rawDescriptor, 16) }
  }

  /// Connects to a name that somebody listens at, which needs no answer by him. The corresponding C function is
  /// `connect`.
  ///
  /// - Throws: `ECONNREFUSED` where nobody does any more, `EAGAIN` where too many wait already.
  convenience init(connectingTo name: String, in folder: Folder) throws(SystemError) {
    let path = folder.path(of: name)
    try self.init(path: path)
    try Self.withAddress(of: name, in: folder) { address, size throws(SystemError) in
      try SystemError.check("connect", path) { System.calls.connect(rawDescriptor, address, size) }
    }
  }

  /// The next one who has connected, if there is one. The corresponding C function is `accept4`.
  func accept() -> LocalSocket? {
    let raw = System.calls.accept(rawDescriptor, nil, nil, Int32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue))
    // Who has gone in the meantime is none; who can't be had for want of descriptors is told so by being kept waiting.
    return raw < 0 ? nil : LocalSocket(owning: raw, path: descriptor.path)
  }

  /// Whether the other end belongs to this process's user.
  var isSameUser: Bool {
    var user = uid_t()
    return System.calls.peerUser(rawDescriptor, &user) == 0 && user == User.effective
  }

  /// Sends a message, unless the other end is gone. The corresponding C function is `send`.
  func send(_ message: [UInt8]) {
    // Nobody is left to be told of a failure.
    _ = System.calls.send(rawDescriptor, message, message.count, Int32(MSG_NOSIGNAL))
  }

  /// The next message: empty when the other end is gone, nil if there is none yet. The corresponding C function is
  /// `recv`.
  func receive() throws(SystemError) -> [UInt8]? {
    do throws(SystemError) {
      var message = [UInt8](repeating: 0, count: Self.messageLimit)
      let count = try SystemError.check("recv", descriptor.path) {
        System.calls.recv(rawDescriptor, &message, message.count, 0)
      }
      return Array(message.prefix(count))
    } catch {
      if error.errno == EAGAIN { return nil }
      if error.errno == ECONNRESET { return [] }
      throw error
    }
  }

  /// A name's address. An address is short and a path may be long, so it is that of the open folder.
  private static func withAddress(
    of name: String, in folder: Folder,
    _ body: (UnsafePointer<sockaddr>, socklen_t) throws(SystemError) -> Void
  ) throws(SystemError) {
    let path = Array("/proc/self/fd/\(folder.descriptor.rawValue)/\(name)".utf8)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    guard path.count < MemoryLayout.size(ofValue: address.sun_path) else {
      throw SystemError(call: "bind", errno: ENAMETOOLONG, path: folder.path(of: name))
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    try withUnsafePointer(to: address) { pointer throws(SystemError) in
      try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer throws(SystemError) in
        try body(pointer, size)
      }
    }
  }
}
