import HotReload
import StateJSON

extension RequestRunner {
  /// How long an answer is waited for at least, before all are asked again.
  private static var round: Duration { .milliseconds(250) }
  /// How long the file is waited for at least, to come to rest.
  private static var patience: Duration { .seconds(1) }
  /// How long those that differ are left alone, in nanoseconds.
  private static var pause: UInt64 { 20_000_000 }

  /// Compares the file with what every instance has of it, again and again until they agree or the time is over.
  func verify(json: Bool) throws -> ExitCode {
    let deadline = MonotonicClock.now() + options.timeout.nanoseconds
    var rollCall = try InstanceRollCall(of: request.file)
    while true {
      let file = try fileHash()
      let reports = try rollCall.reports(until: MonotonicClock.now() + Self.round.nanoseconds)
      let verification = Verification(file: file, reports: reports)
      guard verification.isAgreement || MonotonicClock.now() >= deadline else {
        MonotonicClock.sleep(nanoseconds: Self.pause)
        continue
      }
      if json {
        try console.print(verification.json(path: request.file))
      } else {
        for line in verification.lines { try console.print(console.output.shown(line) + "\n") }
      }
      if let failure = verification.failure { throw failure }
      return .done
    }
  }

  /// A file that isn't JSON may be so in a moment; what else prevents reading it ends the command.
  private func fileHash() throws -> Result<String, Failure> {
    do {
      return .success("\(try document(within: max(options.timeout, Self.patience)).canonicalHash)")
    } catch let problem as Problem where Failure(problem).code == .invalid {
      return .failure(Failure(problem))
    }
  }
}
