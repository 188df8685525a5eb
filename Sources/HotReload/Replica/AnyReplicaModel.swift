import StateJSON

/// A model whose types only it knows.
///
/// The replica and the driver are compiled once, for this one, and not at run time for every app's types: code that is generic
/// looks up the layout of each value that it copies, which was a quarter of what a commit took.
struct AnyReplicaModel: ReplicaModel {
  typealias State = AnyState
  typealias Action = any Sendable
  typealias Outcome = any Sendable

  private let model: any ReplicaModel

  init(_ model: some ReplicaModel) { self.model = model }

  var foldsActions: Bool { model.foldsActions }

  var sharesStates: Bool { model.sharesStates }

  func decode(_ document: JSONDocument, into state: inout AnyState) throws(Problem) -> JSONDocument {
    try model.decode(document, intoAny: &state)
  }

  func apply(_ action: any Sendable, to state: inout AnyState) -> any Sendable { model.apply(action, toAny: &state) }

  func isRestore(_ action: any Sendable) -> Bool { model.isRestoreOfAny(action) }

  func isRefusal(_ outcome: any Sendable) -> Bool { model.isRefusalOfAny(outcome) }

  var form: RecordedActions.Form { model.form }

  var sums: Set<JSONPointer> { model.sums }

  func recorded(_ action: any Sendable, _ outcome: (any Sendable)?) -> RecordedAction {
    model.recordedAny(action, outcome)
  }

  func separated(_ decoded: Decoded<AnyState>, above size: Int) -> AnyState { model.separatedAny(decoded, above: size) }

  func encode(_ state: AnyState, over base: Decoded<AnyState>?) throws(Problem) -> Decoded<AnyState> {
    try model.encodeAny(state, over: base)
  }
}

/// A state whose type only its model knows. It is a value as the state itself: who changes one copy changes no other.
///
/// Sendable, as the state in the box is, and only ``change(_:_:)`` writes to a box: to one that nobody else refers to, or to
/// one that it has just made.
struct AnyState: @unchecked Sendable {
  private class AnyBox {
    /// That of the state.
    let type: ObjectIdentifier

    init(_ type: ObjectIdentifier) { self.type = type }

    /// Another one with the same state.
    func copied() -> AnyBox { preconditionFailure("boxes of states copy themselves") }
  }

  private class Box<State: Sendable>: AnyBox {
    var state: State

    required init(_ state: State) {
      self.state = state
      super.init(ObjectIdentifier(State.self))
    }

    /// Of the class that this one is of, which needn't be looked up.
    override func copied() -> AnyBox { Self(state) }
  }

  private var box: AnyBox

  init(_ state: some Sendable) { box = Box(state) }

  /// The state. All states of one replica have one type.
  func state<State: Sendable>(as type: State.Type) -> State { box(of: type).state }

  /// The box, as that of a type: one that is the state's, which is made sure of, is the box's as well. To have the language cast it
  /// would look up the box's type each time.
  private func box<State: Sendable>(of type: State.Type) -> Box<State> {
    precondition(box.type == ObjectIdentifier(type), "a replica has states of one type")
    return unsafeDowncast(box, to: Box<State>.self)
  }

  /// Changes the state in place, unless there is another copy.
  mutating func change<State: Sendable, Result, Failure: Error>(
    _ type: State.Type, _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if !isKnownUniquelyReferenced(&box) { box = box.copied() }
    return try body(&box(of: type).state)
  }
}

extension ReplicaModel {
  fileprivate func decode(_ document: JSONDocument, intoAny state: inout AnyState) throws(Problem) -> JSONDocument {
    try state.change(State.self) { state throws(Problem) in try decode(document, into: &state) }
  }

  fileprivate func apply(_ action: any Sendable, toAny state: inout AnyState) -> any Sendable {
    state.change(State.self) { apply(action as! Action, to: &$0) }
  }

  fileprivate func isRestoreOfAny(_ action: any Sendable) -> Bool { isRestore(action as! Action) }

  fileprivate func isRefusalOfAny(_ outcome: any Sendable) -> Bool { isRefusal(outcome as! Outcome) }

  fileprivate func recordedAny(_ action: any Sendable, _ outcome: (any Sendable)?) -> RecordedAction {
    recorded(action as! Action, outcome.map { $0 as! Outcome })
  }

  fileprivate func separatedAny(_ decoded: Decoded<AnyState>, above size: Int) -> AnyState {
    AnyState(separated(decoded.decoded(as: State.self), above: size))
  }

  fileprivate func encodeAny(_ state: AnyState, over base: Decoded<AnyState>?) throws(Problem) -> Decoded<AnyState> {
    let encoded = try encode(state.state(as: State.self), over: base?.decoded(as: State.self))
    return Decoded(state: AnyState(encoded.state), document: encoded.document, encoding: encoded.encoding)
  }
}

extension Decoded<AnyState> {
  /// The same, for who knows the type.
  func decoded<Known: Sendable>(as type: Known.Type) -> Decoded<Known> {
    Decoded<Known>(state: state.state(as: Known.self), document: document, encoding: encoding)
  }
}
