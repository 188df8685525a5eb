import StateJSON
import Testing

@testable import HotReload

/// What other devices did is brought into what stands in the file by then.
@Suite struct ShareModelTests {
  private let model = ShareModel(places: HomePlaces(pointers: []))

  private func applied(
    _ value: JSONValue, after base: JSONValue?, isThere: Bool, to state: JSONValue
  ) -> JSONValue? {
    var state = state
    let arrival = ShareModel.Arrival(base: base, isThere: isThere, value: value)
    return model.apply(arrival, to: &state) ? state : nil
  }

  @Test func `what others did is done to what was told`() {
    #expect(
      applied(["n": 2, "t": "a"], after: ["n": 1, "t": "a"], isThere: true, to: ["n": 1, "t": "a"]) == [
        "n": 2, "t": "a",
      ])
  }

  @Test(arguments: [true, false])
  func `a save of that instant stays, also where the file was missing before`(isThere: Bool) {
    let result = applied(["n": 2, "t": "a"], after: ["n": 1, "t": "a"], isThere: isThere, to: ["n": 1, "t": "saved"])
    #expect(result == ["n": 2, "t": "saved"])
  }

  @Test func `a file that is missing comes back as a whole`() {
    #expect(applied(["n": 2], after: ["n": 1, "t": "a"], isThere: false, to: ShareModel.nothing) == ["n": 2])
    #expect(applied(["n": 2], after: nil, isThere: false, to: ShareModel.nothing) == ["n": 2])
  }

  @Test func `a save of that instant of which nothing is known stays as it is`() {
    #expect(applied(["n": 2], after: nil, isThere: false, to: ["n": 7]) == nil)
  }
}
