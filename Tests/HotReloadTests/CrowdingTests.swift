import Testing

@testable import HotReload

/// Who is on the same processor as whoever waits for him leaves it.
@Suite struct CrowdingTests {
  private var crowding = Crowding()

  private mutating func commits(_ isCrowded: Bool, count: Int, inHold hold: Int = 1) -> [Int] {
    (1...count).filter { _ in crowding.isTooMuch(isCrowded, inHold: hold) }
  }

  @Test mutating func `each time it doesn't help is put off for twice as long`() {
    #expect(commits(true, count: 40) == [2, 6, 14, 30])
  }

  @Test mutating func `once is nothing`() {
    for _ in 1...10 {
      #expect(commits(true, count: 1).isEmpty)
      #expect(commits(false, count: 1).isEmpty)
    }
  }

  @Test mutating func `with the next hold of the lock all is forgotten`() {
    #expect(commits(true, count: 7) == [2, 6])
    #expect(commits(true, count: 7, inHold: 2) == [2, 6])
  }
}
