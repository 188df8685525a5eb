import StateJSON
import Testing

@Suite struct CodableDecodingTests {
  struct Episode: Codable, Equatable {
    var id: UInt8
    var title: String
    var rating: Double?
  }

  struct Library: Codable, Equatable {
    var items: [Episode]
    var route: [Int: Bool]
  }

  @Test(arguments: [
    (#"[]"#, "at the root: expected an object, found an array", "type-mismatch"),
    (#"{"items":[]}"#, "at /route: missing; expected an object", "missing"),
    (#"{"items":{},"route":{}}"#, "at /items: expected an array, found an object", "type-mismatch"),
    (#"{"items":[null],"route":{}}"#, "at /items/0: expected an object, found null", "null"),
    (#"{"items":[{"id":1}],"route":{}}"#, "at /items/0/title: missing; expected a string", "missing"),
    (
      #"{"items":[{"id":1,"title":12}],"route":{}}"#,
      "at /items/0/title: expected a string, found the number 12", "type-mismatch"
    ),
    (#"{"items":[{"id":1,"title":null}],"route":{}}"#, "at /items/0/title: expected a string, found null", "null"),
    (
      #"{"items":[{"id":256,"title":""}],"route":{}}"#,
      "at /items/0/id: expected an integer from 0 to 255, found the number 256", "invalid"
    ),
    (
      #"{"items":[{"id":"1","title":""}],"route":{}}"#,
      #"at /items/0/id: expected an integer from 0 to 255, found the string "1""#, "type-mismatch"
    ),
    (
      #"{"items":[{"id":1,"title":"","rating":false}],"route":{}}"#,
      "at /items/0/rating: expected a number, found false", "type-mismatch"
    ),
    (
      #"{"items":[{"id":1,"title":"","rating":1e400}],"route":{}}"#,
      "at /items/0/rating: expected a number, found the number 1e400", "invalid"
    ),
    (#"{"items":[],"route":{"1":1}}"#, "at /route/1: expected true or false, found the number 1", "type-mismatch"),
  ])
  func `a failure says where, what was expected and what was found`(text: String, message: String, code: String) throws
  {
    let failure = try #require(decodingFailure(Library.self, text))
    #expect(failure.description == message)
    #expect(failure.code.name == code)
  }

  @Test func `long strings are shortened in messages`() throws {
    let text = String(repeating: "long ", count: 100)
    #expect(
      decodingFailure(Int.self, "\"\(text)\"")?.description
        == #"at the root: expected an integer of 64 bits, found the string "long long long long long long long long …""#
    )
  }

  @Test func `the end of an array is a missing element`() throws {
    struct Pair: Decodable {
      init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        while try container.decode(Int.self) > 0 {}
      }
    }
    let failure = try #require(decodingFailure([Pair].self, "[[0],[1,2]]"))
    #expect(failure.description == "at /1/2: missing; expected an integer of 64 bits, found the end of an array of 2")
    #expect(failure.code == .missing)
  }

  @Test func `integers are read by exact value, whatever their literal`() throws {
    let decoder = JSONValueDecoder()
    #expect(try decoder.decode([Int].self, from: parsed("[1.0,1e2,-0,10e-1]")) == [1, 100, 0, 1])
    #expect(try decoder.decode([UInt64].self, from: parsed("[18446744073709551615]")) == [.max])
    #expect(try decoder.decode(Int128.self, from: parsed("-170141183460469231731687303715884105728")) == .min)
    #expect(try decoder.decode([UInt128].self, from: parsed("[340282366920938463463374607431768211455]")) == [.max])
    #expect(decodingFailure(Int.self, "1.5")?.message == "expected an integer of 64 bits, found the number 1.5")
    #expect(decodingFailure(Int.self, "9223372036854775808")?.code == .invalid)
    #expect(
      decodingFailure(UInt.self, "-1")?.message == "expected an integer of 64 bits, 0 or more, found the number -1")
    #expect(decodingFailure(Int.self, "1e999999999")?.code == .invalid)
  }

  @Test(arguments: [0.1, 1, -1.5, 1e100, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 1.0 / 3, -0.0])
  func `floating point survives the round trip`(value: Double) throws {
    let decoder = JSONValueDecoder()
    let double = try decoder.decode(Double.self, from: JSONValueEncoder().encode(value))
    #expect(double.bitPattern == value.bitPattern)
    guard Float(value).isFinite else { return }
    let float = try decoder.decode([Float].self, from: JSONValueEncoder().encode([Float(value)]))
    #expect(float[0].bitPattern == Float(value).bitPattern)
  }

  @Test func `types survive the round trip`() throws {
    try roundTrip(Library(items: [Episode(id: 1, title: "é", rating: 0.5)], route: [1: true, -2: false]))
    try roundTrip([Route.list, .details(id: 1, tab: nil), .details(id: 2, tab: "x")])
    try roundTrip([Cell(x: 1): Set([1, 2, 3]), Cell(x: 1, y: 2): []])
    try roundTrip([[Int?]]([[1, nil], []]))
    let dog = try JSONValueDecoder().decode(
      Dog.self, from: JSONValueEncoder().encode(Dog(name: "Rex", tricks: ["sit"])))
    #expect(dog.name == "Rex")
    #expect(dog.tricks == ["sit"])
  }

  private func roundTrip<T: Codable & Equatable>(_ value: T) throws {
    #expect(try JSONValueDecoder().decode(T.self, from: JSONValueEncoder().encode(value)) == value)
  }

  @Test func `an element that can't be read stays the next one`() throws {
    struct Lenient: Decodable, Equatable {
      var found: [String] = []

      init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        while !container.isAtEnd {
          if let string = try? container.decode(String.self) {
            found.append(string)
          } else if try container.decodeNil() {
            found.append("nil at \(container.currentIndex)")
          } else {
            var nested = try container.nestedUnkeyedContainer()
            found.append("\(nested.count ?? 0) \(nested.codingPath.map(\.stringValue))")
            found.append(try nested.decode(String.self))
          }
        }
      }
    }
    #expect(
      try JSONValueDecoder().decode(Lenient.self, from: parsed(#"["a",null,["b"]]"#)).found
        == ["a", "nil at 2", #"1 ["2"]"#, "b"])
  }

  @Test func `a decoder knows its path, its keys and user info`() throws {
    struct Probe: Decodable {
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        #expect(container.allKeys.map(\.stringValue) == ["a", "b", "c"])
        #expect(container.contains("a") && !container.contains("z"))
        #expect(try container.decodeNil(forKey: "c"))
        let nested = try container.nestedContainer(keyedBy: Key.self, forKey: "a")
        #expect(nested.codingPath.map(\.stringValue) == ["a"])
        #expect(try nested.superDecoder(forKey: "x").codingPath.map(\.stringValue) == ["a", "x"])
        #expect(decoder.userInfo[CodingUserInfoKey(rawValue: "key")!] as? Int == 7)
        var array = try container.nestedUnkeyedContainer(forKey: "b")
        #expect(try array.superDecoder().codingPath.map(\.stringValue) == ["b", "0"])
        #expect(array.isAtEnd)
      }
    }
    let decoder = JSONValueDecoder(userInfo: [CodingUserInfoKey(rawValue: "key")!: 7])
    _ = try decoder.decode(Probe.self, from: parsed(#"{"a":{"x":1},"b":[1],"c":null}"#))
  }

  @Test func `an error of a type's own passes, without a place`() throws {
    struct Refusal: Error, CustomStringConvertible { var description: String { "not today" } }
    struct Refusing: Decodable { init(from decoder: any Decoder) throws { throw Refusal() } }
    let failure = try #require(decodingFailure([Refusing].self, "[1]"))
    #expect(failure.description == "at the root: not today")
    #expect(failure.code == .other)
  }

  @Test func `errors of the standard library read like ours`() throws {
    enum Tab: String, Decodable { case home }
    let raw = decodingFailure([String: Tab].self, #"{"a":"away"}"#)
    #expect(raw?.description == "at /a: cannot initialize Tab from invalid String value away")
    #expect(raw?.code == .invalid)
    let cases = decodingFailure([Route].self, #"[{"list":{},"details":{}}]"#)
    #expect(cases?.description == "at /0: invalid number of keys found, expected one")
  }

  @Test func `what is missing is named by its JSON form`() {
    struct State<Field: Decodable>: Decodable { var field: Field }
    func expected<T: Decodable>(_ type: T.Type) -> String? {
      decodingFailure(State<T>.self, "{}")?.message
    }
    #expect(expected([Int].self) == "missing; expected an array")
    #expect(expected(Set<Int>.self) == "missing; expected an array")
    #expect(expected([Cell: Int].self) == "missing; expected an array")
    #expect(expected([String: Int].self) == "missing; expected an object")
    #expect(expected(Int8.self) == "missing; expected an integer from -128 to 127")
    #expect(expected(JSONValue.self) == "missing; expected a value")
    #expect(expected(Bool.self) == "missing; expected true or false")
    #expect(expected(Route.self) == "missing; expected a value of type Route")
  }
}

/// The failure to decode a type from a text, or `nil` if that succeeds.
func decodingFailure<T: Decodable>(_ type: T.Type, _ text: String) -> JSONDecodingError? {
  do {
    _ = try JSONValueDecoder().decode(type, from: parsed(text))
    return nil
  } catch {
    return JSONDecodingError(error)
  }
}
