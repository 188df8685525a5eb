import StateJSON
import StoreRecording

/// The way through a recording, step by step.
struct RecordedWay {
  let recording: Recording
  /// How many steps were taken.
  private(set) var position = 0
  /// What was recorded of the last step that fits.
  private(set) var moment: RecordedMoment
  /// Whether the last step didn't fit.
  private(set) var isLost = false

  init(_ recording: Recording) {
    self.recording = recording
    moment = recording.beginning
  }

  /// The next step, if there is one.
  var next: RecordingStep? { position < recording.steps.count ? recording.steps[position] : nil }

  /// The time of the step that was taken last.
  var reached: Duration { position == 0 ? recording.header.at : recording.steps[position - 1].at }

  /// Takes the next step.
  ///
  /// - Throws: Where it doesn't fit what was before; it is taken then, and the moment stays what it was.
  mutating func advance() throws(RecordingLineError) {
    guard let step = next else { return }
    defer { position += 1 }
    isLost = true
    try moment.follow(step, in: recording.file, line: recording.lines[position])
    isLost = false
  }
}
