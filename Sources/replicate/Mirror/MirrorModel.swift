import HotReload
import StateJSON

/// How the command mirrors a whole document.
protocol MirrorModel: ReplicaModel {
  init()
  /// What a file counts as that is missing or empty.
  static var empty: State { get }
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
