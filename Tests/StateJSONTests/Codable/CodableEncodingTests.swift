import StateJSON
import Testing

@Suite struct CodableEncodingTests {
  @Test func `members stand in the order of declaration`() throws {
    struct State: Encodable {
      var zebra = 1
      var apple = "a"
      var missing: Int?
      var middle = [true, false]
      var nested = Cell(x: 1)
    }
    #expect(try encoded(State()) == #"{"zebra":1,"apple":"a","middle":[true,false],"nested":{"x":1}}"#)
  }

  @Test func `a key encoded twice keeps its first place and its last value`() throws {
    let twice = Encoding { encoder in
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(1, forKey: "a")
      var lost = container.nestedContainer(keyedBy: Key.self, forKey: "b")
      try lost.encode(1, forKey: "lost")
      try container.encode(2, forKey: "c")
      try container.encode(Set([3, 1]), forKey: "a")
      try container.encode(4, forKey: "b")
    }
    #expect(try encoded(twice) == #"{"a":[1,3],"b":4,"c":2}"#)
  }

  @Test func `nested containers may be written to in any order`() throws {
    let nested = Encoding { encoder in
      var root = encoder.container(keyedBy: Key.self)
      var object = root.nestedContainer(keyedBy: Key.self, forKey: "object")
      var array = root.nestedUnkeyedContainer(forKey: "array")
      var inner = array.nestedContainer(keyedBy: Key.self)
      try array.encode(true)
      var innermost = array.nestedUnkeyedContainer()
      try object.encodeNil(forKey: "nil")
      try inner.encode(1, forKey: "x")
      try innermost.encodeNil()
      var again = root.nestedContainer(keyedBy: Key.self, forKey: "object")
      try again.encode("same", forKey: "again")
      #expect(array.count == 3)
    }
    #expect(try encoded(nested) == #"{"object":{"nil":null,"again":"same"},"array":[{"x":1},true,[null]]}"#)
  }

  @Test func `superclasses encode under their own key, or in an element`() throws {
    #expect(try encoded(Dog(name: "Rex", tricks: ["sit"])) == #"{"super":{"name":"Rex"},"tricks":["sit"]}"#)
    let array = Encoding { encoder in
      var container = encoder.unkeyedContainer()
      try container.encode(1)
      try Animal(name: "Rex").encode(to: container.superEncoder())
    }
    #expect(try encoded(array) == #"[1,{"name":"Rex"}]"#)
  }

  @Test func `what encodes nothing is an empty object, and no value at the root`() throws {
    let nothing = Encoding { _ in }
    #expect(try encoded([nothing]) == "[{}]")
    #expect(try encoded(["a": nothing]) == #"{"a":{}}"#)
    #expect(failure(nothing) == "at the root: a value of type Encoding encoded nothing")
  }

  @Test func `scalars may stand at the root`() throws {
    #expect(try encoded(1) == "1")
    #expect(try encoded("a") == #""a""#)
    #expect(try encoded(Int?.none) == "null")
    #expect(try encoded(Int?.some(5)) == "5")
    #expect(try encoded([Int]()) == "[]")
    #expect(try encoded(Float(0.1)) == "0.1")
    #expect(try encoded(Float16(0.5)) == "0.5")
  }

  @Test func `integers of every size are exact`() throws {
    #expect(try encoded([Int8.min, Int8.max]) == "[-128,127]")
    #expect(try encoded([UInt64.max]) == "[18446744073709551615]")
    #expect(try encoded(Int128.min) == "-170141183460469231731687303715884105728")
    #expect(try encoded(["k": UInt128.max]) == #"{"k":340282366920938463463374607431768211455}"#)
  }

  @Test func `JSON values pass through with their literals and order`() throws {
    let value = try parsed(#"{"b":1.0,"a":[1e2,-0,null]}"#)
    #expect(try encoded(["value": value]) == #"{"value":{"b":1.0,"a":[1e2,-0,null]}}"#)
    #expect(try JSONValueDecoder().decode(JSONValue.self, from: value).isIdentical(to: value))
  }

  @Test func `an encoder knows its path and user info`() throws {
    let key = try #require(CodingUserInfoKey(rawValue: "key"))
    let probe = Encoding { encoder in
      var container = encoder.singleValueContainer()
      try container.encode(
        encoder.codingPath.map(\.stringValue).joined(separator: "/") + " \(encoder.userInfo[key] ?? "none")")
    }
    let tree = Encoding { encoder in
      var root = encoder.container(keyedBy: Key.self)
      try root.encode([probe, probe], forKey: "a")
      var nested = root.nestedUnkeyedContainer(forKey: "b")
      try nested.encode(["c": probe])
      #expect(nested.codingPath.map(\.stringValue) == ["b"])
      try probe.encode(to: root.superEncoder())
      try probe.encode(to: nested.superEncoder())
    }
    #expect(
      try JSONValueEncoder(userInfo: [key: "info"]).encode(tree).compact
        == #"{"a":["a/0 info","a/1 info"],"b":[{"c":"b/0/c info"},"b/1 info"],"super":"super info"}"#)
  }

  @Test func `what isn't finite is an error that says where and what to do`() {
    struct State: Encodable {
      var ratio: Double? = 1
      var samples: [Float] = []
    }
    let advice = "has no JSON form; make the value optional and set it to nil, or keep it finite"
    #expect(failure(State(ratio: .nan)) == "at /ratio: NaN \(advice)")
    #expect(failure(State(samples: [1, -.infinity])) == "at /samples/1: -infinity \(advice)")
    #expect(failure([["a/b": Double.infinity]]) == "at /0/a~1b: infinity \(advice)")
    #expect(failure(Double.nan) == "at the root: NaN \(advice)")
  }

  @Test func `nesting beyond the limit is an error, before the stack overflows`() throws {
    final class Chain: Encodable {
      let next: Chain?
      init(_ next: Chain?) { self.next = next }
    }
    let encoder = JSONValueEncoder(limits: JSONLimits(depth: 3, size: 100))
    #expect(try encoder.encode([[[1]]]).compact == "[[[1]]]")
    #expect(try encoder.encode([[[Int?.some(1), nil]]]).compact == "[[[1,null]]]")
    #expect(failure([[[[1]]]], encoder) == "at /0/0/0: nested deeper than the limit of 3 levels")
    let nested = Encoding { encoder in
      var container = encoder.unkeyedContainer()
      for _ in 0..<3 { container = container.nestedUnkeyedContainer() }
    }
    #expect(failure(nested, encoder) == "at /0/0/0: nested deeper than the limit of 3 levels")
    let chain = (0..<600).reduce(Chain(nil)) { next, _ in Chain(next) }
    #expect(failure(chain)?.hasSuffix(": nested deeper than the limit of 512 levels") == true)
  }

  @Test func `an error of a type's own passes, without a place`() {
    struct Refusal: Error, CustomStringConvertible { var description: String { "not today" } }
    #expect(failure([Encoding { _ in throw Refusal() }]) == "at the root: not today")
  }
}

/// What the failure to encode a value says, or `nil` if it succeeds.
private func failure(_ value: some Encodable, _ encoder: JSONValueEncoder = JSONValueEncoder()) -> String? {
  do {
    _ = try encoder.encode(value)
    return nil
  } catch {
    return JSONEncodingError(error).description
  }
}
