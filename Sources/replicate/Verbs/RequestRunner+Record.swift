import HotReload
import StoreRecording

extension RequestRunner {
  /// Records what becomes of the file until a signal comes.
  func record(into path: String) throws -> ExitCode {
    // What is there already takes the other name.
    for name in [path, "\(path).1"] { try RecordingPath.refuse(name, as: request.file) }
    let observer = try TextObserver(
      options: textOptions(), timeout: options.timeout, interest: [.eachChange, .silence])
    var recorder: DocumentRecorder
    do {
      recorder = try DocumentRecorder(path, program: request.file)
    } catch {
      try observer.close { $0.notices.forEach(console.tell) }
      throw error
    }
    let outcome = Result { while let news = try observer.next() { try note(news, in: &recorder) } }
    try observer.close { news in
      try outcome.get()
      try note(news, in: &recorder)
      try recorder.end()
    }
    return .done
  }

  private func note(_ news: TextObserver.News, in recorder: inout DocumentRecorder) throws(RecorderError) {
    console.tell(news, file: request.file)
    for change in news.changes { try recorder.note(change.value, cause: change.cause) }
  }

  /// How the file is mirrored byte for byte.
  func textOptions(creates: Bool = false, cause: Version.Cause = .action) -> ReplicatorOptions {
    var options = mirrorOptions(creates: creates, cause: cause)
    options.replica.publishesFormatting = true
    return options
  }
}
