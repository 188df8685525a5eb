/// As it stands in a file, for people to read and change: what is missing is as it is at first, times are in seconds.
extension EffectState: Codable {
  private enum CodingKeys: CodingKey { case status, runs, attempt, attempts, backoff, delay, failure }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init()
    status = try container.decodeIfPresent(Status.self, forKey: .status) ?? status
    runs = try container.decodeIfPresent(Int.self, forKey: .runs) ?? runs
    attempt = try container.decodeIfPresent(Int.self, forKey: .attempt) ?? (isRunning ? 1 : 0)
    attempts = try container.decodeIfPresent(Int.self, forKey: .attempts) ?? attempts
    backoff = try container.decodeIfPresent(EffectBackoff.self, forKey: .backoff) ?? backoff
    let delay = try container.decodeIfPresent(Double.self, forKey: .delay) ?? 0
    delayInSeconds = delay.clamped(to: 0...EffectBackoff.longest)
    failure = try container.decodeIfPresent(String.self, forKey: .failure)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(status, forKey: .status)
    try container.encode(runs, forKey: .runs)
    try container.encode(attempt, forKey: .attempt)
    try container.encode(attempts, forKey: .attempts)
    if backoff != .none { try container.encode(backoff, forKey: .backoff) }
    if delayInSeconds != 0 { try container.encode(delayInSeconds, forKey: .delay) }
    try container.encodeIfPresent(failure, forKey: .failure)
  }
}
