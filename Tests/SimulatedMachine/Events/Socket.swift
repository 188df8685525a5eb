import Glibc

/// A Unix socket that carries whole messages.
final class Socket {
  private static let capacity = 200

  /// Who has connected to it and wasn't accepted yet; nil where it doesn't listen.
  var backlog: [Socket]?
  /// The name that it was bound to.
  var inode: Inode?
  var user: uid_t
  var permissions: mode_t = 0o777
  private(set) weak var peer: Socket?
  private(set) var messages: [[UInt8]] = []
  private var hasPeer = false
  private var isClosed = false

  init(user: uid_t) { self.user = user }

  var isReadable: Bool { backlog?.isEmpty == false || !messages.isEmpty || isHungUp }
  private var isHungUp: Bool { hasPeer && peer?.isClosed != false }

  /// Connects to one that listens; the other end waits there to be accepted.
  func connect(to listener: Socket?, limit: Int = 17) throws(Refusal) {
    guard let listener, !listener.isClosed, let backlog = listener.backlog else { throw Refusal(ECONNREFUSED) }
    guard backlog.count < limit else { throw Refusal(EAGAIN) }
    let other = Socket(user: listener.user)
    (peer, other.peer, hasPeer, other.hasPeer) = (other, self, true, true)
    listener.backlog?.append(other)
  }

  func accept() throws(Refusal) -> Socket {
    guard backlog?.isEmpty == false, let next = backlog?.removeFirst() else { throw Refusal(EAGAIN) }
    return next
  }

  func send(_ message: [UInt8]) throws(Refusal) {
    guard let peer, !peer.isClosed else { throw Refusal(EPIPE) }
    guard peer.messages.count < Self.capacity else { throw Refusal(EAGAIN) }
    peer.messages.append(message)
  }

  /// The next message; an empty one when the other end is gone.
  func receive() throws(Refusal) -> [UInt8] {
    if !messages.isEmpty { return messages.removeFirst() }
    if isHungUp { return [] }
    throw Refusal(EAGAIN)
  }

  func close() {
    isClosed = true
    for other in backlog ?? [] { other.close() }
    backlog = nil
  }
}
