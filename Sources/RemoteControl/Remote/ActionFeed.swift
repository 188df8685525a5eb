/// The notifications of actions that a client has not been sent yet: all of them, in order, up to a limit of bytes.
struct ActionFeed: Sendable {
  /// How many bytes may be on their way to the client, those that the output has included.
  let limit: Int
  private var lines: [UInt8] = []
  /// How many bytes the output has been given, and hasn't written yet.
  private var handedOver = 0
  /// How many actions have come after the lines, and found no room.
  private var omitted = 0

  init(limit: Int) { self.limit = limit }

  /// Whether there is something to send.
  var isEmpty: Bool { lines.isEmpty && omitted == 0 }

  /// Whether the output has been given something, and may not have written it yet.
  var isOnItsWay: Bool { handedOver > 0 }

  /// Adds an action, unless there is no room, or one before it found none.
  mutating func add(_ notification: () -> RPCNotification) {
    if omitted == 0 {
      let line = notification().line
      if lines.count + handedOver + line.count <= limit { return lines += line }
    }
    omitted += 1
  }

  /// Notes that the output has written what it was given.
  mutating func noteWritten() { handedOver = 0 }

  /// Hands over what is to be sent next; nothing may be on its way.
  mutating func take() -> [UInt8] {
    defer { (lines, omitted) = ([], 0) }
    handedOver = lines.count
    return omitted == 0 ? lines : lines + RPCNotification.omitted(omitted).line
  }
}
