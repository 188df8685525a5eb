import StateJSON

/// How a document becomes a state, how an action changes that, and how it becomes a document again.
///
/// All three are pure: a replica may call them any number of times, on whatever versions of the file it meets.
package protocol ReplicaModel: Sendable {
  associatedtype State: Sendable
  associatedtype Action: Sendable
  /// What came of an action on the document that it was committed to.
  associatedtype Outcome: Sendable

  /// Reads a document into a state; parts of it that are not in the document stay as they are. After an error the state counts for
  /// nothing.
  ///
  /// - Returns: The document that the state stands for: the same, or the one that a migration has made of it.
  func decode(_ document: JSONDocument, into state: inout State) throws(Problem) -> JSONDocument

  /// Whether actions that can't be committed for long may be folded into a patch; their outcomes are never told then.
  var foldsActions: Bool { get }

  /// Applies an action; one that fails leaves the state as it was.
  func apply(_ action: Action, to state: inout State) -> Outcome

  /// Whether an action brings an earlier state back.
  func isRestore(_ action: Action) -> Bool

  /// Whether an action could not be done: a file that is missing isn't made for it.
  func isRefusal(_ outcome: Outcome) -> Bool

  /// How actions are recorded.
  var form: RecordedActions.Form { get }

  /// The places of numbers to which actions add that can't be encoded.
  var sums: Set<JSONPointer> { get }

  /// An action as other devices can read it, with what came of it, if that is known.
  func recorded(_ action: Action, _ outcome: Outcome?) -> RecordedAction

  /// Whether the view has the states in its own memory that it is shown, and changes them in place.
  var sharesStates: Bool { get }

  /// The same state, for when the view has it as well: what of it takes more than so many bytes in the document is in memory of its own
  /// then, which nobody has to copy before he changes it.
  func separated(_ decoded: Decoded<State>, above size: Int) -> State

  /// Writes a state into the document that it developed from; without one, a new document is made.
  func encode(_ state: State, over base: Decoded<State>?) throws(Problem) -> Decoded<State>
}

extension ReplicaModel {
  package var foldsActions: Bool { true }
  package func isRestore(_ action: Action) -> Bool { false }
  package func isRefusal(_ outcome: Outcome) -> Bool { false }
  package var form: RecordedActions.Form { .ofEveryone }
  package var sums: Set<JSONPointer> { [] }
  package func recorded(_ action: Action, _ outcome: Outcome?) -> RecordedAction { .unsayable }
  package var sharesStates: Bool { false }
  package func separated(_ decoded: Decoded<State>, above size: Int) -> State { decoded.state }

  /// What a document stands for; parts of the state that are not in it are as they were in `previous`.
  func decode(_ document: JSONDocument, onto previous: State) throws(Problem) -> Decoded<State> {
    var state = previous
    let document = try decode(document, into: &state)
    return Decoded(state: state, document: document)
  }
}

/// A document and the state it stands for.
package struct Decoded<State: Sendable>: Sendable {
  package var state: State
  /// The document that changes are written into: as it was read, or as a migration made it.
  package var document: JSONDocument
  /// What the state itself encodes as, where the model has found out; the document may hold more.
  package var encoding: TypedDump?

  package init(state: State, document: JSONDocument, encoding: TypedDump? = nil) {
    self.state = state
    self.document = document
    self.encoding = encoding
  }
}
