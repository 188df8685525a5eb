import StateJSON

/// A method that whatever has a state offers, a store or a document, its parameters turned into values.
package enum StateMethod: Equatable, Sendable {
  case get(JSONPointer)
  case flush
  case watch(JSONPointer, StateFormat)
  case unwatch(JSONPointer)
  /// Whether notices are to be told from now on.
  case notices(Bool)
  case info

  /// The names, as they stand in a request.
  package enum Name: String, CaseIterable, Sendable {
    case get, flush, watch, unwatch, notices, info
  }

  /// Reads a method.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - parameters: What stands in the request.
  /// - Throws: What the client did wrong.
  package init(_ name: Name, _ parameters: RPCParameters) throws(RPCError) {
    switch name {
    case .get:
      try parameters.allow(["path"])
      self = .get(try parameters.optionalPointer("path") ?? .root)
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
