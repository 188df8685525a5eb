import Glibc
import HotReload

extension WallClock {
  /// The time now, as the user's time zone has it: `14:03:27`.
  static var time: String { text(now(), "%H:%M:%S", isLocal: true) }

  /// A time as the user's time zone has it: `2026-11-21 14:03:27.042`.
  static func localTime(milliseconds: Int64) -> String {
    text(milliseconds, "%Y-%m-%d %H:%M:%S", isLocal: true) + fraction(milliseconds)
  }

  /// A time in UTC, as RFC 3339 writes it: `2026-11-21T13:03:27.042Z`.
  static func universalTime(milliseconds: Int64) -> String {
    text(milliseconds, "%Y-%m-%dT%H:%M:%S", isLocal: false) + fraction(milliseconds) + "Z"
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
