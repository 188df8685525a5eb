import HotReload
import StateJSON

/// A replica of a whole document, for who looks at its text: no value is made of it until it is changed here.
struct TextDocumentModel: MirrorModel {
  typealias State = JSONDocument
  typealias Action = DocumentOperation
  typealias Outcome = DocumentModel.Outcome

  func apply(_ action: DocumentOperation, to state: inout JSONDocument) -> Outcome {
    var value = state.value
    do throws(OperationError) {
      let result = try action.apply(to: &value)
      state = state.replacingValue(with: value)
      return .success(result)
    } catch {
      return .failure(error)
    }
  }
}
