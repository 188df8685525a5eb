import HotReload
import RemoteControl
import StateJSON
import TerminalScreen

extension RequestRunner {
  /// The inspector on a terminal; on a pipe the same as `watch`.
  func view(_ pointer: JSONPointer, isPlain: Bool) throws -> ExitCode {
    // Where lines can't be drawn over, they are written one after another.
    let isPlain = isPlain || console.output.isTerminal && Environment["TERM"] == "dumb"
    guard isPlain || console.output.isTerminal else { return try watch(Request.Watch(pointer: pointer)) }
    HeapMemory.returnLargeParts()
    let terminal = Terminal([.mouse, .paste], isColored: console.output.isColored)
    let observer = try TextDocumentObserver(
      options: textOptions(), timeout: options.timeout, terminal: terminal, interest: .writing)
    let session = InspectorSession(
      file: request.file, pointer: pointer, terminal: terminal, observer: observer,
      company: { try self.company(of: $0) })
    do {
      defer { terminal.giveBack() }
      if isPlain {
        try session.runPlainly { try console.print($0 + "\n") }
      } else {
        terminal.takeOver()
        try session.run()
      }
    } catch is BrokenPipeError {}
    try observer.close { news in
      news.notices.forEach(console.tell)
      try session.end(news)
    }
    return .done
  }

  /// Who else has the file, a line each: instances on this machine that stay, and devices that share it.
  private func company(of instance: String) throws -> [String] {
    let entries = try InstanceRollCall(of: request.file).instances()
    var lines = ["Instances on this machine"]
    lines += entries.map { "  \($0.name)\($0.instance == instance ? ", this one" : "")" }
    if let reports = try deviceReports(within: .seconds(1)) {
      lines += ["", "Devices that share the file"] + reports.map { "  \($0.line)" }
    }
    return lines
  }
}
