extension JSONDocument {
  /// The text without white space between its parts: strings and numbers as they are written.
  ///
  /// - Complexity: O(*n*) in the length of the text; no value is made of it.
  package var compactBytes: [UInt8] {
    bytes.withUnsafeBufferPointer { text in
      [UInt8](unsafeUninitializedCapacity: text.count) { result, count in
        var isInString = false
        var index = text.byteOrderMarkLength
        while index < text.count {
          let byte = text[index]
          index += 1
          if !isInString, byte <= UInt8(ascii: " ") { continue }
          result.initializeElement(at: count, to: byte)
          count += 1
          if byte == UInt8(ascii: "\"") { isInString.toggle() }
          // What is escaped ends no string.
          if byte == UInt8(ascii: "\\") {
            result.initializeElement(at: count, to: text[index])
            (index, count) = (index + 1, count + 1)
          }
        }
      }
    }
  }
}
