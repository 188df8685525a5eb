// `environ` is a variable to the compiler; nothing in this process changes it.
@preconcurrency import Glibc
import HotReload

/// The program `remote-probe`, run for real with a file, and the client that it serves.
final class ChildProgram {
  enum Outcome: Equatable {
    case exited(Int32)
    case signalled(Int32)
  }

  let client: RemoteClient
  private let line: Line
  private let process: pid_t
  private var isReaped = false

  init(_ file: String) throws {
    line = try Line()
    client = RemoteClient(line.near)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, line.far.input.descriptor, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, line.far.output.descriptor, STDOUT_FILENO)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // As a shell starts programs, whatever the one that runs the tests does with signals.
    var set = sigset_t()
    sigemptyset(&set)
    posix_spawnattr_setsigmask(&attributes, &set)
    for signal in [SIGPIPE, SIGTERM] { sigaddset(&set, signal) }
    posix_spawnattr_setsigdefault(&attributes, &set)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    let words = [Self.path, file]
    var arguments = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, Self.path, &actions, &attributes, &arguments, environ)
    guard code == 0 else { throw SystemError(call: "run", errno: code, path: Self.path) }
    self.process = process
    line.far.closeInput()
    line.far.closeOutput()
  }

  deinit {
    guard !isReaped else { return }
    kill(process, SIGKILL)
    waitpid(process, nil, 0)
  }

  func signal(_ number: Int32) { kill(process, number) }

  /// Waits until it has ended.
  func outcome() async throws -> Outcome {
    let process = process
    let status = try await onThread {
      var status: Int32 = 0
      while waitpid(process, &status, 0) < 0 && errno == EINTR {}
      return status
    }
    isReaped = true
    let signal = status & 0x7f
    return signal == 0 ? .exited(status >> 8 & 0xff) : .signalled(signal)
  }

  /// It is built beside the test bundle, which is the running program.
  private static let path: String = {
    guard let resolved = realpath("/proc/self/exe", nil) else { return "remote-probe" }
    defer { free(resolved) }
    let program = String(cString: resolved)
    return program.prefix(upTo: program.lastIndex(of: "/") ?? program.startIndex) + "/remote-probe"
  }()
}
