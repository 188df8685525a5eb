/// What the subjects of a topic cost.
public struct Report {
  public let name: String
  public let measurements: [Measurement]

  /// A heading and a table, in Markdown.
  public var markdown: String {
    let rows = measurements.map { measurement in
      let ratio = measurement.ratio
      return "| \(measurement.name) | \(Int(measurement.nanoseconds.median.rounded())) | \(short(ratio.median)) | "
        + "\(short(ratio.low))–\(short(ratio.high)) |"
    }
    return (["## \(name)", "", "| | ns | × bare | half of the rounds |", "|---|--:|--:|--:|"] + rows).joined(
      separator: "\n")
  }

  /// With two digits behind the point below ten.
  private func short(_ number: Double) -> String {
    if number >= 9.995 { return "\(Int(number.rounded()))" }
    let hundredths = Int((number * 100).rounded())
    return "\(hundredths / 100).\(hundredths / 10 % 10)\(hundredths % 10)"
  }
}

/// What a subject costs each time.
public struct Measurement {
  public let name: String
  public let nanoseconds: Spread
  /// In units of the baseline.
  public let ratio: Spread
}

/// What lies in the middle of many numbers, and where the middle half of them begins and ends.
public struct Spread {
  public let low: Double
  public let median: Double
  public let high: Double

  init(_ numbers: [Double]) {
    let sorted = numbers.sorted()
    func quantile(_ part: Double) -> Double { sorted[Int((Double(sorted.count - 1) * part).rounded())] }
    (low, median, high) = (quantile(0.25), quantile(0.5), quantile(0.75))
  }
}
