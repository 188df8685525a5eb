import StateJSON

/// What clients may ask for, the parameters turned into values.
package protocol RPCMethod: Sendable {
  /// Reads a method.
  ///
  /// - Parameters:
  ///   - name: Its name, as it stands in a request.
  ///   - parameters: What stands in `params`; `nil` if it is left out.
  /// - Throws: What the client did wrong.
  init(_ name: String, parameters: JSONValue?) throws(RPCError)
}
