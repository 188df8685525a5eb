import Glibc
import HotReload

/// Signals, delivered to ordinary code on a thread of its own rather than to a handler that may do next to nothing.
enum Signals {
  static let interrupt = SIGINT
  static let terminate = SIGTERM
  static let hangUp = SIGHUP
  static let quit = SIGQUIT
  static let windowChange = SIGWINCH
  /// Ctrl-Z.
  static let suspend = SIGTSTP
  /// The shell's `fg`.
  static let resume = SIGCONT
  /// Those that ask the process to end.
  static let ending = [interrupt, terminate, hangUp, quit]

  /// Makes writing to a pipe that nobody reads fail with `EPIPE` instead of killing the process.
  static func ignoreBrokenPipes() {
    signal(SIGPIPE, SIG_IGN)
  }

  /// Calls `body` with each of these signals from now on, one after the other, on a thread of its own.
  ///
  /// To be called once, before there are other threads: the signals are blocked in this thread and in those that it
  /// starts. A signal that whoever started us wants ignored (`nohup`) stays ignored.
  static func deliver(_ signals: [Int32], to body: @escaping @Sendable (Int32) -> Void) throws(SystemError) {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in signals where !isIgnored(signal) { sigaddset(&set, signal) }
    pthread_sigmask(SIG_BLOCK, &set, nil)
    let signals = set
    _ = try DriverThread(name: "signals") {
      var set = signals
      while true {
        var signal: Int32 = 0
        if sigwait(&set, &signal) == 0 { body(signal) }
      }
    }
  }

  /// Stops the process, all threads in their turn; somebody may continue it, which is a signal too.
  static func stop() { kill(getpid(), SIGSTOP) }

  /// Ends the process as the signal would have done, so that its parent sees which one it was.
  static func end(by number: Int32) -> Never {
    signal(number, SIG_DFL)
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, number)
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
    raise(number)
    // Not reached: the default of every signal in ``ending`` is to end the process.
    _exit(128 + number)
  }

  /// Function pointers can't be compared; they are of the size of an `Int`, and so are the constants that stand for
  /// none.
  private static func isIgnored(_ signal: Int32) -> Bool {
    var action = sigaction()
    sigaction(signal, nil, &action)
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
