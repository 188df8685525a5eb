import Foundation
import TestThreads
import Testing

/// The simulation is a program of its own: its machines take the place of this one for a whole process.
@Suite(.ownThreads) struct SimulationTests {
  /// It is built beside the test bundle, which is the running program.
  private static let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appendingPathComponent("simulate")

  private func simulate(_ arguments: String...) throws -> (status: Int32, output: String) {
    let process = Process()
    process.executableURL = Self.program
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_DETERMINISTIC_HASHING": "1"]) { $1 }
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, output)
  }

  @Test func `no promise is broken, whatever the interleaving`() throws {
    let (status, output) = try simulate("--runs", "200", "--jobs", "1")
    #expect(status == 0, "\(output)")
    #expect(output.contains("200 runs from seed 1 in "))
  }

  @Test func `a seed stands for one run`() throws {
    let (first, second) = (try simulate("--trace", "6").output, try simulate("--trace", "6").output)
    #expect(first == second)
    #expect(first.contains(": acknowledges "))
  }

  @Test func `a simulated machine answers as Linux does`() throws {
    let (status, output) = try simulate("--compare", "--runs", "500")
    #expect(status == 0, "\(output)")
    #expect(output.contains("500 plays of calls, and no difference"))
  }

  @Test func `what makes no sense is told`() throws {
    #expect(try simulate("--runs", "none").status == 2)
  }
}
