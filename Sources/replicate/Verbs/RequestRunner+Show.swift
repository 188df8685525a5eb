import StoreRecording

extension RequestRunner {
  /// Prints what was recorded.
  func show(count: Int?, json: Bool) throws -> ExitCode {
    let recording = try recording(request.file)
    let timeline = RecordedTimeline(recording, count: count)
    if json {
      try console.print(timeline.report)
    } else {
      // A step is a line, whatever was recorded.
      for line in timeline.lines { try console.print(line.escapedForTerminalLine + "\n") }
    }
    return recording.problems.isEmpty ? .done : .no
  }

  /// Reads a recording, and says what in it can't be read.
  func recording(_ path: String) throws(RecordingError) -> Recording {
    let recording = try Recording(contentsOf: path)
    for problem in recording.problems { console.tell(Failure(problem)) }
    return recording
  }
}

extension Failure {
  /// A file that can't be read as a recording.
  init(_ error: RecordingError) {
    if let problem = error.problem {
      self = Failure(problem, code: .invalid)
    } else {
      self.init(error.code == .unreadable ? .system : .invalid, error.message)
    }
  }

  /// A line of a recording that can't be read or replayed.
  init(_ problem: RecordingLineError, code: ExitCode = .no) {
    self.init(
      code, problem.message, place: Place(source: problem.file, line: problem.line, column: problem.column ?? 1))
  }
}
