import Glibc

/// Measures subjects against a baseline, a little of each in turn, so that what else the machine does hits all alike.
///
/// Time is that of the processor in all threads of the process: what a subject has others do for it counts, and what other
/// programs do doesn't.
public struct Comparison {
  let baseline: Subject
  let rounds: Int
  /// How long a batch takes, in nanoseconds.
  let batch: Double
  let pace: Pace

  public init(with baseline: Subject, rounds: Int, batch: Duration = .milliseconds(2), pace: Pace) {
    self.baseline = baseline
    self.rounds = rounds
    self.pace = pace
    self.batch = Double(batch.components.attoseconds) * 1e-9 + Double(batch.components.seconds) * 1e9
  }

  /// Measures all subjects, and says what they cost, topic by topic.
  public nonisolated(nonsending) func measure(_ topics: [Topic]) async -> [Report] {
    let baselineCount = await count(of: baseline)
    var counts: [Int] = []
    let subjects = topics.flatMap(\.subjects)
    for subject in subjects { counts.append(await count(of: subject)) }

    var costs = [[Double]](repeating: [], count: subjects.count)
    var ratios = costs
    for _ in 0..<rounds {
      for (index, subject) in subjects.enumerated() {
        // Right before, as a minute ago the machine may have been another.
        let (unit, own) = await pace.steadily {
          (await cost(of: baseline, baselineCount), await cost(of: subject, counts[index]))
        }
        costs[index].append(own)
        ratios[index].append(own / unit)
      }
    }

    var measured = zip(subjects, zip(costs, ratios)).map { subject, numbers in
      Measurement(name: subject.name, nanoseconds: Spread(numbers.0), ratio: Spread(numbers.1))
    }[...]
    return topics.map { topic in
      defer { measured = measured.dropFirst(topic.subjects.count) }
      return Report(name: topic.name, measurements: Array(measured.prefix(topic.subjects.count)))
    }
  }

  /// How many make a batch; finding out warms it up as well.
  private nonisolated(nonsending) func count(of subject: Subject) async -> Int {
    if let count = subject.count { return count }
    var count = 1
    while true {
      let total = await cost(of: subject, count) * Double(count)
      if total >= batch / 2 { return max(1, Int(Double(count) * batch / total)) }
      count *= 2
    }
  }

  private nonisolated(nonsending) func cost(of subject: Subject, _ count: Int) async -> Double {
    let start = Self.processorTime()
    await subject.run(count)
    return (Self.processorTime() - start) / Double(count)
  }

  private static func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }
}
