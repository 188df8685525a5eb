import Dispatch
import TerminalScreen

/// Reads keys, without ever waiting for one on a thread that others need.
final class Keyboard {
  private let source: any DispatchSourceRead

  /// The handler is called with what was pressed, on a queue of the keyboard's own; with nil, the terminal is gone.
  init(of terminal: Terminal, _ handler: @escaping @Sendable ([Key]?) -> Void) {
    let queue = DispatchQueue(label: "keyboard")
    source = DispatchSource.makeReadSource(fileDescriptor: terminal.keyDescriptor, queue: queue)
    source.setEventHandler { handler(terminal.keys()) }
    source.activate()
  }

  deinit { source.cancel() }
}
