/// How long an effect waits before it tries again. A value, so that all instances, and every replay, wait alike.
public struct EffectBackoff: Sendable, Hashable {
  /// In seconds, as they stand in a file.
  private(set) var first: Double
  private(set) var factor: Double
  private(set) var limit: Double

  /// Waits longer each time.
  ///
  /// - Parameters:
  ///   - first: How long it waits after the first attempt.
  ///   - factor: By what that grows with each attempt; at least 1.
  ///   - limit: How long it waits at most.
  /// - Returns: the backoff.
  public static func exponential(
    from first: Duration, factor: Double = 2, upTo limit: Duration = .seconds(60)
  ) -> EffectBackoff {
    EffectBackoff(first: first.inSeconds, factor: factor, limit: limit.inSeconds)
  }

  /// Waits equally long each time.
  public static func constant(_ delay: Duration) -> EffectBackoff {
    EffectBackoff(first: delay.inSeconds, factor: 1, limit: delay.inSeconds)
  }

  /// Tries again at once.
  public static var none: EffectBackoff { constant(.zero) }

  /// What somebody wrote into a file may be any number.
  init(first: Double, factor: Double, limit: Double) {
    self.first = first.clamped(to: 0...Self.longest)
    self.factor = factor.clamped(to: 1...1_000)
    self.limit = limit.clamped(to: 0...Self.longest)
  }

  /// A year.
  static let longest = 31_536_000.0

  /// How long it waits, in seconds, after an attempt, counted from 1.
  func delay(after attempt: Int) -> Double {
    var delay = first
    // Beyond that many, it has reached its limit, or never will.
    for _ in 1..<min(max(attempt, 1), 1_000) where delay < limit { delay *= factor }
    return min(delay, limit)
  }
}

extension EffectBackoff: Codable {
  private enum CodingKeys: CodingKey { case first, factor, limit }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let first = try container.decodeIfPresent(Double.self, forKey: .first) ?? 0
    self.init(
      first: first, factor: try container.decodeIfPresent(Double.self, forKey: .factor) ?? 1,
      limit: try container.decodeIfPresent(Double.self, forKey: .limit) ?? Self.longest)
  }
}

extension Duration {
  var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}

extension Double {
  func clamped(to range: ClosedRange<Double>) -> Double {
    isNaN ? range.lowerBound : Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
  }
}
