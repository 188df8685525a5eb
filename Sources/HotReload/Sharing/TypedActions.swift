import Replication
import StateJSON
import StoreCore

/// A store's actions as other devices read them, and what theirs come to for its reducer.
final class TypedActions<State: Sendable, StoreAction: Sendable>: ActionReducer {
  let version: AppVersion
  private let model: TypedModel<State, StoreAction>
  /// The state that the store began with: what is not in a document is as it is here.
  private let initial: State
  private let decode: @Sendable (JSONValue) throws -> StoreAction

  /// `nil` unless the actions can be read. The model is one of its own, as it is used on another thread.
  init?(_ version: AppVersion, model: TypedModel<State, StoreAction>, initial: State) {
    guard let type = StoreAction.self as? any (Decodable & Sendable).Type else { return nil }
    (self.version, self.model, self.initial) = (version, model, initial)
    decode = { value in
      let action: Any = try JSONValueDecoder().decode(type, from: value)
      guard let action = action as? StoreAction else { preconditionFailure("the two types are one") }
      return action
    }
  }

  func reducing(_ document: JSONValue?, by actions: [JSONValue]) throws -> JSONValue? {
    var state = initial
    var base: Decoded<State>?
    if let document {
      let document = try model.decode(JSONDocument(compact: document), into: &state)
      base = Decoded(state: state, document: document)
    }
    for action in actions { model.apply(.action(try decode(action)), to: &state) }
    return try model.encode(state, over: base).document.value
  }
}
