extension Duration {
  /// Whole nanoseconds, as ``MonotonicClock`` counts them; what is too long for them lasts for centuries anyway.
  package var nanoseconds: UInt64 {
    let (seconds, attoseconds) = components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    let (whole, overflow) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
    return overflow || whole > .max / 4 ? .max / 4 : whole + UInt64(attoseconds / 1_000_000_000)
  }
}
