/// The lines of a text, as far as they are whole.
struct RecordingLines: Sequence, IteratorProtocol {
  private let bytes: [UInt8]
  private var start = 0
  /// The number of the line that was given last, from 1.
  private(set) var number = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The next line without its line feed, or nil where none ends any more.
  mutating func next() -> [UInt8]? {
    guard let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    defer { start = end + 1 }
    number += 1
    return Array(bytes[start..<end])
  }
}
