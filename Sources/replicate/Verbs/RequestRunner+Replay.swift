import HotReload
import StoreRecording

extension RequestRunner {
  /// Brings the file to what was recorded, step by step.
  func replay(_ replay: Request.Replay) throws -> ExitCode {
    try RecordingPath.refuse(replay.recording, as: request.file)
    let recording = try recording(replay.recording)
    var playback = try Playback(
      recording, replay, into: request.file, within: options.timeout, console: console)
    let observer = try TextObserver(
      options: textOptions(creates: replay.creates, cause: .restore), timeout: options.timeout,
      interest: replay.pace == .lines ? .writing : [.writing, .silence])
    var failure: (any Error)?
    do { try playback.run(on: observer) } catch { failure = error }
    // What could not be written in time isn't waited for once more.
    try observer.close(within: failure == nil ? options.timeout : .zero) { news in
      console.tell(news, file: request.file)
      if let failure { throw failure }
    }
    guard playback.moment.isHeld(by: observer.mirror.current.value) else {
      throw Failure(.no, "'\(request.file)' is not what was recorded, since others changed it")
    }
    return playback.isWhole ? .done : .no
  }
}
