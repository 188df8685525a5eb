import StateJSON

/// What a client asks of a program with a store, the parameters turned into values.
enum RemoteMethod<Action: Decodable & Sendable>: RPCMethod {
  case state(StateMethod)
  /// Answered once it is committed.
  case dispatch(Action)
  /// Whether actions are to be reported from now on.
  case actions(Bool)

  init(_ name: String, parameters: JSONValue?) throws(RPCError) {
    guard let method = RemoteMethodName(rawValue: name) else { throw .notOffered(name) }
    let parameters = try RPCParameters(parameters)
    switch method {
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
    case .get, .flush, .watch, .unwatch, .notices, .info:
      self = .state(try StateMethod(name, parameters))
    }
  }
}

/// The methods' names, as they stand in a request.
enum RemoteMethodName: String, CaseIterable, Sendable {
  case get, dispatch, flush, watch, unwatch, actions, notices, info
}

extension RPCError {
  /// There is no such method; one that writes to a document is refused with the reason.
  fileprivate static func notOffered(_ name: String) -> RPCError {
    if ["set", "remove", "increment", "patch", "merge"].contains(name) {
      return RPCError(
        code: -32601, message: "method not found: '\(name)'; this program accepts actions only, by 'dispatch'")
    }
    return methodNotFound(name, among: RemoteMethodName.allCases.map(\.rawValue))
  }
}
