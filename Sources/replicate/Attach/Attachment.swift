import HotReload
import RemoteControl
import StateJSON
import TerminalScreen

/// An instance that a client drives over standard input and output: JSON-RPC 2.0, one message a line.
///
/// Everything here runs on one thread that waits for whichever comes first: input, news of the mirror, a signal. It never
/// waits for the file, which the mirror's thread does, nor for the reader of the output, which another one does. The first seven parts
/// are what it was made with; what belongs together of the others is a value.
struct Attachment: RPCServer {
  /// How many bytes of writes may wait for a file that is held, 64 MiB. Each is owed an answer of its own, so they can't be
  /// folded into one.
  static let waitingLimit = 1 << 26

  /// Those who wait for the file, oldest first.
  struct Waiting {
    /// Those whose writes are to be committed.
    var writers: [Addressee] = []
    /// How many bytes their requests took.
    var size = 0
    var flushers: [Addressee] = []
  }

  /// The notices of the mirror.
  struct Notices {
    /// Whether the client is told them; otherwise they go to standard error.
    var areTold = false
    /// The newest that the client was not told.
    var untold: [Notice] = []
  }

  let file: String
  let timeout: Duration
  let console: Console
  let mirror: DocumentMirror
  let news: MirrorNews
  let waker: Waker
  let interruption: Interruption

  var isEnding = false
  var failure: Failure?

  var waiting = Waiting()
  var client: Conversation
  /// The newest change, nothing before the file has been read.
  var newest: DocumentView.Change?
  var notices = Notices()
  /// What is wrong at the moment.
  var problems: [Problem.Code: Problem] = [:]
  var isClosed = false

  /// Joins the file.
  init(options: ReplicatorOptions, timeout: Duration, console: Console) throws {
    let waker = try Waker()
    let news = MirrorNews(waker: waker)
    interruption = try Interruption(terminal: Terminal())
    // Before there is another thread, so that they all leave the signals to the one that takes them.
    try Signals.deliver(Signals.ending, to: interruption.receive)
    client = Conversation(
      input: StandardStream.input, output: try OutputQueue(stream: StandardStream.output, waker: waker))
    do throws(Problem) {
      mirror = try DocumentMirror(options: options) { event in
        news.add { news in
          switch event {
          case .change(let change): news.change = change
          case .problem(let event): news.problems.append(event)
          case .notice(let notice): news.notices.append(notice)
          }
        }
      }
    } catch {
      throw Failure(error)
    }
    self.waker = waker
    self.news = news
    self.timeout = timeout
    self.console = console
    file = options.replica.file
  }

  /// Serves the client until it is done, or a signal comes.
  ///
  /// - Throws: A failure if something could not be committed in time, or nobody read the answers.
  mutating func run() throws {
    while !isEnding { try turn() }
    let news = news
    mirror.close(within: timeout) { _ in news.add { $0.isClosed = true } }
    while !isClosed { try turn() }
    try finish()
  }

  private mutating func turn() throws(SystemError) {
    // There is nothing to answer with before the file has been read, or can't be.
    let isReading = !isEnding && (newest != nil || !problems.isEmpty)
    let input = isReading ? client.input.descriptor : -1
    try Poller.wait(for: [waker.rawDescriptor, input, isEnding ? -1 : interruption.descriptor], until: nil)
    waker.reset()
    takeNews()
    if interruption.signal != nil { isEnding = true }
    if isReading, try Poller.wait(for: [input], until: 0) { read() }
    tellWatchers()
    handOver()
    noticeOutputFailure()
  }

  func failure(_ breakdown: Conversation.Breakdown) -> Failure {
    switch breakdown {
    case .cannotRead(let error): Failure(error)
    case .cannotWrite(let error): Failure(describing: error)
    case .unread(let message): Failure(.system, message)
    }
  }
}
