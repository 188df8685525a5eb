import HotReload
import RemoteControl
import StateJSON

/// The verbs that follow a value.
extension RequestRunner {
  func watch(_ watch: Request.Watch) throws -> ExitCode {
    let observer = try DocumentObserver(options: mirrorOptions(), timeout: options.timeout)
    let companions = try watch.also.map { file in
      let other = RequestRunner(
        request: Request(file: file, action: request.action), options: options, console: console)
      return try FileCompanion(file, options: other.mirrorOptions(), beside: observer)
    }
    let printer = ChangePrinter(watch, isTerminal: console.output.isTerminal)
    var printers = Dictionary(([request.file] + watch.also).map { ($0, printer) }) { first, _ in first }
    var remaining = watch.count ?? .max
    /// Prints what is new in a file; of several each value says whose it is.
    func tell(_ news: DocumentObserver.News, of file: String) throws {
      console.tell(news, file: file)
      guard remaining > 0, let change = news.change, let text = printers[file]?.text(for: change.value) else { return }
      remaining -= 1
      try console.print(console.output.json(watch.also.isEmpty ? text : printer.text(text, of: file)))
    }
    do {
      while remaining > 0, let news = try observer.next() {
        try tell(news, of: request.file)
        for companion in companions { try tell(companion.next(), of: companion.file) }
      }
    } catch is BrokenPipeError {}
    for companion in companions { try companion.close(within: options.timeout) }
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
