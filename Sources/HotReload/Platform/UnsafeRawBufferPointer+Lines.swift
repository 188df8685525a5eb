import Glibc

extension UnsafeRawBufferPointer {
  /// Where the line ends that starts at a place: its line feed; nil where none follows. The corresponding C function is `memchr`,
  /// which looks at many bytes at a time.
  func lineEnd(from start: Int) -> Int? { place(of: 10, from: start) }

  /// Where a byte stands first, not before a place; `nil` if it doesn't.
  func place(of byte: UInt8, from start: Int) -> Int? {
    precondition(start >= 0 && start <= count)
    // As long as `self` is valid, so are the bytes from there to its end.
    guard start < count, let base = baseAddress, let end = memchr(base + start, Int32(byte), count - start) else {
      return nil
    }
    return UnsafeRawPointer(end) - base
  }
}
