import HotReload
import RemoteControl
import StateJSON
import StoreRecording

/// How the command ends; scripts rely on the numbers.
enum ExitCode: Int32, Sendable {
  case done = 0
  /// No: a pointer leads nowhere, a test failed, a filter failed.
  case no = 1
  case usage = 2
  /// Not valid JSON, or not the shape asked for.
  case invalid = 3
  /// The system said no, or not in time.
  case system = 4
}

/// Why the command can't do what was asked: every error becomes one of these before anybody is told.
struct Failure: Error, Equatable, Sendable {
  /// A place in a text, named as compilers do so that editors can jump there.
  struct Place: Equatable, Sendable {
    /// A path as it was typed, `<stdin>` or `<COMMAND>`.
    let source: String
    let line: Int
    let column: Int
  }

  let code: ExitCode
  /// What is wrong, with what, and what to do, in lower case.
  let message: String
  var place: Place?
  /// The JSON Pointer that is at fault.
  var pointer: String?
  /// The system's error number, where the system said no.
  var errno: Int32?
  /// Whether there is no such file.
  var isOfMissingFile = false

  init(
    _ code: ExitCode, _ message: String, place: Place? = nil, pointer: String? = nil, errno: Int32? = nil
  ) {
    self.code = code
    self.message = message
    self.place = place
    self.pointer = pointer
    self.errno = errno
  }

  static func usage(_ message: String) -> Failure { Failure(.usage, message) }

  /// The failure with what somebody most likely meant.
  func hinting(for request: Request) -> Failure {
    guard isOfMissingFile else { return self }
    let hint: String? =
      switch request.action {
      case .view: Verb.suggestion(for: request.file).map { "did you mean the verb '\($0)'?" }
      case .replay(let replay) where !replay.creates: "--create makes it"
      default: nil
      }
    return hint.map { Failure(code, "\(message); \($0)", place: place, pointer: pointer, errno: errno) } ?? self
  }

  /// The line for standard error: `FILE:LINE:COLUMN: …` where there is a place to look at, else `replicate: …`.
  var text: String {
    guard let place else { return "\(CommandTable.name): \(message)" }
    return "\(place.source):\(place.line):\(place.column): \(message)"
  }
}

extension Failure {
  /// A text that is not JSON; `source` is what it is called: a path, `<stdin>` or `<COMMAND>`.
  init(_ error: JSONParseError, in source: String) {
    self.init(.invalid, error.message, place: Place(source: source, line: error.line, column: error.column))
  }

  /// An operation that the document doesn't allow.
  init(_ error: OperationError) {
    if case .filter(let failure) = error {
      self = failure
      return
    }
    self.init(error.exitCode, error.description, pointer: error.pointer)
  }

  /// A system call that failed, in the system's own words.
  init(_ error: SystemError) {
    self.init(.system, error.description, errno: error.errno)
  }

  /// Turns any error into what the user is told; the only place that does.
  init(describing error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case let problem as Problem: self.init(problem)
    case let error as JSONParseError: self.init(error, in: StandardStream.input.name)
    case let error as SystemError: self.init(error)
    case let error as OperationError: self.init(error)
    case let error as RecordingError: self.init(error)
    case let error as JSONPointerError: self.init(OperationError.pointer(error))
    case let error as JSONPatchError: self.init(OperationError.patch(error))
    default: self.init(.system, "\(error)")
    }
  }
}
