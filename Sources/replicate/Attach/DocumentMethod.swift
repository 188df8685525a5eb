import RemoteControl
import StateJSON

/// What a client asks for that drives an instance, the parameters turned into values.
enum DocumentMethod: RPCMethod, Equatable {
  case state(StateMethod)
  /// Answered once it is committed.
  case write(DocumentOperation)

  typealias OwnName = DocumentMethodName

  init(_ name: OwnName, _ parameters: RPCParameters) throws(RPCError) {
    switch name {
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
    }
  }
}
