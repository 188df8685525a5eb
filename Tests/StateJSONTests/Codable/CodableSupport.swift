import StateJSON
import Synchronization

/// A value from a text, in tests of the Codable bridge.
func parsed(_ text: String) throws -> JSONValue {
  try JSONValue(parsing: text)
}

/// The compact text of what a value encodes to.
func encoded(_ value: some Encodable) throws -> String {
  try JSONValueEncoder().encode(value).compact
}

extension JSONValue {
  var compact: String { String(decoding: bytes(), as: UTF8.self) }
}

/// A value whose conformance is written in the test.
struct Encoding: Encodable {
  let body: @Sendable (any Encoder) throws -> Void

  init(_ body: @escaping @Sendable (any Encoder) throws -> Void) { self.body = body }

  func encode(to encoder: any Encoder) throws { try body(encoder) }
}

/// A key made up in the test.
struct Key: CodingKey, ExpressibleByStringLiteral {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringLiteral value: String) { stringValue = value }
  init?(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

class Animal: Codable {
  var name: String
  init(name: String) { self.name = name }
}

final class Dog: Animal {
  var tricks: [String]

  init(name: String, tricks: [String]) {
    self.tricks = tricks
    super.init(name: name)
  }

  private enum CodingKeys: CodingKey { case tricks }

  required init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    tricks = try container.decode([String].self, forKey: .tricks)
    try super.init(from: container.superDecoder())
  }

  override func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try super.encode(to: container.superEncoder())
    try container.encode(tricks, forKey: .tricks)
  }
}

/// Hashable, and no key that JSON has.
struct Cell: Codable, Hashable {
  var x: Int
  var y: Int?
}

enum Route: Codable, Hashable {
  case list
  case details(id: Int, tab: String?)
}

/// Told by values of a test that they are asked to encode or decode themselves, with what they find as `userInfo`.
final class Names: Sendable {
  private let names = Mutex<[String]>([])

  func add(_ name: String) { names.withLock { $0.append(name) } }

  /// Those told since the last time, sorted.
  func take() -> [String] {
    names.withLock { names in
      defer { names = [] }
      return names.sorted()
    }
  }
}

extension CodingUserInfoKey {
  static let names = CodingUserInfoKey(rawValue: "names")!
}
