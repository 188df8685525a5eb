import HotReload
import StateJSON
import StoreRecording

typealias TextObserver = FileObserver<TextModel>

/// A replica of a file's text, byte for byte, whose actions are those of a recording.
struct TextModel: MirrorModel {
  typealias State = JSONDocument
  typealias Action = Retelling

  /// Each step is a version of its own.
  var foldsActions: Bool { false }

  func apply(_ action: Retelling, to state: inout JSONDocument) { state = action.result(on: state) }
}
