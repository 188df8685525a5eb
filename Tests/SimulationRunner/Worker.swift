import Foundation
import Simulation

/// A process that makes some runs, one after another, and tells what failed.
///
/// What is killed on a simulated machine stays behind as threads and memory, so a process makes a few hundred runs. And where a run
/// gets stuck, in a lock that one thread has while another has the baton, its process is ended by the one that started it.
struct Worker {
  /// How many runs a process makes.
  static let slice = 250
  /// How long that may take, in seconds: it takes one or two, or a hundred under a sanitizer on a busy machine.
  static let patience = 600.0

  /// What came of a slice.
  struct Report {
    var runs = 0
    var calls = 0
    var failures: [(seed: UInt64, violation: String)] = []
    /// What the process printed that is no result, as a crash does.
    var remarks = ""
  }

  // MARK: In the process itself

  /// Makes the runs, and prints what came of them.
  static func work(_ options: Options) {
    var calls = 0
    for seed in options.seed..<options.seed + UInt64(options.runs) {
      let outcome = Campaign.run(seed: seed, plan: options.plan)
      calls += outcome.calls
      if let violation = outcome.violations.first {
        print("failed\t\(seed)\t\(violation.replacing("\n", with: "\\n"))")
        if options.endsWithFailure { break }
      }
    }
    print("done\t\(options.runs)\t\(calls)")
  }

  /// Makes one run, and prints what happens in it.
  static func trace(_ seed: UInt64, _ options: Options) {
    let outcome = Campaign.run(seed: seed, plan: options.plan, tracing: true)
    for line in outcome.trace + outcome.violations { print(line) }
  }

  /// Makes the same calls on a simulated machine and on this one.
  static func compare(_ options: Options) -> Never {
    let seeds = options.seed..<options.seed + UInt64(options.runs)
    let difference = seeds.lazy.compactMap(Comparison.difference).first
    print(difference ?? "\(seeds.count) plays of calls, and no difference")
    fflush(nil)
    _exit(difference == nil ? 0 : 1)
  }

  // MARK: For the one that starts it

  /// Has a process make runs, and waits for it.
  static func run(from seed: UInt64, _ count: Int, _ options: Options, on processor: Int) -> Report {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe")
    var arguments = ["--worker", "\(processor)", "--seed", "\(seed)", "--runs", "\(count)"]
    if options.endsWithFailure { arguments.append("--until-failure") }
    if let plan = options.plan { arguments += ["--plan", plan.json] }
    process.arguments = arguments
    // So that a seed stands for the same run in each of them.
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["SWIFT_DETERMINISTIC_HASHING": "1", "SWIFT_BACKTRACE": "enable=no"]) { $1 }
    let pipe = Pipe()
    (process.standardOutput, process.standardError) = (pipe, pipe)
    do { try process.run() } catch { fatalError("a worker can't be started: \(error)") }
    let end = DispatchWorkItem { kill(process.processIdentifier, SIGKILL) }
    DispatchQueue.global().asyncAfter(deadline: .now() + patience, execute: end)
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    end.cancel()
    var report = Report()
    for line in text.split(separator: "\n") {
      let fields = line.split(separator: "\t", maxSplits: 2)
      switch (fields.first, fields.count) {
      case ("failed", 3): report.failures.append((UInt64(fields[1]) ?? 0, String(fields[2])))
      case ("done", 3): (report.runs, report.calls) = (Int(fields[1]) ?? 0, Int(fields[2]) ?? 0)
      default: report.remarks += line + "\n"
      }
    }
    if process.terminationStatus != 0 || report.runs == 0 {
      let how = process.terminationReason == .uncaughtSignal ? "signal" : "status"
      report.failures.append(
        (seed, "a process that makes \(count) runs from here ended with \(how) \(process.terminationStatus)"))
    }
    return report
  }
}

extension Plan {
  var json: String {
    guard let data = try? JSONEncoder().encode(self) else { fatalError("a plan consists of numbers and names") }
    return String(decoding: data, as: UTF8.self)
  }
}
