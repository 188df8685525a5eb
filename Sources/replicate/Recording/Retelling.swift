import StateJSON
import StoreRecording

/// What a replay makes of a file's text.
enum Retelling: Sendable {
  /// What was recorded at one moment, whatever is there.
  case begin(RecordedMoment)
  /// What a step made of the moment before it. What others have changed stays, except where the step sets the same place.
  case step(from: RecordedMoment, to: RecordedMoment)

  func result(on document: JSONDocument) -> JSONDocument {
    switch self {
    case .begin(.text(let text)): return text
    case .begin(.state(let state)):
      // What was made for the replay has no formatting of its own.
      return document.value == TextModel.empty.value
        ? JSONDocument(formatting: state) : document.replacingValue(with: state)
    case .step(let from, let to):
      if case .text(let text) = to, from.isHeld(by: document) { return text }
      let merge = JSONMerge(base: from.value, left: document.value, right: to.value, newer: .right)
      return document.replacingValue(with: merge.value)
    }
  }
}
