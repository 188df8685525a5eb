import HotReload
import RemoteControl
import StateJSON
import TerminalScreen

extension RequestRunner {
  /// The inspector on a terminal; on a pipe the same as `watch`.
  func view(_ pointer: JSONPointer) throws -> ExitCode {
    guard console.output.isTerminal else { return try watch(Request.Watch(pointer: pointer)) }
    let terminal = Terminal([.mouse, .paste], isColored: console.output.isColored)
    let observer = try TextDocumentObserver(
      options: mirrorOptions(), timeout: options.timeout, terminal: terminal, interest: .writing)
    let session = InspectorSession(file: request.file, pointer: pointer, terminal: terminal, observer: observer)
    do {
      defer { terminal.giveBack() }
      terminal.takeOver()
      try session.run()
    } catch is BrokenPipe {}
    try observer.close { $0.notices.forEach(console.tell) }
    return .done
  }
}
