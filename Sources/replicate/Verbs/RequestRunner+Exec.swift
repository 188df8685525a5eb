import HotReload
import StateJSON

extension RequestRunner {
  /// Runs a command with the value now, and with the newest one after each change; never two at a time.
  func exec(_ pointer: JSONPointer, _ command: [String]) throws -> ExitCode {
    let observer = try DocumentObserver(options: mirrorOptions(), timeout: options.timeout)
    var last: JSONValue?
    var failure: Failure?
    while failure == nil, let news = try observer.nextUnlessUnread() {
      console.tell(news, file: request.file)
      guard let change = news.change, let value = change.value[pointer], value != last else { continue }
      last = value
      let environment = [
        "REPLICATE_FILE": request.file, "REPLICATE_POINTER": "\(pointer)",
        "REPLICATE_CAUSE": change.cause.kind.rawValue,
      ]
      do throws(SystemError) {
        let result = try Subprocess(command: command, environment: environment).run(
          input: value.bytes(format: .compact) + [UInt8(ascii: "\n")], output: .inherited,
          interruption: observer.interruptionDescriptor)
        // A command that we terminate ourselves has not failed.
        if observer.isInterrupted { break }
        if result.outcome != .exited(0) { console.tell(Failure(.no, "'\(command[0])' \(result.outcome.sentence)")) }
      } catch {
        failure = Failure(error)
      }
    }
    try observer.close { $0.notices.forEach(console.tell) }
    if let failure { throw failure }
    return .done
  }
}
