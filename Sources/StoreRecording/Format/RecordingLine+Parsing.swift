import StateJSON
import StoreCore

extension RecordingLine {
  /// Why a line can't be read.
  enum Refusal: Error {
    /// A newer version of the format.
    case newer(Int)
    /// What is wrong, and where, from 1, if that is known.
    case malformed(String, column: Int?)
  }

  /// Reads a line, given without its line feed. Members that aren't known are ignored.
  init(parsing bytes: [UInt8]) throws(Refusal) {
    let value: JSONValue
    do {
      value = try JSONValue(parsing: bytes)
    } catch {
      throw .malformed(error.message, column: error.column)
    }
    guard case .object(let object) = value else { throw .malformed("expected an object", column: 1) }
    let members = Members(object: object)
    if object["recording"] != nil {
      self = .header(try RecordingHeader(members))
    } else if object["patch"] != nil {
      self = .step(try RecordingStep(members))
    } else if let action = object["dispatched"] {
      self = .dispatched(
        RecordedDispatch(at: try members.time(), type: try members.string("type"), action: action))
    } else if object["end"] != nil {
      self = .end(at: try members.time())
    } else {
      throw .malformed("expected 'recording', 'patch', 'dispatched' or 'end'", column: nil)
    }
  }

  /// What stands in a line, by name.
  fileprivate struct Members {
    let object: JSONObject

    func integer<I: FixedWidthInteger>(_ key: String, _ type: I.Type = I.self) throws(Refusal) -> I {
      // Far more than is ever counted, and far from where counting on overflows.
      guard case .number(let number)? = object[key], let integer = number.exactly(I.self), integer >= 0,
        integer <= 1 << 53
      else {
        throw expected("a whole number", at: key)
      }
      return integer
    }

    func string(_ key: String) throws(Refusal) -> String {
      guard case .string(let string)? = object[key] else { throw expected("a string", at: key) }
      return string
    }

    func optionalString(_ key: String) throws(Refusal) -> String? {
      object[key] == nil ? nil : try string(key)
    }

    func time() throws(Refusal) -> Duration {
      guard let time = object["at"]?.seconds else { throw expected("seconds", at: "at") }
      return time
    }

    func expected(_ what: String, at key: String) -> Refusal {
      .malformed("expected \(what) at '\(key)'" + (object[key] == nil ? ", which is missing" : ""), column: nil)
    }
  }
}

extension RecordingHeader {
  fileprivate init(_ members: RecordingLine.Members) throws(RecordingLine.Refusal) {
    let format: Int = try members.integer("recording")
    if format > Self.format { throw .newer(format) }
    program = try members.optionalString("program")
    schema = try members.integer("schema")
    began = try members.integer("began")
    step = try members.integer("step")
    at = try members.time()
    if let text = try members.optionalString("text") {
      contents = .text(text)
    } else if let state = members.object["state"] {
      contents = .state(state)
    } else {
      throw members.expected("a state", at: "state")
    }
  }
}

extension RecordingStep {
  fileprivate init(_ members: RecordingLine.Members) throws(RecordingLine.Refusal) {
    number = try members.integer("step")
    at = try members.time()
    cause = Cause(
      Cause.Kind(rawValue: try members.string("cause")), instance: try members.optionalString("instance"))
    action = members.object["action"]
    do {
      patch = try JSONPatch(members.object["patch"] ?? .null)
    } catch {
      throw .malformed("expected a patch at 'patch': \(error.message)", column: nil)
    }
    text = try members.optionalString("text")
    hash = try members.string("hash")
  }
}
