import StateJSON
import Testing

@testable import Replication

@Suite struct ApplyingTests {
  /// `nil` is a value that is missing.
  struct Example: CustomTestStringConvertible, Sendable {
    let change: String
    let value: String?
    let result: String?
    var testDescription: String { "\(change) on \(value ?? "nothing")" }
  }

  static let values = [
    // The change is the newer side, an edit goes before a removal, and what it leaves alone stays.
    Example(change: #"{"was":1,"is":2}"#, value: "1", result: "2"),
    Example(change: #"{"was":1,"is":2}"#, value: "3", result: "2"),
    Example(change: #"{"was":1,"is":2}"#, value: nil, result: "2"),
    Example(change: #"{"was":1}"#, value: "1.0", result: nil),
    Example(change: #"{"was":1}"#, value: "3", result: "3"),
    Example(change: #"{"was":1}"#, value: nil, result: nil),
    Example(change: #"{"is":2}"#, value: nil, result: "2"),
    Example(change: #"{"is":null}"#, value: nil, result: "null"),
    Example(change: #"{"is":2}"#, value: "3", result: "2"),
    Example(change: #"{"was":null,"is":2}"#, value: nil, result: "2"),
    Example(change: #"{"was":1,"is":1.0}"#, value: "5", result: "5"),
    // Containers are merged.
    Example(change: #"{"is":{"a":1}}"#, value: #"{"b":2}"#, result: #"{"b":2,"a":1}"#),
    Example(change: #"{"was":[1,2],"is":[1,2,3]}"#, value: "[0,1,2]", result: "[0,1,2,3]"),
    Example(change: #"{"was":[1,2],"is":[2]}"#, value: "[1,2,4]", result: "[2,4]"),
    Example(change: #"{"was":{"a":1}}"#, value: #"{"a":1,"b":2}"#, result: #"{"a":1,"b":2}"#),
    // Numbers are added to as they are written, and to nothing else.
    Example(change: #"{"add":1}"#, value: "1.50", result: "2.50"),
    Example(change: #"{"add":-0.5}"#, value: "2", result: "1.5"),
    Example(change: #"{"add":1}"#, value: nil, result: nil),
    Example(change: #"{"add":1}"#, value: #""1""#, result: #""1""#),
    Example(change: #"{"add":1}"#, value: "1e5000", result: "1e5000"),
    Example(change: #"{"add":1e5000}"#, value: "1", result: "1"),
  ]

  static let objects = [
    // Members keep their places and their literals, and new ones come last.
    Example(
      change: #"{"in":{"b":{"was":2,"is":5},"z":{"is":1},"c":{"was":3},"y":{"is":0}}}"#,
      value: #"{"c":3.0,"d":1.50,"b":2,"a":10e-1}"#, result: #"{"d":1.50,"b":5,"a":10e-1,"z":1,"y":0}"#),
    Example(
      change: #"{"in":{"a":{"was":1},"c":{"was":1},"e":{"was":1},"f":{"is":1}}}"#,
      value: #"{"a":1,"b":2,"c":1,"d":2,"e":1}"#, result: #"{"b":2,"d":2,"f":1}"#),
    Example(change: #"{"in":{"a":{"was":1}}}"#, value: #"{"b":2}"#, result: #"{"b":2}"#),
    Example(change: #"{"in":{"a":{"was":1,"is":2}}}"#, value: #"{"b":2}"#, result: #"{"b":2,"a":2}"#),
    // Nothing is changed inside of what is there no more.
    Example(change: #"{"in":{"a":{"in":{"b":{"is":1}}}}}"#, value: "{}", result: "{}"),
    Example(change: #"{"in":{"a":{"is":1}}}"#, value: "7", result: "7"),
    Example(change: #"{"in":{"a":{"is":1}}}"#, value: nil, result: nil),
    Example(change: #"{"in":{}}"#, value: "[1]", result: "[1]"),
    Example(change: #"{"in":{"n":{"add":2}}}"#, value: #"{"n":1,"m":0}"#, result: #"{"n":3,"m":0}"#),
    Example(change: #"{"in":{"n":{"add":2}}}"#, value: #"{"m":0}"#, result: #"{"m":0}"#),
  ]

  static let lists = [
    // Changed inside: wherever the elements are by now.
    Example(
      change: #"{"by":"id","was":[1,2],"is":[1,2],"of":[[1,{"in":{"t":{"is":"x"}}}],[2,{"in":{"n":{"add":1}}}]]}"#,
      value: #"[{"id":2,"n":1},{"id":3},{"id":1.0}]"#, result: #"[{"id":2,"n":2},{"id":3},{"id":1.0,"t":"x"}]"#),
    Example(
      change: #"{"by":"id","was":[1],"is":[1],"of":[[1,{"in":{"t":{"is":"x"}}}]]}"#, value: #"[{"id":2}]"#,
      result: #"[{"id":2}]"#),
    Example(
      change: #"{"by":"id","was":[1],"is":[1],"of":[[1,{"was":5,"is":6}]]}"#, value: #"[{"id":1},{"id":2}]"#,
      result: #"[6,{"id":2}]"#),
    Example(
      change: #"{"by":"id","was":[1],"is":[1],"of":[[1,{"was":{"id":1}}]]}"#, value: #"[{"id":1},{"id":2}]"#,
      result: #"[{"id":2}]"#),
    // Came, behind the neighbour before it and past what others put there.
    Example(
      change: #"{"by":"id","was":[1,2],"is":[1,9,2],"of":[[9,{"is":{"id":9}}]]}"#,
      value: #"[{"id":3},{"id":1},{"id":7},{"id":2}]"#, result: #"[{"id":3},{"id":1},{"id":7},{"id":9},{"id":2}]"#),
    Example(
      change: #"{"by":"id","was":[1],"is":[1,9],"of":[[9,{"is":{"id":9,"t":1}}]]}"#, value: #"[{"id":9,"u":2}]"#,
      result: #"[{"id":9,"u":2,"t":1}]"#),
    // Went, unless others changed it.
    Example(
      change: #"{"by":"id","was":[2],"is":[],"of":[[2,{"was":{"id":2,"t":0}}]]}"#,
      value: #"[{"id":1},{"id":2,"t":0},{"id":3}]"#, result: #"[{"id":1},{"id":3}]"#),
    Example(
      change: #"{"by":"id","was":[2],"is":[],"of":[[2,{"was":{"id":2,"t":0}}]]}"#, value: #"[{"id":2,"t":5}]"#,
      result: #"[{"id":2,"t":5}]"#),
    // Moved: the newer order, with what others put in.
    Example(
      change: #"{"by":"id","was":[1,2,3],"is":[3,1,2],"of":[]}"#, value: #"[{"id":1},{"id":2},{"id":8},{"id":3}]"#,
      result: #"[{"id":3},{"id":1},{"id":2},{"id":8}]"#),
    // Elements that nothing tells apart stay behind what they stand behind, and come last where that goes.
    Example(
      change: #"{"by":"id","was":[1,2],"is":[1,9,2],"of":[[9,{"is":{"id":9}}]]}"#,
      value: #"["a",{"id":1},"b",{"id":1,"t":0},{"id":2},{"x":0}]"#,
      result: #"["a",{"id":1},"b",{"id":1,"t":0},{"id":9},{"id":2},{"x":0}]"#),
    Example(
      change: #"{"by":"id","was":[1,2],"is":[2],"of":[[1,{"was":{"id":1}}]]}"#,
      value: #"["a",{"id":1},"b","c",{"id":2},"d"]"#, result: #"["a",{"id":2},"d","b","c"]"#),
    Example(
      change: #"{"by":"id","was":[1],"is":[1],"of":[[1,{"in":{"t":{"is":0}}}]]}"#,
      value: #"[null,{"id":2},{"id":1},{"id":1}]"#, result: #"[null,{"id":2},{"id":1,"t":0},{"id":1}]"#),
    Example(
      change: #"{"by":"id","was":[1],"is":[],"of":[[1,{"was":{"id":1}}]]}"#, value: "[null,5]", result: "[null,5]"),
    Example(
      change: #"{"by":"id","was":[1,2],"is":[1],"of":[[2,{"was":{"id":2,"t":0}}]]}"#,
      value: #"[{"id":1},{"id":2,"t":0},{"id":2},{"id":3}]"#, result: #"[{"id":1},{"id":3},{"id":2}]"#),
    // Told apart by what the change says, whatever else is unique in the list.
    Example(
      change: #"{"by":"uuid","was":[1,2],"is":[1,5,2],"of":[[5,{"is":{"uuid":5}}]]}"#,
      value: #"[{"id":7,"uuid":1},{"id":8,"uuid":2}]"#, result: #"[{"id":7,"uuid":1},{"uuid":5},{"id":8,"uuid":2}]"#),
    Example(
      change: #"{"by":"uuid","was":[1],"is":[1],"of":[[1,{"in":{"t":{"is":0}}}]]}"#,
      value: #"[{"id":1,"uuid":2},{"id":2,"uuid":1}]"#, result: #"[{"id":1,"uuid":2},{"id":2,"uuid":1,"t":0}]"#),
    Example(
      change: #"{"by":"id","was":[1],"is":[1],"of":[[1,{"in":{"id":{"is":5}}}]]}"#, value: #"[{"id":1},{"id":5}]"#,
      result: #"[{"id":5},{"id":5}]"#),
    Example(
      change: #"{"by":"id","was":[1],"is":[1],"of":[[1,{"in":{"t":{"is":5}}}]]}"#, value: #"{"a":1}"#,
      result: #"{"a":1}"#),
    Example(
      change: #"{"by":"id","was":[],"is":[1],"of":[[1,{"is":{"id":1}}]]}"#, value: nil, result: nil),
  ]

  @Test(arguments: values + objects + lists)
  func `a change is done to what others have made of a value`(_ example: Example) throws {
    let change = try SparseChange(JSONValue(parsing: example.change))
    let value = try example.value.map { try JSONValue(parsing: $0) }
    #expect(change.applying(to: value)?.description == example.result)
    #expect(value?.description == example.value)
  }

  /// No form says so, but a program may.
  @Test func `an element that is said twice changes twice`() throws {
    let id = try #require(ElementID(2))
    let one = SparseChange.members([SparseChange.Member(key: "n", change: .added(JSONNumber(1)))])
    let element = SparseChange.Element(id: id, change: one)
    let change = SparseChange.elements(
      SparseChange.Elements(key: "id", was: [id], now: [id], changes: [element, element]))
    #expect(change.applying(to: [["id": 1, "n": 0], ["id": 2, "n": 0]]) == [["id": 1, "n": 0], ["id": 2, "n": 2]])
  }

  @Test func `a change in place copies nothing that is on the way`() throws {
    let elements = (0..<100).map { ["id": .number(JSONNumber($0)), "t": 0] as JSONValue }
    let change = try #require(SparseChange(from: ["l": .array(elements)], to: ["l": .array(elements.map(\.withOne))]))
    var value: JSONValue? = ["l": .array(elements.map(\.unshared))] as JSONValue
    let addresses = (value?.member("l")?.address, value?.address)
    change.apply(to: &value)
    #expect((value?.member("l")?.address, value?.address) == addresses)
    #expect(value == ["l": .array(elements.map(\.withOne))])
  }
}

extension JSONValue {
  fileprivate var withOne: JSONValue { ["id": member("id") ?? .null, "t": 1] }

  /// Where a container has its values.
  fileprivate var address: UnsafeRawPointer? {
    switch self {
    case .array(let elements): elements.withUnsafeBytes(\.baseAddress)
    case .object(let object): object.values.withUnsafeBytes(\.baseAddress)
    default: nil
    }
  }
}
