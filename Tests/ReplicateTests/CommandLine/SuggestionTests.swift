import HotReload
import TestSupport
import Testing

@testable import replicate

@Suite struct SuggestionTests {
  @Test(arguments: [
    ("", "", 0), ("get", "get", 0), ("gte", "get", 1), ("gt", "get", 1), ("", "abc", 3), ("abc", "", 3),
    ("set", "get", 1), ("kitten", "sitting", 3), ("abcd", "badc", 2),
  ])
  func `the distance counts edits, a swap of neighbours as one`(left: String, right: String, distance: Int) {
    #expect(Suggestion.distance(left, right) == distance)
    #expect(Suggestion.distance(right, left) == distance)
  }

  @Test(arguments: [
    ("gte", "get"), ("stet", "set"), ("wacth", "watch"), ("incrment", "increment"), ("incr", "increment"),
    ("frobnicate", nil), ("x", nil), ("", nil),
  ])
  func `the nearest word is suggested only if it is near`(word: String, suggestion: String?) {
    #expect(Suggestion.nearest(to: word, among: Verb.allCases.map(\.rawValue)) == suggestion)
  }

  @Test func `a very long word is near to nothing, and that is known at once`() {
    let word = String(repeating: "get", count: 1 << 20)
    let time = processorTime {
      #expect(Suggestion.nearest(to: word, among: Verb.allCases.map(\.rawValue)) == nil)
    }
    #expect(time < .seconds(5))
  }
}
