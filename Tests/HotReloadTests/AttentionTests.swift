import TestThreads
import Testing

@testable import HotReload

/// An answer that comes soon is looked out for.
@Suite(.ownThreads) struct AttentionTests {
  private let attention = Attention()

  @Test func `after one that came at once the next is looked out for`() throws {
    #expect(!attention.ask().lookOut(on: 0))
    #expect(
      try eventually {
        attention.ask().give(on: 1)
        let answer = attention.ask()
        let thread = try DriverThread(name: "answer") { answer.give(on: 1) }
        defer { thread.join() }
        return answer.lookOut(on: 0)
      })
  }

  @Test func `after one that was long in coming the next isn't`() {
    // Again where the machine was too busy for an answer at once.
    #expect(
      eventually {
        attention.ask().give(on: 1)
        return attention.paysOff.load(ordering: .relaxed)
      })
    let late = attention.ask()
    #expect(!late.lookOut(on: 0))
    late.give(on: 1)
    let paysOff = attention.paysOff.load(ordering: .relaxed)
    #expect(!paysOff)
    #expect(!attention.ask().lookOut(on: 0))
  }

  @Test func `who is on the same processor isn't in the way`() {
    // Again where the machine was too busy for an answer at once.
    #expect(
      eventually {
        let answer = attention.ask()
        answer.give(on: 1)
        return !answer.lookOut(on: 1) && answer.lookOut(on: 0)
      })
  }

  @Test func `it is known where the last answer was asked for`() {
    attention.ask().lookOut(on: 1)
    #expect(attention.isAsked(on: 1))
    attention.ask().lookOut(on: 0)
    #expect(!attention.isAsked(on: 1))
    #expect(attention.isAsked(on: 0))
  }
}
