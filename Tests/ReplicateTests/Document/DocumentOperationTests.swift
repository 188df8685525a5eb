import StateJSON
import Testing

@testable import replicate

@Suite struct DocumentOperationTests {
  @Test(
    arguments: [
      (DocumentOperation.set(2, at: n, makingParents: false), #"{"n":2,"s":"x","list":[1,2]}"#, nil),
      (.set(true, at: p("/list/-"), makingParents: false), #"{"n":1.50,"s":"x","list":[1,2,true]}"#, nil),
      (.set(true, at: p("/a/b"), makingParents: true), #"{"n":1.50,"s":"x","list":[1,2],"a":{"b":true}}"#, nil),
      (.set(.null, at: .root, makingParents: false), "null", nil),
      (.remove(at: p("/list/0")), #"{"n":1.50,"s":"x","list":[2]}"#, nil),
      (.increment(at: n, by: number("0.125"), makingParents: false), #"{"n":1.625,"s":"x","list":[1,2]}"#, "1.625"),
      (.increment(at: n, by: number("-1.5"), makingParents: true), #"{"n":0.00,"s":"x","list":[1,2]}"#, "0.00"),
      (
        .increment(at: p("/a/b"), by: number("3"), makingParents: true),
        #"{"n":1.50,"s":"x","list":[1,2],"a":{"b":3}}"#, "3"
      ),
      (
        .patch(JSONPatch([.test(at: n, .number(number("1.5"))), .move(from: n, to: p("/m"))])),
        #"{"s":"x","list":[1,2],"m":1.50}"#, nil
      ),
      (.merge(["s": .null, "t": 1]), #"{"n":1.50,"list":[1,2],"t":1}"#, nil),
      (.replaceDifference(at: p("/list"), from: [1, 2], to: [1, 3]), #"{"n":1.50,"s":"x","list":[1,3]}"#, nil),
      (
        .replaceDifference(
          at: .root, from: ["n": .number(number("1.5")), "s": "x", "list": [1, 2]],
          to: ["list": [1, 2], "n": .number(number("15e-1")), "s": "y"]),
        #"{"n":1.50,"s":"y","list":[1,2]}"#, nil
      ),
    ] as [(DocumentOperation, String, String?)])
  func `an operation changes the document`(operation: DocumentOperation, result: String, value: String?) throws {
    var document = try JSONValue(parsing: Self.text)
    #expect(try operation.apply(to: &document)?.description == value)
    #expect(document.description == result)
  }

  @Test(
    arguments: [
      (
        DocumentOperation.set(1, at: p("/a/b"), makingParents: false), .no,
        "'/a/b' leads nowhere: the root has no member \"a\""
      ),
      (
        .set(1, at: p("/list/3"), makingParents: false), .no,
        "'/list/3' leads nowhere: '/list' is an array of 2 elements"
      ),
      (.set(1, at: p("/s/t"), makingParents: true), .no, "'/s/t' leads nowhere: '/s' is a string"),
      (.remove(at: p("/a")), .no, "'/a' leads nowhere: the root has no member \"a\""),
      (.remove(at: .root), .usage, "the root cannot be removed"),
      (
        .increment(at: p("/a"), by: number("1"), makingParents: false), .no,
        "'/a' leads nowhere: the root has no member \"a\""
      ),
      (.increment(at: p("/s"), by: number("1"), makingParents: false), .invalid, "'/s' is a string, not a number"),
      (.increment(at: p("/list"), by: number("1"), makingParents: true), .invalid, "'/list' is an array, not a number"),
      (
        .increment(at: n, by: number("1e1000"), makingParents: false), .invalid,
        "'/n': the sum of 1.50 and 1e1000 has more than 1000 digits"
      ),
      (
        .patch(JSONPatch([.remove(at: n), .test(at: p("/s"), 1)])), .no,
        "operation 1 (test '/s'): the value is \"x\", not 1"
      ),
      (.replaceDifference(at: p("/list"), from: [1], to: [2]), .no, "the value at '/list' changed meanwhile"),
      (
        .replaceDifference(at: p("/a"), from: .null, to: [2]), .no, "'/a' leads nowhere: the root has no member \"a\""
      ),
    ] as [(DocumentOperation, ExitCode, String)])
  func `an operation that fails changes nothing`(
    operation: DocumentOperation, code: ExitCode, message: String
  ) throws {
    let original = try JSONValue(parsing: Self.text)
    var document = original
    let error = try #require(throws: OperationError.self) { try operation.apply(to: &document) }
    #expect(Failure(error).code == code)
    #expect(Failure(error).text == "replicate: \(message)")
    #expect(document.isIdentical(to: original))
  }

  private static let text = #"{"n":1.50,"s":"x","list":[1,2]}"#
}

private let n = JSONPointer(["n"])

private func p(_ text: String) -> JSONPointer {
  do { return try JSONPointer(parsing: text) } catch { preconditionFailure(error.message) }
}

private func number(_ literal: String) -> JSONNumber {
  guard let number = JSONNumber(literal) else { preconditionFailure(literal) }
  return number
}
