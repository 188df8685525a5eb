import Glibc
import Synchronization

/// The terminal of this process, while the app has it: on its second screen, without a cursor, without echoing keys.
///
/// Whoever has taken it over must give it back.
final class Terminal: Sendable {
  /// The settings to go back to.
  private let settings: termios
  private let isTakenOver = Mutex(false)

  /// Nil if it isn't one.
  init?() {
    var settings = termios()
    guard isatty(STDOUT_FILENO) == 1, tcgetattr(STDIN_FILENO, &settings) == 0 else { return nil }
    self.settings = settings
  }

  deinit { giveBack() }

  /// How many characters fit now.
  var size: Size {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return Size(columns: 80, rows: 24)
    }
    return Size(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }

  /// Keys come one by one and are not shown; those that send signals, such as Ctrl-C, still do.
  func takeOver() {
    isTakenOver.withLock { isTakenOver in
      if isTakenOver { return }
      isTakenOver = true
      var raw = settings
      raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
      tcsetattr(STDIN_FILENO, TCSANOW, &raw)
      write("\u{1b}[?1049h\u{1b}[?25l")
    }
  }

  /// From any thread.
  ///
  /// - Returns: whether there was anything to give back.
  @discardableResult
  func giveBack() -> Bool {
    isTakenOver.withLock { isTakenOver in
      guard isTakenOver else { return false }
      isTakenOver = false
      write("\u{1b}[?25h\u{1b}[?1049l")
      var settings = settings
      // At once, not after the output: a terminal that is stopped (Ctrl-S) must not keep us from ending.
      tcsetattr(STDIN_FILENO, TCSANOW, &settings)
      return true
    }
  }

  func show(_ lines: [Line]) {
    isTakenOver.withLock { isTakenOver in
      // Not onto the user's own screen.
      if isTakenOver { write(Line.frame(lines)) }
    }
  }

  private func write(_ text: String) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let written = bytes.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      // A terminal that is gone shows nothing; that it is, the keys will tell.
      if written < 0 && errno != EINTR { return }
      bytes = bytes.dropFirst(max(0, written))
    }
  }
}
