import Glibc

/// Where messages go that nobody else wants.
package enum StandardError {
  /// Writes a whole text; what can't be written has no better place.
  package static func write(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)
      while !rest.isEmpty {
        let count = Glibc.write(STDERR_FILENO, rest.baseAddress, rest.count)
        if count < 0 && errno == EINTR { continue }
        if count <= 0 { return }
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
      }
    }
  }
}
