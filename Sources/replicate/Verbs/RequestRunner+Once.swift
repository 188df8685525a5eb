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
      let operation = DocumentOperation.replaceDifference(at: pointer, from: old, to: new)
      if try wasDone(outcome(of: operation, creates: creates)) { return .done }
    }
    _ = try commit(.transform(at: pointer, by: filter), creates: creates)
    return .done
  }

  func document(creates: Bool = false, within timeout: Duration? = nil) throws -> JSONValue {
    try DocumentMirror.read(
      options: mirrorOptions(creates: creates, watches: false), within: timeout ?? options.timeout,
      tell: telling([.localLocks, .rescued, .cannotShare]))
  }

  private func commit(_ operation: DocumentOperation, creates: Bool) throws -> JSONValue? {
    do {
      return try outcome(of: operation, creates: creates).get()
    } catch OperationError.missingOnTheWay(let error) {
      throw Failure(.no, "\(error.message); -p makes what is missing", pointer: error.pointer)
    }
  }

  /// Whether an operation was done on what it was made from; false if somebody has changed that meanwhile.
  func wasDone(_ outcome: DocumentModel.Outcome) throws -> Bool {
    do throws(OperationError) {
      _ = try outcome.get()
      return true
    } catch .movedOn {
      return false
    }
  }

  /// Tells notices, and problems of these kinds: all else that keeps it from the file ends the command, and is told then.
  private func telling(_ codes: Set<Problem.Code>) -> @Sendable (DocumentView.Event) -> Void {
    { [console] event in
      switch event {
      case .problem(.occurred(let problem)) where codes.contains(problem.code): console.tell(Failure(problem))
      case .notice(let notice): console.tell(notice)
      case .problem, .change: break
      }
    }
  }

  func outcome(
    of operation: DocumentOperation, creates: Bool = false, cause: Version.Cause = .action
  ) throws -> DocumentModel.Outcome {
    try DocumentMirror.commit(
      operation, options: mirrorOptions(creates: creates, watches: false, cause: cause), within: options.timeout,
      tell: telling([.degraded, .localLocks, .rescued, .cannotShare]))
  }
}
