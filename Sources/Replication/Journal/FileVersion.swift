import StateJSON

/// What stood in a file that lies in the shared folder itself: some bytes, and when they were written. Whoever comes upon it there can
/// tell by that whether an instance wrote it, or somebody saved.
package struct FileVersion: Sendable, Hashable {
  /// The hash of the bytes; others compare it, and read nothing else in it.
  package let hash: String
  /// The file's time of modification, in seconds since 1970; `nil` where what keeps the folder in sync may have changed it.
  package let time: Int?

  /// Makes a version of its parts.
  package init(hash: String, time: Int?) { (self.hash, self.time) = (hash, time) }

  /// Makes a version of its hash and its time of modification in nanoseconds since 1970, rounded down to an even second: some file systems
  /// keep nothing finer, and what keeps folders in sync may bring it through any.
  package init(hash: String, modified: Int?) {
    let seconds = modified.map { $0 >= 0 ? $0 / 1_000_000_000 : ($0 + 1) / 1_000_000_000 - 1 }
    self.init(hash: hash, time: seconds.map { $0 & ~1 })
  }

  /// How far times of one version may be apart, in seconds: what brings it may set the time a moment later, also that of a file that has
  /// just taken its place.
  static let tolerance = 4

  /// Whether these bytes, as an instance wrote them, may be what was found at the other version, if that doesn't say that somebody brought
  /// them back: they are no older.
  func mayBe(_ found: FileVersion) -> Bool {
    guard hash == found.hash else { return false }
    guard let time, let other = found.time else { return true }
    return time >= other - Self.tolerance
  }

  /// Whether these bytes, as an instance wrote them, are what was found at the other version, which somebody seems to have brought back.
  func isJust(_ found: FileVersion) -> Bool {
    guard let time, let other = found.time else { return hash == found.hash }
    return hash == found.hash && abs(time - other) <= Self.tolerance
  }

  /// The JSON form, `[HASH, TIME]`, or `[HASH]`.
  package var value: JSONValue { .array([.string(hash)] + (time.map { [.number(JSONNumber($0))] } ?? [])) }

  /// The JSON form, as messages call it.
  static let expected = "the hash and the time of a version"

  /// Reads the JSON form; `nil` if it is none.
  package init?(_ value: JSONValue) {
    guard case .array(let parts) = value, case .string(let hash)? = parts.first,
      hash.utf8.count <= JournalLimits.labelLength
    else { return nil }
    switch parts.count {
    case 1: self.init(hash: hash, time: nil)
    case 2:
      guard case .number(let number) = parts[1], let time = number.exactly(Int.self), time.magnitude < 1 << 53 else {
        return nil
      }
      self.init(hash: hash, time: time)
    default: return nil
    }
  }
}
