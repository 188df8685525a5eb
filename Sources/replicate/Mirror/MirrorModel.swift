import HotReload
import StateJSON

/// How the command mirrors a whole document.
protocol MirrorModel: ReplicaModel {
  init()
  /// What a file counts as that is missing or empty.
  static var empty: State { get }
}

/// Those that keep the text.
extension MirrorModel where State == JSONDocument {
  static var empty: JSONDocument { JSONDocument(formatting: [:]) }

  func decode(_ document: JSONDocument, into state: inout JSONDocument) -> JSONDocument {
    state = document
    return document
  }

  func encode(_ state: JSONDocument, over base: Decoded<JSONDocument>?) -> Decoded<JSONDocument> {
    Decoded(state: state, document: state)
  }
}

/// Those whose actions are document operations, whatever they keep of the document.
extension MirrorModel where Action == DocumentOperation, Outcome == Result<JSONValue?, OperationError> {
  /// Each operation is answered, by what comes of it on the document that it is committed to.
  var foldsActions: Bool { false }

  func isRefusal(_ outcome: Outcome) -> Bool {
    if case .failure = outcome { true } else { false }
  }

  func recorded(_ operation: DocumentOperation, _ outcome: Outcome?) -> RecordedAction {
    operation.recorded(outcome)
  }
}
