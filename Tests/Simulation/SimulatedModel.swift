import HotReload
import StateJSON

/// A model of plain documents: counters, and a log of unique tokens.
struct SimulatedModel: ReplicaModel {
  /// Whether the file is shared with other devices: then an action only counts, which they can be told.
  var isShared = false

  /// Counts at one place and leaves a token at another, so that what is lost or applied twice shows.
  struct Action: Sendable {
    var counter: String
    var token: String
  }

  static let editors = 2

  static let text =
    "{\"e0\":\"0000\",\"e1\":\"0000\",\n \"c0\":0,\"c1\":0,\"c2\":0,\"c3\":0,\"c4\":0,\n"
    + " \"log\":[],\n \(odd),\n \"z0\":\"0000\",\"z1\":\"0000\"}\n"
  /// A member that nobody touches, in a spacing that nobody else would choose.
  static let odd = "\"odd\" :  [1 ,\t2.50e0]"

  static let initial: JSONValue = {
    guard let document = try? JSONDocument(parsing: text) else { preconditionFailure("the initial text is JSON") }
    return document.value
  }()

  func decode(_ document: JSONDocument, into state: inout JSONValue) throws(Problem) -> JSONDocument {
    state = document.value
    return document
  }

  func apply(_ action: Action, to state: inout JSONValue) {
    guard case .object(var object) = state else { return }
    if case .number(let old) = object[action.counter], let count = old.exactly(Int.self) {
      object[action.counter] = .number(JSONNumber(count + 1))
    }
    if !isShared, case .array(var log) = object["log"] {
      log.append(.string(action.token))
      object["log"] = .array(log)
    }
    state = .object(object)
  }

  func recorded(_ action: Action, _ outcome: Void?) -> RecordedAction {
    isShared ? .text(Array(#"["increment","/\#(action.counter)",1]"#.utf8)) : .unsayable
  }

  func encode(_ state: JSONValue, over base: Decoded<JSONValue>?) throws(Problem) -> Decoded<JSONValue> {
    let document = base.map { $0.document.replacingValue(with: state) } ?? JSONDocument(formatting: state)
    return Decoded(state: state, document: document)
  }
}

extension JSONValue {
  func string(at key: String) -> String? {
    guard case .object(let object) = self, case .string(let string) = object[key] else { return nil }
    return string
  }

  var log: [String] {
    guard case .object(let object) = self, case .array(let elements) = object["log"] else { return [] }
    return elements.map { if case .string(let token) = $0 { token } else { "" } }
  }

  func count(at key: String) -> Int? {
    guard case .object(let object) = self, case .number(let number) = object[key] else { return nil }
    return number.exactly(Int.self)
  }
}

extension [UInt8] {
  /// Where a pattern begins first. Simulations look for so many that the standard library's would take most of their time.
  func firstRange(of pattern: String) -> Range<Int>? {
    let pattern = Array(pattern.utf8)
    guard let head = pattern.first, count >= pattern.count else { return nil }
    for start in 0...(count - pattern.count) where self[start] == head {
      if self[start..<start + pattern.count].elementsEqual(pattern) { return start..<start + pattern.count }
    }
    return nil
  }

  func contains(_ pattern: String) -> Bool { firstRange(of: pattern) != nil }

  var text: String { String(decoding: self, as: UTF8.self) }
}
