/// A view as the driver sees it, whatever its model: see ``AnyReplicaModel``.
struct AnyReplicaView: Sendable {
  typealias Model = AnyReplicaModel

  private let view: any ReplicaView

  init(_ view: some ReplicaView) { self.view = view }

  var submittedCount: Int { view.submittedCount }
  var claims: ClaimBoard? { view.claims }

  func drain(over found: FoundDocument?) -> (actions: [any Sendable], state: AnyState?) {
    view.drainAny(over: found)
  }

  func shows(_ decoded: Decoded<AnyState>) -> Bool { view.showsAny(decoded) }

  func publish(_ publication: Replica<Model>.Publication) { view.publishAny(publication) }

  func acknowledge(_ acknowledgement: Replica<Model>.Acknowledgement) { view.acknowledgeAny(acknowledgement) }

  func report(_ event: ProblemEvent) { view.report(event) }

  func notify(_ notice: Notice) { view.notify(notice) }
}

extension ReplicaView {
  fileprivate func drainAny(over found: FoundDocument?) -> (actions: [any Sendable], state: AnyState?) {
    let (actions, state) = drain(over: found)
    // To convert the array would cast each of them.
    return (actions.map { $0 as any Sendable }, state.map { AnyState($0) })
  }

  fileprivate func showsAny(_ decoded: Decoded<AnyState>) -> Bool { shows(decoded.decoded(as: Model.State.self)) }

  fileprivate func publishAny(_ publication: Replica<AnyReplicaModel>.Publication) {
    publish(publication.state.state(as: Model.State.self), cause: publication.cause, version: publication.version)
  }

  fileprivate func acknowledgeAny(_ acknowledgement: Replica<AnyReplicaModel>.Acknowledgement) {
    acknowledge(
      acknowledgement.count, outcomes: acknowledgement.outcomes.map { $0 as! Model.Outcome },
      state: acknowledgement.state.state(as: Model.State.self), version: acknowledgement.version)
  }
}
