import HotReload
import StateJSON

/// What a client says, and what is said to it: answers, alone or together with the others of their batch, and the states of places that
/// it watches.
///
/// Whoever speaks never waits for the client to listen: what it doesn't read is kept, up to a limit.
package struct Conversation {
  /// How many bytes of answers may wait to be read, 64 MiB. Who lets more pile up isn't going to read them.
  package static let answerLimit = 1 << 26

  /// What keeps a conversation from going on.
  package enum Breakdown {
    case cannotRead(SystemError)
    case cannotWrite(any Error)
    /// The client lets too many answers pile up.
    case unread(String)
  }

  package let input: ByteStream
  /// Whether the input has ended.
  package private(set) var isAtEnd = false
  private var lines = LineReader()

  package let output: OutputQueue
  package var watches = Watches()
  /// Whether more than the limit wait to be read.
  package private(set) var isOverrun = false

  /// How many bytes of answers are kept in incomplete batches.
  private var batched = 0
  /// What is handed to the output at the end of a turn.
  private var outbox: [UInt8] = []
  /// Where what was handed to the output ends among all that was ever written.
  package private(set) var position = 0
  /// The last state that was sent ends there.
  private var toldUpTo = 0

  package init(input: ByteStream, output: OutputQueue) {
    self.input = input
    self.output = output
  }

  /// Reads what has arrived, waiting for the first of it.
  ///
  /// - Parameter method: What clients may ask for.
  /// - Returns: The requests on the lines that are complete, in their order, each with whom its answer is for.
  /// - Throws: What the system says.
  package mutating func read<Method>(
    _ method: Method.Type
  ) throws(SystemError) -> [(request: RPCRequest<Method>, addressee: Addressee)] {
    let bytes = try input.read()
    lines.append(bytes)
    isAtEnd = bytes.isEmpty
    var requests: [(request: RPCRequest<Method>, addressee: Addressee)] = []
    while let line = lines.next() ?? (isAtEnd ? lines.finish() : nil) {
      requests += RPCMessage(line).addressed(size: line.size)
    }
    return requests
  }

  /// Answers a request, alone or together with the others of its batch.
  package mutating func answer(_ addressee: Addressee, _ result: Result<JSONValue, RPCError>) {
    guard let identifier = addressee.identifier else { return }
    let answer = RPCResponse(identifier: identifier, result: result).value.bytes()
    guard let batch = addressee.batch else { return send(lines: answer + [UInt8(ascii: "\n")]) }
    let before = batch.size
    if let answers = batch.add(answer) {
      batched -= before
      send(lines: answers + [UInt8(ascii: "\n")])
    } else {
      batched += batch.size - before
      if batched > Self.answerLimit { isOverrun = true }
    }
  }

  /// Tells something that wasn't asked for.
  package mutating func send(_ notification: RPCNotification) { send(lines: notification.line) }

  /// Where what was sent so far ends among all that was ever sent.
  package var end: Int { position + outbox.count }

  /// Sends whole lines.
  package mutating func send(lines: [UInt8]) {
    outbox += lines
    if outbox.count >= OutputQueue.chunk { handOver() }
  }

  /// Whether states are due, and those before have left the process: whoever reads slowly gets fewer.
  package var awaitsState: Bool { watches.areDue && output.isWritten(upTo: toldUpTo) }

  /// Sends the states that are due.
  package mutating func tellWatchers(of newest: WatchedState) {
    let notifications = watches.notifications(of: newest)
    for notification in notifications { send(notification) }
    if !notifications.isEmpty { toldUpTo = end }
  }

  /// Gives to the output what was sent since the last time.
  package mutating func handOver() {
    guard !outbox.isEmpty else { return }
    position += outbox.count
    if output.append(outbox) + batched > Self.answerLimit { isOverrun = true }
    outbox.removeAll()
  }
}
