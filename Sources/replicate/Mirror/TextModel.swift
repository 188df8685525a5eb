import HotReload
import StateJSON
import StoreRecording

typealias TextObserver = FileObserver<TextModel>

/// A replica of a file's text, byte for byte, whose actions are those of a recording.
struct TextModel: MirrorModel {
  typealias State = JSONDocument
  typealias Action = Retelling

  static var empty: JSONDocument { JSONDocument(formatting: [:]) }

  /// Each step is a version of its own.
  var foldsActions: Bool { false }

  func decode(_ document: JSONDocument, into state: inout JSONDocument) -> JSONDocument {
    state = document
    return document
  }

  func apply(_ action: Retelling, to state: inout JSONDocument) { state = action.result(on: state) }

  func encode(_ state: JSONDocument, over base: Decoded<JSONDocument>?) -> Decoded<JSONDocument> {
    Decoded(state: state, document: state)
  }
}
