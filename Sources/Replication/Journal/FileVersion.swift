import StateJSON

/// What stood in a file that lies in the shared folder itself: some bytes, and when they were written. Whoever comes upon it there can
/// tell by that whether an instance wrote it, or somebody saved.
package struct FileVersion: Sendable, Hashable {
  /// The hash of the bytes; others compare it, and read nothing else in it.
  package let hash: String
  /// The file's time of modification, in nanoseconds since 1970.
  package let time: Int

  /// Makes a version of its parts.
  package init(hash: String, time: Int) { (self.hash, self.time) = (hash, time) }

  /// The JSON form, `[HASH, TIME]`.
  package var value: JSONValue { [.string(hash), .number(JSONNumber(time))] }

  /// Reads the JSON form; `nil` if it is none.
  package init?(_ value: JSONValue) {
    guard case .array(let parts) = value, parts.count == 2, case .string(let hash) = parts[0],
      hash.utf8.count <= JournalLimits.labelLength, case .number(let number) = parts[1],
      let time = number.exactly(Int.self)
    else { return nil }
    self.init(hash: hash, time: time)
  }
}
