import HotReload
import Replication
import StateJSON

typealias DocumentMirror = FileMirror<DocumentModel>
typealias DocumentView = MirrorView<DocumentModel>
typealias DocumentObserver = FileObserver<DocumentModel>

/// A replica of a whole document, whatever it holds, whose actions are document operations.
struct DocumentModel: MirrorModel {
  typealias State = JSONValue
  typealias Action = DocumentOperation
  typealias Outcome = Result<JSONValue?, OperationError>

  static var empty: JSONValue { [:] }

  func decode(_ document: JSONDocument, into state: inout JSONValue) -> JSONDocument {
    state = document.value
    return document
  }

  func apply(_ action: DocumentOperation, to state: inout JSONValue) -> Outcome {
    do throws(OperationError) {
      return .success(try action.apply(to: &state))
    } catch {
      return .failure(error)
    }
  }

  func encode(_ state: JSONValue, over base: Decoded<JSONValue>?) -> Decoded<JSONValue> {
    let document = base.map { $0.document.replacingValue(with: state) } ?? JSONDocument(formatting: state)
    return Decoded(state: state, document: document)
  }
}

extension DocumentOperation {
  /// The operation as other devices can read it, with what came of it.
  func recorded(_ outcome: Result<JSONValue?, OperationError>?) -> RecordedAction {
    guard case .success? = outcome else { return .nothing }
    return action.map { .text($0.value.bytes(format: .compact)) } ?? .unsayable
  }

  /// The operation as one that every device can do, whatever its document holds by then; `nil` if it is none.
  fileprivate var action: DocumentAction? {
    switch self {
    case .set(let value, let pointer, _): .set(pointer, value)
    case .increment(let pointer, let number, _): .increment(pointer, number)
    case .edit(let edit):
      switch edit.change {
      case .increment(let number): .increment(edit.pointer, number)
      default: nil
      }
    case .remove, .patch, .merge, .replaceDifference, .restore, .transform: nil
    }
  }
}
