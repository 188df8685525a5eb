/// A place in a recording: after a step, or after a time.
///
///     RecordedPlace("12")    // .step(12)
///     RecordedPlace("3.5s")  // .time(.seconds(3.5))
enum RecordedPlace: Equatable, Sendable {
  /// After the step of that number; 0 is the beginning.
  case step(Int)
  /// When so much time had passed since the beginning.
  case time(Duration)

  init?(_ text: String) {
    if text.hasSuffix("s"), let time = Duration(seconds: text.dropLast()) {
      self = .time(time)
    } else if text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text) {
      self = .step(number)
    } else {
      return nil
    }
  }

  /// Whether it comes before another one, as far as that can be told without the recording.
  func isBefore(_ other: RecordedPlace) -> Bool {
    switch (self, other) {
    case (.step(let step), .step(let other)): step < other
    case (.time(let time), .time(let other)): time < other
    default: false
    }
  }
}
