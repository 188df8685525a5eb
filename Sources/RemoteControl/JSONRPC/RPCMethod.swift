import StateJSON

/// What clients may ask for, the parameters turned into values.
package protocol RPCMethod: Sendable {
  /// The names of the methods that only this program offers, as they stand in a request.
  associatedtype OwnName: RawRepresentable<String> & CaseIterable

  /// A method that whatever has a state offers.
  ///
  /// - Parameter method: It.
  /// - Returns: The same, asked of this program.
  static func state(_ method: StateMethod) -> Self

  /// Reads a method that only this program offers.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - parameters: What stands in `params`.
  /// - Throws: What the client did wrong.
  init(_ name: OwnName, _ parameters: RPCParameters) throws(RPCError)

  /// The answer to a request for a method that isn't offered.
  ///
  /// - Parameter name: What the client asked for.
  /// - Returns: What it is told.
  static func notOffered(_ name: String) -> RPCError
}

extension RPCMethod {
  /// The names of all methods: those that whatever has a state offers, then its own.
  package static var names: [String] { StateMethod.Name.allCases.map(\.rawValue) + OwnName.allCases.map(\.rawValue) }

  package static func notOffered(_ name: String) -> RPCError { .methodNotFound(name, among: names) }

  /// Reads a method.
  ///
  /// - Parameters:
  ///   - name: Its name, as it stands in a request.
  ///   - parameters: What stands in `params`; `nil` if it is left out.
  /// - Throws: What the client did wrong.
  init(_ name: String, parameters: JSONValue?) throws(RPCError) {
    if let name = StateMethod.Name(rawValue: name) {
      self = .state(try StateMethod(name, RPCParameters(parameters)))
    } else if let name = OwnName(rawValue: name) {
      try self.init(name, RPCParameters(parameters))
    } else {
      throw Self.notOffered(name)
    }
  }
}
