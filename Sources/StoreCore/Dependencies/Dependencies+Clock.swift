extension Dependencies {
  private struct ClockKey: DependencyKey {
    static func makeDefault(in dependencies: Dependencies) -> any Clock<Duration> { ContinuousClock() }
  }

  /// The time that effects wait by: the continuous clock, unless somebody sets another, as a test does.
  public var clock: any Clock<Duration> {
    get { self[ClockKey.self] }
    set { self[ClockKey.self] = newValue }
  }
}
