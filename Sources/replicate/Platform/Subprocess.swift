import Glibc
import HotReload

/// Runs a command without a shell, its standard input fed from memory.
struct Subprocess {
  /// The program, searched in `PATH` unless it contains a slash, and its arguments.
  let command: [String]
  /// Set in addition to this process's environment, or in the place of variables there.
  var environment: [String: String] = [:]

  /// How a command ended.
  enum Outcome: Equatable, Sendable {
    case exited(Int32)
    case signalled(Int32)
  }

  /// Runs the command to its end, with our standard streams as its own.
  func run() throws(SystemError) -> Outcome { Outcome(waitingFor: try spawn(input: nil, output: nil)) }

  /// What becomes of the command's standard output.
  enum Output: Sendable {
    /// It is collected and returned.
    case collected
    /// It goes where ours goes.
    case inherited
  }

  /// Runs the command to its end.
  ///
  /// Input is fed and output collected at the same time, so that neither side waits for the other for ever. Input that
  /// the command doesn't read is no error. Output is collected until every process that could write to it is gone; it is
  /// empty unless collected. The interruption is a descriptor that becomes readable when the command is to be terminated.
  ///
  /// - Throws: Why the command could not be started.
  func run(
    input: [UInt8], output: Output, interruption: Int32? = nil
  ) throws(SystemError) -> (outcome: Outcome, output: [UInt8]) {
    let toChild = try Pipe()
    let fromChild = try Pipe()
    let child = try spawn(
      input: toChild.readEnd.rawValue, output: output == .collected ? fromChild.writeEnd.rawValue : nil)
    // Our copies of the child's ends go now: with them open, the end of its output would never be seen.
    var exchange = SubprocessExchange(
      child: child, input: input, inputEnd: toChild.keepingWriteEnd(),
      outputEnd: output == .collected ? fromChild.keepingReadEnd() : nil, interruption: interruption)
    let outcome = exchange.run()
    return (outcome, exchange.output)
  }

  // MARK: Starting

  private func spawn(input: Int32?, output: Int32?) throws(SystemError) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let input { posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO) }
    if let output { posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO) }

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // A command must not inherit that we ignore SIGPIPE and block what ``Signals`` waits for.
    var defaults = sigset_t()
    sigemptyset(&defaults)
    posix_spawnattr_setsigmask(&attributes, &defaults)
    sigaddset(&defaults, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

    var child: pid_t = 0
    let error = withCStrings(command) { arguments in
      withCStrings(Environment.adding(environment)) { environment in
        posix_spawnp(&child, command[0], &actions, &attributes, arguments, environment)
      }
    }
    guard error == 0 else { throw SystemError(call: "run", errno: error, path: command[0]) }
    return child
  }

  /// Calls `body` with a null-terminated array of C strings.
  private func withCStrings<Result>(
    _ strings: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    var copies: [UnsafeMutablePointer<CChar>?] = strings.map { strdup($0) } + [nil]
    defer { for copy in copies { free(copy) } }
    return copies.withUnsafeMutableBufferPointer { buffer in
      guard let start = buffer.baseAddress else { preconditionFailure("the array holds at least its terminator") }
      return body(start)
    }
  }
}

extension Subprocess.Outcome {
  /// Waits for the end of a process.
  init(waitingFor child: pid_t) {
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 && errno == EINTR {}
    // As WIFSIGNALED, WTERMSIG and WEXITSTATUS, which are macros that Swift can't import.
    let signal = status & 0x7f
    self = signal == 0 ? .exited(status >> 8 & 0xff) : .signalled(signal)
  }
}
