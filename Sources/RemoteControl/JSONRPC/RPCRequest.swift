import StateJSON

/// What a client calls a request, so that it knows the answer again.
package enum RPCIdentifier: Equatable, Sendable {
  case string(String)
  case number(JSONNumber)
  /// Also stands in the answer to what can't be read.
  case null

  fileprivate init?(_ value: JSONValue) {
    switch value {
    case .string(let string): self = .string(string)
    case .number(let number): self = .number(number)
    case .null: self = .null
    default: return nil
    }
  }

  package var value: JSONValue {
    switch self {
    case .string(let string): .string(string)
    case .number(let number): .number(number)
    case .null: .null
    }
  }
}

/// One request or notification of a client: a method to run, or why it can't be.
package struct RPCRequest<Method: RPCMethod>: Sendable {
  /// `nil` for a notification, which is never answered.
  package let identifier: RPCIdentifier?
  package let method: Result<Method, RPCError>

  private init(identifier: RPCIdentifier?, method: Result<Method, RPCError>) {
    self.identifier = identifier
    self.method = method
  }

  /// Something that is answered with an error at once.
  package init(rejected error: RPCError, identifier: RPCIdentifier? = nil) {
    // Section 5: what can't be identified is answered with a null id.
    self.init(identifier: identifier ?? .null, method: .failure(error))
  }

  /// Reads a request object, as JSON-RPC 2.0, section 4, has it.
  package init(_ value: JSONValue) {
    guard case .object(let object) = value else {
      self.init(rejected: .invalidRequest("it must be an object"))
      return
    }
    let identifier = object["id"].flatMap(RPCIdentifier.init)
    do {
      let name = try Self.methodName(of: object)
      let method = Result { () throws(RPCError) in try Method(name, parameters: object["params"]) }
      self.init(identifier: identifier, method: method)
    } catch {
      self.init(rejected: error, identifier: identifier)
    }
  }

  private static func methodName(of object: JSONObject) throws(RPCError) -> String {
    guard object["jsonrpc"] == "2.0" else { throw .invalidRequest("'jsonrpc' must be \"2.0\"") }
    guard case .string(let method) = object["method"] else { throw .invalidRequest("'method' must be a string") }
    if let value = object["id"], RPCIdentifier(value) == nil {
      throw .invalidRequest("'id' must be a string, a number or null")
    }
    return method
  }
}

extension RPCRequest: Equatable where Method: Equatable {}

/// What stands on one line of input.
package enum RPCMessage<Method: RPCMethod>: Sendable {
  case single(RPCRequest<Method>)
  /// Several requests, whose answers are sent together, without those to notifications; never empty.
  case batch([RPCRequest<Method>])

  package init(_ line: LineReader.Line) {
    guard case .text(let bytes) = line else {
      self = .single(RPCRequest(rejected: .parseError("the line is too long")))
      return
    }
    do {
      switch try JSONValue(parsing: bytes) {
      case .array(let elements) where !elements.isEmpty: self = .batch(elements.map { RPCRequest($0) })
      case .array: self = .single(RPCRequest(rejected: .invalidRequest("a batch can't be empty")))
      case let value: self = .single(RPCRequest(value))
      }
    } catch {
      self = .single(RPCRequest(rejected: .parseError(error.message, column: error.column)))
    }
  }
}

extension RPCMessage: Equatable where Method: Equatable {}
