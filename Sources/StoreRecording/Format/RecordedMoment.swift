import StateJSON

/// What a recording has of one moment: the state of a store, or the text of a file.
package enum RecordedMoment: Sendable {
  case state(JSONValue)
  case text(JSONDocument)

  /// The state, or what the text says.
  package var value: JSONValue {
    switch self {
    case .state(let value): value
    case .text(let document): document.value
    }
  }

  /// As a header says it.
  var contents: RecordingHeader.Contents {
    switch self {
    case .state(let value): .state(value)
    case .text(let document): .text(String(decoding: document.bytes, as: UTF8.self))
    }
  }

  /// Whether a file that holds the document holds what was recorded: a file byte for byte, a store by what it means.
  package func isHeld(by document: JSONDocument) -> Bool {
    switch self {
    case .state(let value): document.value == value
    case .text(let text): document.bytes == text.bytes
    }
  }

  /// What follows from a change, where no text tells: the patch is spliced into the text before.
  func patched(by patch: JSONPatch) throws(JSONPatchError) -> RecordedMoment {
    var value = value
    try value.apply(patch)
    switch self {
    case .state: return .state(value)
    case .text(let document): return .text(document.replacingValue(with: value))
    }
  }

  /// Becomes what a step made of it.
  ///
  /// - Throws: Where the step doesn't fit; then it stays what it was.
  package mutating func follow(_ step: RecordingStep, in file: String, line: Int) throws(RecordingLineError) {
    let next: RecordedMoment
    do {
      if case .text = self, let text = step.text {
        next = .text(try JSONDocument(parsing: text))
      } else {
        next = try patched(by: step.patch)
      }
    } catch {
      throw RecordingLineError(
        file: file, line: line, message: "step \(step.number) doesn't fit the state before it: \(error)")
    }
    let hash = next.value.recordingHash
    guard hash == step.hash else {
      throw RecordingLineError(
        file: file, line: line,
        message: "step \(step.number) leads to a state with the hash \(hash), and not \(step.hash)")
    }
    self = next
  }
}

extension Recording {
  /// What it begins with.
  package var beginning: RecordedMoment {
    // A text that can't be parsed was refused at reading.
    guard case .text(let text) = header.contents, let document = try? JSONDocument(parsing: text) else {
      return .state(state)
    }
    return .text(document)
  }
}
