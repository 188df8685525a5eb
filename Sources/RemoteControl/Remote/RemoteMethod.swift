import StateJSON

/// What a client asks of a program with a store, the parameters turned into values.
enum RemoteMethod<Action: Decodable & Sendable>: RPCMethod {
  case state(StateMethod)
  /// Answered once it is committed.
  case dispatch(Action)
  /// Whether actions are to be reported from now on.
  case actions(Bool)

  enum OwnName: String, CaseIterable {
    case dispatch, actions
  }

  init(_ name: OwnName, _ parameters: RPCParameters) throws(RPCError) {
    switch name {
    case .dispatch:
      try parameters.allow(["action"])
      let action = try parameters.value("action")
      do throws(JSONDecodingError) {
        self = .dispatch(try action.decoded(as: Action.self))
      } catch {
        throw .invalidParameters("the action cannot be decoded: \(error)", path: "\(error.pointer)")
      }
    case .actions:
      try parameters.allow(["on"])
      self = .actions(try parameters.optionalBool("on") ?? true)
    }
  }

  static func notOffered(_ name: String) -> RPCError {
    // A method that writes to a document is one elsewhere, so the reason is told instead of a name like it.
    if DocumentMethodName(rawValue: name) != nil {
      return RPCError(
        code: -32601, message: "method not found: '\(name)'; this program accepts actions only, by 'dispatch'")
    }
    return .methodNotFound(name, among: names)
  }
}
