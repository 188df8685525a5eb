@preconcurrency import Glibc
import MachineSimulation

Campaign.prepare()
let first = UInt64(CommandLine.arguments[1])!
let count = UInt64(CommandLine.arguments[2])!
let traced = CommandLine.arguments.count > 3 ? UInt64(CommandLine.arguments[3]) : nil
let start = ContinuousClock.now
var calls = 0
var failed = 0
for seed in first..<first + count {
  let outcome = Campaign.run(seed: seed, tracing: seed == traced)
  calls += outcome.calls
  for line in outcome.trace { print(line) }
  if !outcome.violations.isEmpty {
    failed += 1
    print("seed \(seed): \(outcome.violations)")
  }
}
print("\(count) runs, \(failed) failed, \(calls) calls, \(start.duration(to: .now))")
fflush(stdout)
_exit(failed == 0 ? 0 : 1)
