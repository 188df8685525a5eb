import StateJSON

/// What a write in place is about to do, kept in the state folder until it is done: whoever finds the file half
/// written can complete it.
struct RedoRecord: Hashable {
  let base: [UInt8]
  let new: [UInt8]
  let stamp: Stamp

  /// How far a write in place got.
  enum Progress: Hashable {
    case notBegun
    /// Some of the new bytes stand before the rest of the old ones.
    case torn
    case done
    /// Somebody else has written to the file.
    case overtaken
  }

  /// The new bytes, and blanks over what the old ones had more: JSON stays JSON until it is cut off.
  var padded: [UInt8] { new + [UInt8](repeating: 0x20, count: max(base.count - new.count, 0)) }

  func progress(of bytes: [UInt8]) -> Progress {
    if bytes == new { return .done }
    if bytes == base { return .notBegun }
    let padded = padded
    guard bytes.count >= base.count, bytes.count <= padded.count else { return .overtaken }
    let written = zip(bytes, padded).prefix { $0 == $1 }.count
    let rest = bytes[min(written, bytes.count)...]
    return rest.elementsEqual(base[min(written, base.count)...]) ? .torn : .overtaken
  }

}

extension RedoRecord {
  private static func name(for path: String) -> String { "\(ContentHash(Array(path.utf8))).redo" }

  /// Keeps the record, complete or not at all.
  func save(for path: String, in stateFolder: String, flush: Bool) throws(SystemError) {
    let folder = try StateFolder.open(stateFolder)
    let name = Self.name(for: path)
    let header = "\(base.count) \(new.count) \(ContentHash(base)) \(String(decoding: stamp.encoded, as: UTF8.self))\n"
    let file = try folder.open("\(name)~", System.O_WRONLY | System.O_CREAT | System.O_TRUNC, permissions: 0o600)
    try file.write(Array(header.utf8) + base + new)
    if flush { try file.flush() }
    try folder.rename("\(name)~", to: name)
    if flush { try folder.descriptor.flush() }
  }

  static func remove(for path: String, in stateFolder: String) throws(SystemError) {
    try StateFolder.open(stateFolder).remove(name(for: path))
  }

  /// Whether there is a record, whole or not; what can't be examined is none.
  static func exists(for path: String, in stateFolder: String) -> Bool {
    (try? FileStatus(of: "\(stateFolder)/\(name(for: path))")) != nil
  }

  /// The record that a killed instance left; nil if there is none, or none that is whole.
  init?(for path: String, in stateFolder: String) throws(SystemError) {
    let file: FileDescriptor
    do throws(SystemError) {
      guard let folder = try StateFolder.existing(stateFolder) else { return nil }
      file = try folder.open(Self.name(for: path), System.O_RDONLY)
    } catch {
      // A state folder that this user may not enter, or that isn't this user's, holds no record of this user's.
      if [System.ENOENT, System.ENOTDIR, System.EACCES, System.EPERM].contains(error.errno) { return nil }
      throw error
    }
    let bytes = try file.contents(expecting: file.status().size, limit: .max)
    guard let newline = bytes.firstIndex(of: 0x0A) else { return nil }
    let fields = String(decoding: bytes[..<newline], as: UTF8.self).split(separator: " ", maxSplits: 3)
    guard fields.count == 4, let baseCount = Int(fields[0]), let newCount = Int(fields[1]),
      baseCount >= 0, newCount >= 0, bytes.count - newline - 1 == baseCount &+ newCount,
      let stamp = Stamp(encoded: Array(fields[3].utf8))
    else { return nil }
    base = Array(bytes[(newline + 1)...].prefix(baseCount))
    new = Array(bytes.suffix(newCount))
    self.stamp = stamp
    guard ContentHash(base).description == fields[2], ContentHash(new) == stamp.content else { return nil }
  }
}
