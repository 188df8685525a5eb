import HotReload
import StateJSON
import Testing

@testable import replicate

@Suite struct `A model of a document` {
  /// As a replica asks it, which knows no more than the protocol.
  private func answers<Model: ReplicaModel>(
    _ model: Model, _ action: Model.Action, _ done: Model.Outcome, _ refused: Model.Outcome
  ) -> [Bool] {
    [
      model.foldsActions, model.isRefusal(done), model.isRefusal(refused),
      isSaid(model.recorded(action, done)), isSaid(model.recorded(action, refused)),
    ]
  }

  private func isSaid(_ recorded: RecordedAction) -> Bool {
    if case .text = recorded { true } else { false }
  }

  @Test func `answers each operation, tells a refusal, and says what others can do as well`() {
    let set = DocumentOperation.set(1, at: JSONPointer(["n"]), makingParents: false)
    let (done, refused) = (DocumentModel.Outcome.success(nil), DocumentModel.Outcome.failure(.movedOn(.root)))
    let expected = [false, false, true, true, false]
    #expect(answers(DocumentModel(), set, done, refused) == expected)
    #expect(answers(TextDocumentModel(), set, done, refused) == expected)
  }
}
