/// The driver's side of a view: it knows no model, see ``AnyReplicaModel``.
extension ReplicaView {
  func drainAny(over found: FoundDocument?) -> (actions: [any Sendable], state: AnyState?) {
    let (actions, state) = drain(over: found)
    // To convert the array would cast each of them.
    return (actions.map { $0 as any Sendable }, state.map { AnyState($0) })
  }

  func showsAny(_ decoded: Decoded<AnyState>) -> Bool { shows(decoded.decoded(as: Model.State.self)) }

  func publishAny(_ publication: Replica<AnyReplicaModel>.Publication) {
    publish(publication.state.state(as: Model.State.self), cause: publication.cause, version: publication.version)
  }

  func acknowledgeAny(_ acknowledgement: Replica<AnyReplicaModel>.Acknowledgement) {
    acknowledge(
      acknowledgement.count, outcomes: acknowledgement.outcomes.map { $0 as! Model.Outcome },
      state: acknowledgement.state.state(as: Model.State.self), version: acknowledgement.version)
  }
}
