import Glibc
import HotReload
import TestSupport

@testable import replicate

/// A command that runs while a test talks to it; killed if the test forgets it.
final class RunningCommand {
  /// How a command ended, and what it printed that nobody had read before.
  struct End {
    var output: [UInt8]
    var messages: [UInt8]
    var outcome: Subprocess.Outcome
  }

  /// A command that should long have printed something, or ended.
  struct Overdue: Error, CustomStringConvertible {
    var description: String
  }

  private let words: [String]
  let child: pid_t
  private var input: [UInt8]
  private var keepsInputOpen: Bool
  private var inputEnd: FileDescriptor?
  private var output: Stream
  private var messages: Stream
  private var isReaped = false

  /// What was read from one of the command's streams, and where more comes from.
  fileprivate struct Stream: ~Copyable {
    var end: FileDescriptor?
    var bytes: [UInt8] = []
  }

  /// Starts a command.
  ///
  /// - Parameters:
  ///   - command: The program, searched in `PATH` unless it contains a slash, and its arguments.
  ///   - folder: Where it runs.
  ///   - input: What it finds on its standard input.
  ///   - keepsInputOpen: Whether more may be sent later; otherwise the input ends there.
  ///   - environment: Set in addition to this process's environment and `neutral`.
  /// - Throws: Why it could not be started.
  init(
    _ command: [String], in folder: String, input: [UInt8] = [], keepsInputOpen: Bool = false,
    environment: [String: String] = [:]
  ) throws {
    Signals.ignoreBrokenPipes()
    let toChild = try Pipe()
    let fromChild = try Pipe()
    let complaints = try Pipe()
    child = try Self.spawn(
      command, in: folder, environment,
      streams: [toChild.readEnd.rawValue, fromChild.writeEnd.rawValue, complaints.writeEnd.rawValue])
    words = command
    self.input = input
    self.keepsInputOpen = keepsInputOpen
    inputEnd = toChild.keepingWriteEnd()
    output = Stream(end: fromChild.keepingReadEnd())
    messages = Stream(end: complaints.keepingReadEnd())
    for end in [inputEnd.number, output.end.number, messages.end.number] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
  }

  deinit {
    guard !isReaped else { return }
    kill(child, SIGKILL)
    waitpid(child, nil, 0)
  }

  /// The next line of its standard output, without the newline.
  func line() throws -> String {
    try exchange(for: "a line") { $0.output.bytes.contains(UInt8(ascii: "\n")) || $0.output.end.number < 0 }
    return output.bytes.takeLine()
  }

  /// The next line of its standard error, without the newline.
  func message() throws -> String {
    try exchange(for: "a message") { $0.messages.bytes.contains(UInt8(ascii: "\n")) || $0.messages.end.number < 0 }
    return messages.bytes.takeLine()
  }

  /// Whether it has printed a line that nobody has read yet.
  func hasLine() throws -> Bool {
    exchangeOnce(within: 10)
    return output.bytes.contains(UInt8(ascii: "\n"))
  }

  /// Waits until it blocks a signal, as the command does to end in good order.
  func untilItBlocks(_ signal: Int32) throws {
    let deadline = TestPatience.deadline
    while MonotonicClock.now() < deadline {
      let status = try FileDescriptor(opening: "/proc/\(child)/status", O_RDONLY).contents(expecting: 0, limit: .max)
      let lines = String(decoding: status, as: UTF8.self).split(separator: "\n")
      let mask = lines.first { $0.hasPrefix("SigBlk:") }.flatMap {
        UInt64($0.dropFirst(7).drop { $0 == "\t" }, radix: 16)
      }
      if let mask, mask & (1 << UInt64(signal - 1)) != 0 { return }
      exchangeOnce(within: 10)
    }
    throw Overdue(description: "waited in vain for \(words) to block signal \(signal)")
  }

  /// Sends it some more input.
  func send(_ text: String) { input += Array(text.utf8) }

  /// Ends its input once everything is sent.
  func closeInput() { keepsInputOpen = false }

  /// Stops reading its standard output, so that writing to it fails.
  func closeOutput() { output.end = nil }

  func signal(_ number: Int32) { kill(child, number) }

  /// Waits until it has ended.
  func end() throws -> End {
    closeInput()
    try exchange(for: "its end") { $0.output.end.number < 0 && $0.messages.end.number < 0 }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 && errno == EINTR {}
    isReaped = true
    let signal = status & 0x7f
    return End(
      output: output.bytes, messages: messages.bytes,
      outcome: signal == 0 ? .exited(status >> 8 & 0xff) : .signalled(signal))
  }

  private func exchange(for goal: String, until isDone: (RunningCommand) -> Bool) throws {
    let deadline = TestPatience.deadline
    while !isDone(self) {
      if MonotonicClock.now() >= deadline {
        let printed = String(decoding: output.bytes + messages.bytes, as: UTF8.self)
        throw Overdue(description: "waited in vain for \(goal) of \(words); it printed '\(printed)'")
      }
      exchangeOnce(within: 100)
    }
  }

  private func exchangeOnce(within milliseconds: Int32) {
    if input.isEmpty && !keepsInputOpen { inputEnd = nil }
    var waiting = [
      pollfd(fd: input.isEmpty ? -1 : inputEnd.number, events: Int16(POLLOUT), revents: 0),
      pollfd(fd: output.end.number, events: Int16(POLLIN), revents: 0),
      pollfd(fd: messages.end.number, events: Int16(POLLIN), revents: 0),
    ]
    // Should it fail, the deadline will tell.
    guard poll(&waiting, nfds_t(waiting.count), milliseconds) > 0 else { return }
    if waiting[0].revents != 0 { feed() }
    if waiting[1].revents != 0 { output.collect() }
    if waiting[2].revents != 0 { messages.collect() }
  }

  private func feed() {
    let written = write(inputEnd.number, input, min(input.count, 1 << 16))
    if written < 0 && (errno == EAGAIN || errno == EINTR) { return }
    if written < 0 { input = [] } else { input.removeFirst(written) }
  }

  /// What the surroundings of the tests may say of colours and terminals, and no run of a command takes over.
  private static let neutral = ["NO_COLOR": "", "TERM": "xterm-256color"]

  private static func spawn(
    _ command: [String], in folder: String, _ environment: [String: String], streams: [Int32]
  ) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, stream) in streams.enumerated() {
      posix_spawn_file_actions_adddup2(&actions, stream, Int32(number))
    }

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // Whoever runs the tests may ignore signals (a shell does for what it starts in the background), or block them.
    var set = sigset_t()
    sigemptyset(&set)
    posix_spawnattr_setsigmask(&attributes, &set)
    for signal in Signals.ending + [SIGPIPE] { sigaddset(&set, signal) }
    posix_spawnattr_setsigdefault(&attributes, &set)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

    // The C library's own way of changing the folder is hidden from Swift.
    var arguments = (["env", "-C", folder] + command).map { strdup($0) } + [nil]
    var variables = Environment.adding(neutral.merging(environment) { $1 }).map { strdup($0) } + [nil]
    defer { for copy in arguments + variables { free(copy) } }
    var child: pid_t = 0
    let error = posix_spawnp(&child, "env", &actions, &attributes, &arguments, &variables)
    guard error == 0 else { throw SystemError(call: "run", errno: error, path: "env") }
    return child
  }
}

extension RunningCommand.Stream {
  fileprivate mutating func collect() {
    let number = end.number
    let chunk = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
      count = read(number, buffer.baseAddress, buffer.count)
      if count < 0 { count = 0 }
    }
    bytes += chunk
    if chunk.isEmpty { end = nil }
  }
}

extension [UInt8] {
  /// Removes the first line, and returns it without its newline.
  fileprivate mutating func takeLine() -> String {
    let line = prefix { $0 != UInt8(ascii: "\n") }
    defer { removeFirst(Swift.min(count, line.count + 1)) }
    return String(decoding: line, as: UTF8.self)
  }
}

extension Optional where Wrapped == FileDescriptor {
  /// The number; that of none, which `poll` skips, is negative.
  fileprivate var number: Int32 {
    switch self {
    case .some(let descriptor): descriptor.rawValue
    case .none: -1
    }
  }
}
