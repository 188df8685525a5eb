import Glibc
import Synchronization

/// The terminal of this process, while somebody has it: on its second screen, without a cursor, without echoing keys.
///
/// Whoever has taken it over must give it back, or ends.
public final class Terminal: Sendable {
  /// What is asked of a terminal beside the second screen. One that doesn't know it does without.
  public struct Features: OptionSet, Sendable {
    /// The bits of the features.
    public let rawValue: Int

    /// Makes a set of its bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// To tell of the mouse. Text is then chosen with Shift.
    public static let mouse = Features(rawValue: 1)
    /// To tell a text that is pasted from one that is typed.
    public static let paste = Features(rawValue: 2)
  }

  private enum Holder {
    case nobody
    /// With the settings to go back to, unless keys come from somewhere else.
    case us(termios?)
    /// Given back for as long as the process is stopped, or another program has it.
    case others
  }

  private struct Guarded {
    var holder = Holder.nobody
    var painter: Painter
    var parser = KeyParser()
  }

  private let features: Features
  private let isColored: Bool
  private let guarded: Mutex<Guarded>

  /// The terminal that standard output goes to.
  ///
  /// - Parameters:
  ///   - features: What is asked of it.
  ///   - isColored: Whether there are colours.
  public init(_ features: Features = [], isColored: Bool = true) {
    self.features = features
    self.isColored = isColored
    guarded = Mutex(Guarded(painter: Painter(isColored: isColored)))
  }

  deinit { giveBack() }

  /// Whether keys come from a terminal, and lines go to one. The corresponding C function is `isatty`.
  public static var isThere: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }

  /// How many characters fit now, or on the classic terminal if that can't be told.
  public var size: Size {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return Size(columns: 80, rows: 24)
    }
    return Size(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }

  // MARK: - To have it

  /// Takes the terminal over; does nothing if that is done. From any thread.
  ///
  /// Keys come one by one and are not shown; those that send signals, such as Ctrl-C, still do.
  public func takeOver() {
    guarded.withLock { guarded in
      if case .us = guarded.holder { return }
      var settings = termios()
      if tcgetattr(STDIN_FILENO, &settings) == 0 {
        guarded.holder = .us(settings)
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
        // Ctrl-S and Ctrl-Q are keys, and Ctrl-V is.
        settings.c_iflag &= ~tcflag_t(IXON | ICRNL)
        settings.c_lflag &= ~tcflag_t(IEXTEN)
        tcsetattr(STDIN_FILENO, TCSANOW, &settings)
      } else {
        guarded.holder = .us(nil)
      }
      guarded.painter = Painter(isColored: isColored)
      write("\u{1b}[?1049h\u{1b}[?25l" + modes("h"))
    }
  }

  /// Gives the terminal back as it was; does nothing if that is done. From any thread.
  public func giveBack() { leave(for: .nobody) }

  /// Gives the terminal back until ``resume()``; does nothing if nobody has it. From any thread.
  ///
  /// - Returns: Whether there was anything to give back.
  @discardableResult
  public func suspend() -> Bool { leave(for: .others) }

  /// Takes the terminal over again after ``suspend()``; does nothing otherwise. From any thread.
  public func resume() {
    let isSuspended = guarded.withLock { if case .others = $0.holder { true } else { false } }
    if isSuspended { takeOver() }
  }

  @discardableResult
  private func leave(for next: Holder) -> Bool {
    guarded.withLock { guarded in
      guard case .us(let settings) = guarded.holder else { return false }
      guarded.holder = next
      write(modes("l") + "\u{1b}[?25h\u{1b}[?1049l")
      // At once, not after the output: a terminal that is stopped (Ctrl-S) must not keep us from ending.
      if var settings { tcsetattr(STDIN_FILENO, TCSANOW, &settings) }
      return true
    }
  }

  private func modes(_ end: String) -> String {
    (features.contains(.mouse) ? "\u{1b}[?1000\(end)\u{1b}[?1006\(end)" : "")
      + (features.contains(.paste) ? "\u{1b}[?2004\(end)" : "")
  }

  // MARK: - To show something

  /// Shows lines, and nothing else; nothing while somebody else has the terminal. From any thread.
  ///
  /// - Parameters:
  ///   - lines: The lines from top to bottom, as many as the screen has, or fewer.
  ///   - size: The size for which they were made.
  public func show(_ lines: [Line], size: Size) {
    guarded.withLock { guarded in
      // Not onto the user's own screen.
      guard case .us = guarded.holder else { return }
      write(guarded.painter.paint(lines, size: size))
    }
  }

  /// Gives a text to the clipboard of whoever sits at the terminal, if that lets it: OSC 52.
  ///
  /// - Parameter text: What to copy. More than some 70 KB most terminals don't take.
  public func copy(_ text: String) {
    guarded.withLock { guarded in
      guard case .us = guarded.holder else { return }
      write("\u{1b}]52;c;\(Base64.text(of: Array(text.utf8)))\u{1b}\\")
    }
  }

  private func write(_ text: String) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let written = bytes.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if written < 0 && errno == EAGAIN {
        // Somebody who shares the terminal with us has made it so that it doesn't wait.
        var waiting = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
        poll(&waiting, 1, -1)
        continue
      }
      // A terminal that is gone shows nothing; that it is, the keys will tell.
      if written < 0 && errno != EINTR { return }
      bytes = bytes.dropFirst(max(0, written))
    }
  }

  // MARK: - Keys

  /// What becomes readable when a key is pressed, if keys come from a terminal at all; otherwise negative.
  public var keyDescriptor: Int32 { isatty(STDIN_FILENO) == 1 ? STDIN_FILENO : -1 }

  /// For how long the rest of a key's bytes is waited for, in milliseconds: a slow line brings them in pieces.
  private static let patience: Int32 = 30

  /// The keys that were pressed since the last call; `nil` if the terminal is gone. Waits for none, only for the rest of one that has
  /// begun.
  public func keys() -> [Key]? {
    if keyDescriptor < 0 { return [] }
    return guarded.withLock { guarded in
      var keys: [Key] = []
      var patience: Int32 = 0
      while Self.isReadable(within: patience) {
        let bytes = [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
          count = max(0, read(STDIN_FILENO, buffer.baseAddress, buffer.count))
        }
        if bytes.isEmpty { return keys.isEmpty ? nil : keys }
        keys += guarded.parser.keys(in: bytes)
        patience = guarded.parser.isWaiting ? Self.patience : 0
      }
      return keys + guarded.parser.finish()
    }
  }

  private static func isReadable(within milliseconds: Int32) -> Bool {
    var waiting = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    return poll(&waiting, 1, milliseconds) > 0
  }
}
