import HotReload
import RemoteControl
import StateJSON

/// The verbs that follow a value.
extension RequestRunner {
  func watch(_ watch: Request.Watch) throws -> ExitCode {
    let observer = try DocumentObserver(options: mirrorOptions(), timeout: options.timeout)
    var printer = ChangePrinter(watch, isTerminal: console.output.isTerminal)
    do {
      while !printer.isDone, let news = try observer.next() {
        console.tell(news, file: request.file)
        if let change = news.change, let text = printer.text(for: change.value) {
          try console.print(console.output.json(text))
        }
      }
    } catch is BrokenPipe {}
    try observer.close { $0.notices.forEach(console.tell) }
    return .done
  }

  /// Waits until the value is there, or is the wanted one.
  func wait(_ pointer: JSONPointer, _ wanted: JSONValue?) throws -> ExitCode {
    let observer = try DocumentObserver(options: mirrorOptions(), timeout: options.timeout)
    let deadline = MonotonicClock.now() + options.timeout.nanoseconds
    var isFulfilled = false
    // What is there at once counts, also with no time at all.
    while !isFulfilled, let news = try observer.nextUnlessUnread(until: deadline) {
      console.tell(news, file: request.file)
      if let change = news.change, let value = change.value[pointer] {
        isFulfilled = wanted.map { $0 == value } ?? true
      }
      if MonotonicClock.now() >= deadline { break }
    }
    try observer.close { $0.notices.forEach(console.tell) }
    if isFulfilled { return .done }
    let state = wanted == nil ? "there" : "the wanted value"
    let message = "'\(pointer)' of '\(request.file)' was not \(state) in time; --timeout allows more"
    throw Failure(.system, message, pointer: "\(pointer)")
  }
}
