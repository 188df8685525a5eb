import Replication
import StateJSON
import TestSupport
import Testing

/// Five times the elements take some five times as long; if each had to do with all others, 25 times.
@Suite(.serialized) struct ChangeComplexityTests {
  private static func element(_ id: Int, _ text: String = "t") -> JSONValue {
    ["id": .number(JSONNumber(id)), "t": .string(text)]
  }

  /// Each makes another version of a list, or of an object of its elements.
  enum Edit: String, CaseIterable, Sendable {
    case change, insert, remove, reverse, replace

    func edited(_ elements: [JSONValue]) -> [JSONValue] {
      switch self {
      case .change: elements.indices.map { element($0, "u") }
      case .insert:
        elements.flatMap { [$0, element(elements.count * ((Int($0.member("id")?.description ?? "") ?? 0) + 1))] }
      case .remove: elements.indices.filter { $0 % 2 == 0 }.map { elements[$0] }
      case .reverse: elements.reversed()
      case .replace: elements.indices.map { element($0 + elements.count) }
      }
    }
  }

  @Test(arguments: Edit.allCases)
  func `a long list takes time in its length, wherever it changed`(edit: Edit) throws {
    func time(count: Int) throws -> Duration {
      let old = (0..<count).map { Self.element($0) }
      let new = edit.edited(old)
      return try processorTime { () throws in
        let change = try #require(SparseChange(from: .array(old), to: .array(new)))
        #expect(change.applying(to: .array(old)) == .array(new))
        #expect(try SparseChange(change.value).cost == change.cost)
      }
    }
    let (short, long) = try (time(count: 400), time(count: 2000))
    #expect(long < short * 12)
  }

  @Test func `an object of many members takes time in their number`() throws {
    func time(count: Int) throws -> Duration {
      let old = JSONObject(unique: (0..<count).map { "\($0)" }, values: (0..<count).map { Self.element($0) })
      let kept = old.members.filter { $0.key.hasSuffix("0") }
      let new = JSONObject(
        unique: kept.map(\.key) + kept.map { "new \($0.key)" }, values: (kept + kept).map(\.value))
      return try processorTime { () throws in
        let change = try #require(SparseChange(from: .object(old), to: .object(new)))
        #expect(change.applying(to: .object(old)) == .object(new))
      }
    }
    let (short, long) = try (time(count: 1000), time(count: 5000))
    #expect(long < short * 12)
  }

  @Test func `what a change in place has left alone is not gone through`() throws {
    let elements = JSONValue.array((0..<2000).map { Self.element($0) })
    let (old, new, other): (JSONValue, JSONValue, JSONValue) = (
      ["l": elements, "n": 1], ["l": elements, "n": 2], ["l": elements.unshared, "n": 2]
    )
    let shared = processorTime { for _ in 0..<10 { #expect(SparseChange(from: old, to: new) != nil) } }
    let unshared = processorTime { for _ in 0..<10 { #expect(SparseChange(from: old, to: other) != nil) } }
    #expect(shared * 10 < unshared)
  }
}
