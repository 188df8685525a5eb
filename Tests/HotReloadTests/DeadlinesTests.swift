import Testing

@testable import HotReload

@Suite struct `A list of deadlines` {
  @Test func `tells the first, and which have come`() {
    var deadlines = Deadlines<String>()
    #expect(deadlines.next == .max)
    deadlines["a"] = 30
    deadlines["b"] = 20
    deadlines["a"] = 10
    #expect(deadlines.next == 10)
    #expect(deadlines["a"] == 10)
    #expect(deadlines.isDue("a", at: 10))
    #expect(!deadlines.isDue("a", at: 9))
    #expect(!deadlines.isDue("c", at: .max))
    #expect(deadlines.due(at: 19).map(\.name) == ["a"])
    #expect(deadlines.due(at: 20).map(\.name).sorted() == ["a", "b"])
    deadlines["a"] = nil
    #expect(deadlines["a"] == nil)
    #expect(deadlines.next == 20)
  }

  @Test func `is brought forward, and never put off by that`() {
    var deadlines = Deadlines<String>()
    deadlines.bringForward("a", to: 20)
    #expect(deadlines["a"] == 20)
    deadlines.bringForward("a", to: 10)
    deadlines.bringForward("a", to: 30)
    #expect(deadlines["a"] == 10)
  }
}
