import HotReload
import RemoteControl
import StateJSON

extension RequestRunner {
  /// The live view on a terminal; on a pipe the same as `watch`.
  func view() throws -> ExitCode {
    guard console.output.isTerminal else { return try watch(Request.Watch(pointer: .root)) }
    let terminal = Terminal()
    let observer = try DocumentObserver(options: mirrorOptions(), timeout: options.timeout, terminal: terminal)
    var view = LiveView(file: request.file, cause: .start, time: WallClock.time, isColored: console.output.isColored)
    var problems: [Problem.Code: Problem] = [:]
    do {
      defer { terminal.restore() }
      terminal.takeOver()
      while let news = try observer.next(or: terminal.keyDescriptor), !terminal.isAskedToQuit() {
        for event in news.problems {
          switch event {
          case .occurred(let problem): problems[problem.code] = problem
          case .resolved(let code): problems[code] = nil
          }
        }
        view.take(notices: news.notices.map(\.message))
        view.problems = problems.values.map(\.description).sorted()
        if let change = news.change, change.value != view.new {
          view.show(change.value, cause: change.cause, time: WallClock.time)
        }
        try console.print(LiveView.frame(view.lines(size: terminal.size)))
      }
    } catch is BrokenPipe {}
    try observer.close { $0.notices.forEach(console.tell) }
    return .done
  }
}
