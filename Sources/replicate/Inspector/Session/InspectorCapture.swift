import HotReload
import StateJSON
import StoreCore
import StoreRecording

/// A recording that an inspector makes: from an earlier version on, if somebody wants that, and then of all that happens.
struct InspectorCapture: ~Copyable {
  let path: String
  private var recorder: DocumentRecorder
  /// What was noted last.
  private var last: JSONDocument

  /// Begins a recording with what is there now, and before it the versions that led there, oldest first.
  init(into path: String, of file: String, after steps: [HistoryStep], now document: JSONDocument)
    throws(RecorderError)
  {
    var recorder = try DocumentRecorder(path, program: file, began: steps.first?.entry.version.time)
    var last: JSONDocument?
    for step in steps {
      // The log keeps what the file meant; it is told in the formatting of today.
      let then = document.replacingValue(with: step.new)
      try recorder.note(then, cause: step.cause, at: step.entry.version.time)
      last = then
    }
    if document.bytes != last?.bytes { try recorder.note(document, cause: steps.last?.cause ?? .start) }
    self.path = path
    self.recorder = recorder
    self.last = document
  }

  /// Writes down what the file holds from now on.
  mutating func note(_ document: JSONDocument, cause: Cause) throws(RecorderError) {
    if document.bytes == last.bytes { return }
    last = document
    try recorder.note(document, cause: cause)
  }

  /// Writes down that the recording ends in good order.
  mutating func end() throws(RecorderError) { try recorder.end() }
}

extension HistoryStep {
  fileprivate var cause: Cause { Cause(entry.cause, author: entry.author) }
}
