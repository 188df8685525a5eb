/// Cuts a stream of bytes into lines, whatever the pieces in which it arrives.
///
/// A line ends with a line feed, with or without a carriage return before it; the last one may lack that.
///
///     var reader = LineReader()
///     reader.append(bytes)
///     while let line = reader.next() { … }
package struct LineReader {
  package enum Line: Equatable {
    /// Without its end.
    case text([UInt8])
    /// A line longer than the limit, of which nothing is kept.
    case tooLong

    /// How many bytes are kept of it.
    package var size: Int { if case .text(let text) = self { text.count } else { 0 } }
  }

  /// How long a line may be, 64 MiB: enough for a document many times the size of those that are edited by hand.
  static let defaultLimit = 1 << 26

  private let limit: Int
  private var buffer: [UInt8] = []
  /// Where the next line starts in the buffer.
  private var start = 0
  /// Up to where the buffer is known to hold no line feed, so that no byte is looked at twice.
  private var scanned = 0
  /// Whether the line that starts in the buffer is part of one that is too long.
  private var isDiscarding = false

  package init(limit: Int = defaultLimit) { self.limit = limit }

  /// Adds what arrived.
  package mutating func append(_ bytes: some Collection<UInt8>) {
    if start > 0 {
      buffer.removeSubrange(..<start)
      scanned -= start
      start = 0
    }
    buffer.append(contentsOf: bytes)
  }

  /// The next complete line, or `nil` until more arrives.
  package mutating func next() -> Line? {
    guard let end = buffer[scanned...].firstIndex(of: UInt8(ascii: "\n")) else {
      scanned = buffer.count
      if isDiscarding || scanned - start > limit + 1 {
        // Give the memory back now: the end may be far away.
        isDiscarding = true
        buffer = []
        (start, scanned) = (0, 0)
      }
      return nil
    }
    defer { (start, scanned) = (end + 1, end + 1) }
    return line(endingAt: end)
  }

  /// The last line, if the stream ended without ending it.
  package mutating func finish() -> Line? {
    guard isDiscarding || start < buffer.count else { return nil }
    defer { (buffer, start, scanned) = ([], 0, 0) }
    return line(endingAt: buffer.count)
  }

  private mutating func line(endingAt end: Int) -> Line {
    var text = buffer[start..<end]
    if text.last == UInt8(ascii: "\r") { text.removeLast() }
    defer { isDiscarding = false }
    return isDiscarding || text.count > limit ? .tooLong : .text(Array(text))
  }
}
