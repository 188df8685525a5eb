import Glibc
import HotReload

extension WallClock {
  /// The time now, as the user's time zone has it: `14:03:27`.
  static var time: String { time(of: now()) }

  /// A time of the day as the user's time zone has it: `14:03:27`.
  static func time(of milliseconds: Int64) -> String { text(milliseconds, "%H:%M:%S", isLocal: true) }

  /// A time as the user's time zone has it: `2026-11-21 14:03:27.042`.
  static func localTime(milliseconds: Int64) -> String {
    text(milliseconds, "%Y-%m-%d %H:%M:%S", isLocal: true) + fraction(milliseconds)
  }

  /// A time in UTC, as RFC 3339 writes it: `2026-11-21T13:03:27.042Z`.
  static func universalTime(milliseconds: Int64) -> String {
    text(milliseconds, "%Y-%m-%dT%H:%M:%S", isLocal: false) + fraction(milliseconds) + "Z"
  }

  /// A time as somebody says it: `30s`, `10m`, `2h` or `3d` ago, or a date, a time of today, or both; `nil` if it is none of that.
  static func time(since text: String) -> Int64? {
    let units: [Character: Double] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]
    if let unit = text.last.flatMap({ units[$0] }), let count = Double(decimal: String(text.dropLast())) {
      return now() - Int64(count * unit * 1_000)
    }
    let words = text.split(whereSeparator: { $0 == "T" || $0 == " " })
    guard let first = words.first, words.count <= 2 else { return nil }
    if words.count == 1, first.contains(":") { return numbers(first, ":").flatMap { time(date: nil, $0) } }
    guard let date = numbers(first, "-"), date.count == 3 else { return nil }
    return words.count == 1 ? time(date: date, [0, 0]) : numbers(words[1], ":").flatMap { time(date: date, $0) }
  }

  private static func numbers(_ text: Substring, _ separator: Character) -> [Int32]? {
    let numbers = text.split(separator: separator, omittingEmptySubsequences: false).map { Int32($0) }
    return numbers.allSatisfy { $0.map { $0 >= 0 } ?? false } ? numbers.compactMap(\.self) : nil
  }

  /// The corresponding C function is `mktime`. Without a date it is today.
  private static func time(date: [Int32]?, _ clock: [Int32]) -> Int64? {
    guard (2...3).contains(clock.count), clock[0] < 24, clock[1] < 60, clock.count < 3 || clock[2] < 60 else {
      return nil
    }
    var now = time_t(seconds(Self.now()))
    var parts = tm()
    localtime_r(&now, &parts)
    if let date {
      guard (1970...9999).contains(date[0]), (1...12).contains(date[1]), (1...31).contains(date[2]) else { return nil }
      (parts.tm_year, parts.tm_mon, parts.tm_mday) = (date[0] - 1900, date[1] - 1, date[2])
    }
    (parts.tm_hour, parts.tm_min, parts.tm_sec, parts.tm_isdst) = (
      clock[0], clock[1], clock.count > 2 ? clock[2] : 0, -1
    )
    let time = mktime(&parts)
    return time == -1 ? nil : Int64(time) * 1_000
  }

  private static func fraction(_ milliseconds: Int64) -> String {
    let digits = String(milliseconds - 1000 * seconds(milliseconds))
    return "." + String(repeating: "0", count: 3 - digits.count) + digits
  }

  private static func seconds(_ milliseconds: Int64) -> Int64 {
    milliseconds >= 0 ? milliseconds / 1000 : (milliseconds - 999) / 1000
  }

  /// The corresponding C functions are `localtime_r`, `gmtime_r` and `strftime`.
  private static func text(_ milliseconds: Int64, _ format: String, isLocal: Bool) -> String {
    var time = time_t(seconds(milliseconds))
    var parts = tm()
    _ = isLocal ? localtime_r(&time, &parts) : gmtime_r(&time, &parts)
    let text = [UInt8](unsafeUninitializedCapacity: 64) { buffer, count in
      count = buffer.withMemoryRebound(to: CChar.self) { strftime($0.baseAddress, $0.count, format, &parts) }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
