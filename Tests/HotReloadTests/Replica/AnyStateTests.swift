import Testing

@testable import HotReload

struct AnyStateTests {
  @Test func `a change of one copy is none of the other`() {
    let former = AnyState([1, 2])
    var latter = former
    let count = latter.change([Int].self) { numbers in
      numbers.append(3)
      return numbers.count
    }
    #expect(count == 3)
    #expect(former.state(as: [Int].self) == [1, 2])
    #expect(latter.state(as: [Int].self) == [1, 2, 3])
  }

  @Test func `what has no other copy is changed in its place`() {
    var state = AnyState(Array(1...1_000))
    func place() -> UnsafePointer<Int> { state.state(as: [Int].self).withUnsafeBufferPointer { $0.baseAddress! } }
    let before = place()
    state.change([Int].self) { $0[500] = 0 }
    #expect(place() == before)
    #expect(state.state(as: [Int].self)[500] == 0)
  }
}
