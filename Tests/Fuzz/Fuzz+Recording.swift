// What somebody sent as a recording.

import StateJSON

@testable import StoreRecording

/// A recording; each step that can be reached has a state.
func fuzzRecording(_ input: [UInt8]) {
  guard let recording = try? Recording(parsing: input, file: "r") else { return }
  require(recording.steps.count == recording.lines.count, "each step has a line")
  require(recording.lines.adjacentPairs.allSatisfy { $0 < $1 }, "the lines are in order")
  require(recording.problems.allSatisfy { $0.line > 1 && !$0.message.isEmpty }, "a problem has a line and a message")
  for count in 0...recording.steps.count {
    guard let state = try? recording.state(after: count) else { break }
    require((try? JSONValue(parsing: state.bytes())) == state, "a state can be written")
  }
}

extension [Int] {
  fileprivate var adjacentPairs: Zip2Sequence<[Int], ArraySlice<Int>> { zip(self, dropFirst()) }
}
