import Dispatch
import Glibc
import TerminalScreen

/// Signals, handled by ordinary code.
final class Signals {
  static let ending = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
  /// The window has another size; the process goes on after it was stopped.
  private static let others = [SIGWINCH, SIGCONT]

  private let sources: [any DispatchSourceSignal]

  /// - Parameters:
  ///   - terminal: Given back while Ctrl-Z has the process stopped.
  ///   - handler: Called with every other signal, on a queue of their own.
  init(on terminal: Terminal, _ handler: @escaping @Sendable (Int32) -> Void) {
    let queue = DispatchQueue(label: "signals")
    let registration = DispatchGroup()
    func source(_ number: Int32, _ handler: @escaping @Sendable (Int32) -> Void) -> any DispatchSourceSignal {
      // What it would do by itself, it shall not.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler { handler(number) }
      registration.enter()
      source.setRegistrationHandler { registration.leave() }
      source.activate()
      return source
    }
    sources =
      (Self.ending + Self.others).map { source($0, handler) } + [
        source(SIGTSTP) { _ in
          guard terminal.suspend() else { return }
          // Returns when somebody continues the process, which is a signal too.
          kill(getpid(), SIGSTOP)
          terminal.resume()
        }
      ]
    // Until then, which another thread does in its own time, a signal is ignored.
    registration.wait()
  }

  deinit { for source in sources { source.cancel() } }

  /// Ends the process as the signal would have done, so that its parent sees which one it was.
  static func end(by number: Int32) -> Never {
    signal(number, SIG_DFL)
    // To have a source for it, Dispatch has blocked it.
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, number)
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
    raise(number)
    // Not reached: the default of each of these signals is to end the process.
    exit(128 + number)
  }
}
