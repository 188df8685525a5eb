import HotReload
import StateJSON

/// The verbs that look at the file, or change it, once.
extension RequestRunner {
  func get(_ pointers: [JSONPointer], _ version: String?, _ style: Request.GetStyle) throws -> ExitCode {
    let document = try version.map(value(ofVersion:)) ?? document()
    // All of them, or none.
    let values = try pointers.map { try document.value(at: $0) }
    for value in values { try console.print(value, style: style) }
    return .done
  }

  func write(_ operation: DocumentOperation, creates: Bool) throws -> ExitCode {
    if let result = try commit(operation, creates: creates) {
      try console.print(result, style: Request.GetStyle(isCompact: true))
    }
    return .done
  }

  /// Three times the command works on a value that nobody is kept from changing; if somebody did each time, it works
  /// under the lock.
  func update(_ pointer: JSONPointer, _ command: [String], creates: Bool) throws -> ExitCode {
    let filter = Filter(command: command)
    for _ in 1...3 {
      let old = try document(creates: creates).value(at: pointer)
      let new = try filter.output(for: old)
      switch try outcome(of: .replaceDifference(at: pointer, from: old, to: new), creates: creates) {
      case .success: return .done
      case .failure(.movedOn): continue
      case .failure(let error): throw Failure(error)
      }
    }
    _ = try commit(.transform(at: pointer, by: filter), creates: creates)
    return .done
  }

  func document(creates: Bool = false, within timeout: Duration? = nil) throws -> JSONValue {
    try attempt { () throws(Problem) in
      try DocumentMirror.read(
        options: mirrorOptions(creates: creates, watches: false), within: timeout ?? options.timeout,
        onProblem: telling([.localLocks, .rescued, .cannotShare])
      ) { [console] notice in
        console.tell(notice)
      }
    }
  }

  private func commit(_ operation: DocumentOperation, creates: Bool) throws -> JSONValue? {
    switch try outcome(of: operation, creates: creates) {
    case .success(let result): return result
    case .failure(.missingOnTheWay(let error)):
      throw Failure(.no, "\(error.message); -p makes what is missing", pointer: error.pointer)
    case .failure(let error): throw Failure(error)
    }
  }

  /// Tells problems of these kinds: all else that keeps it from the file ends the command, and is told then.
  private func telling(_ codes: Set<Problem.Code>) -> @Sendable (ProblemEvent) -> Void {
    { [console, file = request.file] event in
      if case .occurred(let problem) = event, codes.contains(problem.code) { console.tell(event, file: file) }
    }
  }

  func outcome(
    of operation: DocumentOperation, creates: Bool = false, cause: Version.Cause = .action
  ) throws -> DocumentModel.Outcome {
    try attempt { () throws(Problem) in
      try DocumentMirror.commit(
        operation, options: mirrorOptions(creates: creates, watches: false, cause: cause), within: options.timeout,
        onProblem: telling([.degraded, .localLocks, .rescued, .cannotShare])
      ) { [console] notice in
        console.tell(notice)
      }
    }
  }

  func attempt<Result>(_ body: () throws(Problem) -> Result) throws(Failure) -> Result {
    do throws(Problem) { return try body() } catch { throw Failure(error) }
  }
}
