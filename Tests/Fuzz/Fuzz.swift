// Hostile input for everything that reads what others wrote. Built by `scripts/check fuzz` with libFuzzer, which owns `main`.
//
// The first argument, `--target=NAME`, says what reads the input. It may refuse; it may not crash, hang, take too much
// memory, or break the laws that the target states.

import Glibc

typealias Target = @Sendable ([UInt8]) -> Void

/// By their names on the command line, which are those of their corpora.
let targets: [String: Target] = [
  "json": fuzzJSON, "splice": fuzzSplice, "patch": fuzzPatch, "merge": fuzzMerge, "number": fuzzNumber,
  "rpc": fuzzRPC, "arguments": fuzzArguments, "history": fuzzHistory, "names": fuzzNames, "recording": fuzzRecording,
  "journal": fuzzJournal, "inspector": fuzzInspector,
]

/// Set once, before libFuzzer begins; it has one thread.
nonisolated(unsafe) private var target: Target = { _ in }

@_cdecl("LLVMFuzzerInitialize")
func initialize(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>>>
) -> CInt {
  for index in 0..<Int(count.pointee) {
    let word = String(cString: arguments.pointee[index])
    guard word.hasPrefix("--target=") else { continue }
    guard let found = targets[String(word.dropFirst(9))] else { break }
    target = found
    return 0
  }
  fatalError("--target=NAME is missing; one of: \(targets.keys.sorted().joined(separator: ", "))")
}

@_cdecl("LLVMFuzzerTestOneInput")
func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  target(Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}

/// Ends the program, as libFuzzer expects of a law that is broken.
func require(_ law: Bool, _ name: @autoclosure () -> String) {
  if !law { fatalError("broken law: \(name())") }
}

extension [UInt8] {
  /// The parts between bytes that occur in no text; `count` of them, the last ones empty where there are fewer.
  func parts(_ count: Int) -> [[UInt8]] {
    let parts = split(separator: 0xFF, maxSplits: count - 1, omittingEmptySubsequences: false).map(Array.init)
    return parts + Array<[UInt8]>(repeating: [], count: count - parts.count)
  }
}
