import RemoteControl
import StateJSON

/// What a client asks for that drives an instance, the parameters turned into values.
enum DocumentMethod: RPCMethod, Equatable {
  case get(JSONPointer)
  /// Answered once it is committed.
  case write(DocumentOperation)
  case flush
  case watch(JSONPointer, StateFormat)
  case unwatch(JSONPointer)
  /// Whether notices are to be told from now on.
  case notices(Bool)
  case info

  /// The methods' names, as they stand in a request.
  enum Name: String, CaseIterable, Sendable {
    case get, set, remove, increment, patch, merge, flush, watch, unwatch, notices, info
  }

  init(_ name: String, parameters: JSONValue?) throws(RPCError) {
    guard let method = Name(rawValue: name) else {
      throw .methodNotFound(name, among: Name.allCases.map(\.rawValue))
    }
    let parameters = try RPCParameters(parameters)
    switch method {
    case .get:
      try parameters.allow(["path"])
      self = .get(try parameters.optionalPointer("path") ?? .root)
    case .set:
      try parameters.allow(["path", "value"])
      self = .write(
        .set(try parameters.value("value"), at: try parameters.pointer("path"), makingParents: false))
    case .remove:
      try parameters.allow(["path"])
      let pointer = try parameters.pointer("path")
      guard pointer != .root else { throw .invalidParameters("the root can't be removed; 'set' replaces it", path: "") }
      self = .write(.remove(at: pointer))
    case .increment:
      try parameters.allow(["path", "by"])
      let number = try parameters.optionalNumber("by") ?? JSONNumber(1)
      self = .write(.increment(at: try parameters.pointer("path"), by: number, makingParents: false))
    case .patch:
      try parameters.allow(["operations"])
      self = .write(.patch(try parameters.patch("operations")))
    case .merge:
      try parameters.allow(["document"])
      self = .write(.merge(try parameters.value("document")))
    case .flush:
      try parameters.allow([])
      self = .flush
    case .watch:
      try parameters.allow(["path", "format"])
      let format = try parameters.optionalWord("format", among: StateFormat.allCases) ?? .json
      self = .watch(try parameters.optionalPointer("path") ?? .root, format)
    case .unwatch:
      try parameters.allow(["path"])
      self = .unwatch(try parameters.optionalPointer("path") ?? .root)
    case .notices:
      try parameters.allow(["on"])
      self = .notices(try parameters.optionalBool("on") ?? true)
    case .info:
      try parameters.allow([])
      self = .info
    }
  }
}
