import TerminalScreen

extension Episode {
  var ratingSheet: Panel {
    Panel(title: "\(code) \(title)", lines: [Line.stars(rating) + Line("   \(rating.map { "\($0)" } ?? "not rated")")])
  }
}

extension Line {
  /// A star for each point of ten. In the file there may be any number.
  static func stars(_ rating: Double?) -> Line {
    let full = Int(Rating.valid(rating ?? 0).rounded())
    return Line(String(repeating: "★", count: full), .warning) + Line(String(repeating: "☆", count: 10 - full), .faint)
  }
}
