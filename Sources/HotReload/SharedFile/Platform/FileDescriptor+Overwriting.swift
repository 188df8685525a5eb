import Glibc
import StateJSON

/// What must be written over a file so that it begins with other bytes: whatever of them it doesn't have already.
package struct Overwriting {
  fileprivate let bytes: [UInt8]
  /// What is written of the bytes: in order, with something between them.
  fileprivate var parts: [Range<Int>] = []
  /// How many of the bytes have been compared.
  private var end = 0

  /// How many bytes are compared at once to find out whether they must be written.
  static let pieceSize = 1 << 14

  /// Compares bytes with those that the file begins with.
  package init(_ bytes: [UInt8], over known: [UInt8]) {
    self.init(bytes)
    known.withUnsafeBytes { compare($0) }
    finish()
  }

  /// Whether all of the bytes are written.
  package var isWhole: Bool { parts.reduce(0) { $0 + $1.count } == bytes.count }

  /// With nothing compared yet.
  fileprivate init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Compares the bytes with what the file has there, from where the last comparison ended.
  ///
  /// - Parameter known: As many bytes as make up pieces of ``pieceSize``, or all that are left.
  fileprivate mutating func compare(_ known: UnsafeRawBufferPointer) {
    for start in stride(from: 0, to: min(known.count, bytes.count - end), by: Self.pieceSize) {
      let piece = end + start..<min(end + start + Self.pieceSize, bytes.count)
      // The first one is always written: the file's times must tell that it was.
      let isSame =
        piece.lowerBound > 0 && piece.count <= known.count - start
        && bytes.withUnsafeBytes {
          memcmp($0.baseAddress! + piece.lowerBound, known.baseAddress! + start, piece.count) == 0
        }
      if !isSame { add(piece) }
    }
    end = min(end + known.count, bytes.count)
  }

  /// What has not been compared is written.
  fileprivate mutating func finish() {
    // A piece that the file ends in has been added whole.
    let written = max(end, parts.last?.upperBound ?? 0)
    if written < bytes.count { add(written..<bytes.count) }
    end = bytes.count
  }

  private mutating func add(_ part: Range<Int>) {
    if let last = parts.last, last.upperBound == part.lowerBound {
      parts[parts.count - 1] = last.lowerBound..<part.upperBound
    } else {
      parts.append(part)
    }
  }
}

extension FileDescriptor {
  /// The hash of all bytes in it. Keeps nothing of what it reads, but shows it: one piece after the other, each of ``pieceSize``
  /// bytes but for the last.
  func contentHash(
    expecting size: Int, _ body: (UnsafeRawBufferPointer) -> Void = { _ in }
  ) throws(SystemError) -> ContentHash {
    var hasher = ContentHasher()
    try readPieces(expecting: size) { piece in
      hasher.update(piece)
      body(piece)
      return true
    }
    return hasher.finish()
  }

  /// The hash of all bytes in it, and what must be written over them.
  func contentHash(
    expecting size: Int, under bytes: [UInt8]
  ) throws(SystemError) -> (hash: ContentHash, overwriting: Overwriting) {
    var overwriting = Overwriting(bytes)
    let hash = try contentHash(expecting: size) { overwriting.compare($0) }
    overwriting.finish()
    return (hash, overwriting)
  }

  /// Writes what must be written.
  package func write(_ overwriting: Overwriting) throws(SystemError) {
    for part in overwriting.parts { try write(overwriting.bytes, part, at: part.lowerBound) }
  }
}
