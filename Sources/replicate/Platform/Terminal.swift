import Glibc
import RemoteControl
import Synchronization

/// The terminal that standard output goes to, while a live view has it.
///
/// On its second screen, without a cursor and without echoing keys; ``restore()`` gives it back as it was.
final class Terminal: Sendable {
  /// How many characters fit.
  struct Size: Equatable, Sendable {
    var columns: Int
    var rows: Int
  }

  private enum State: Sendable {
    case untouched
    /// Given back for as long as the process is stopped.
    case suspended
    /// With the settings to go back to, unless standard input is no terminal.
    case takenOver(termios?)
  }

  private let state = Mutex(State.untouched)

  private static let enterSequence = "\u{1b}[?1049h\u{1b}[?25l"
  private static let leaveSequence = "\u{1b}[?25h\u{1b}[?1049l"

  /// Whether a descriptor is a terminal. The corresponding C function is `isatty`.
  static func isTerminal(_ stream: ByteStream) -> Bool { isatty(stream.descriptor) == 1 }

  /// The size of the window now, or that of the classic terminal if it can't be told.
  var size: Size {
    var size = winsize()
    guard ioctl(StandardStream.output.descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
    else { return Size(columns: 80, rows: 24) }
    return Size(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }

  /// What becomes readable when a key is pressed, if keys come from a terminal at all; otherwise negative.
  var keyDescriptor: Int32 { Self.isTerminal(StandardStream.input) ? StandardStream.input.descriptor : -1 }

  /// Whether one of the keys pressed since the last call was `q`. Never waits.
  func isAskedToQuit() -> Bool {
    var waiting = pollfd(fd: keyDescriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&waiting, 1, 0) > 0, waiting.revents != 0 else { return false }
    // A terminal that can't be read any more has been closed, and nobody can look at the view.
    guard let keys = try? StandardStream.input.read(upTo: 256), !keys.isEmpty else { return true }
    return keys.contains(UInt8(ascii: "q"))
  }

  /// Takes the terminal over; does nothing if that is done.
  ///
  /// Keys are read one by one and not shown; those that send signals, such as Ctrl-C, still do.
  func takeOver() {
    state.withLock { state in
      guard case .untouched = state else { return }
      var settings = termios()
      if tcgetattr(StandardStream.input.descriptor, &settings) == 0 {
        state = .takenOver(settings)
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
        tcsetattr(StandardStream.input.descriptor, TCSANOW, &settings)
      } else {
        state = .takenOver(nil)
      }
      show(Self.enterSequence)
    }
  }

  /// Gives the terminal back as it was; does nothing if that is done. May be called from any thread.
  func restore() {
    state.withLock { state in
      guard case .takenOver(let settings) = state else { return }
      state = .untouched
      show(Self.leaveSequence)
      // At once, not after the output: a terminal that is stopped (Ctrl-S) must not keep us from ending.
      if var settings { tcsetattr(StandardStream.input.descriptor, TCSANOW, &settings) }
    }
  }

  /// Gives the terminal back until ``resume()``, if it was taken over.
  func suspend() {
    let wasTakenOver = state.withLock { state in
      if case .takenOver = state { true } else { false }
    }
    restore()
    if wasTakenOver { state.withLock { $0 = .suspended } }
  }

  /// Takes the terminal over again after ``suspend()``.
  func resume() {
    let wasSuspended = state.withLock { state in
      guard case .suspended = state else { return false }
      state = .untouched
      return true
    }
    if wasSuspended { takeOver() }
  }

  deinit { restore() }

  private func show(_ sequence: String) {
    // A terminal that is gone needs no restoring.
    try? StandardStream.output.write(Array(sequence.utf8))
  }
}
