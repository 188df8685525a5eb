/// A text put together from ranges of another text and new pieces.
///
/// Adjacent ranges become one, so that the cost is that of the changes, however deep the containers around them.
struct JSONPatchwork {
  private enum Piece {
    case source(Range<Int>)
    case new([UInt8])
  }

  private var pieces: [Piece] = []

  mutating func append(source range: Range<Int>) {
    guard !range.isEmpty else { return }
    if case .source(let last) = pieces.last, last.upperBound == range.lowerBound {
      pieces[pieces.count - 1] = .source(last.lowerBound..<range.upperBound)
    } else {
      pieces.append(.source(range))
    }
  }

  mutating func append(_ new: [UInt8]) {
    if !new.isEmpty { pieces.append(.new(new)) }
  }

  mutating func append(_ other: JSONPatchwork) {
    for piece in other.pieces {
      switch piece {
      case .source(let range): append(source: range)
      case .new(let bytes): append(bytes)
      }
    }
  }

  func bytes(from source: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    let count = pieces.reduce(0) { sum, piece in
      switch piece {
      case .source(let range): sum + range.count
      case .new(let bytes): sum + bytes.count
      }
    }
    result.reserveCapacity(count)
    for piece in pieces {
      switch piece {
      case .source(let range): result.append(contentsOf: UnsafeBufferPointer(rebasing: source[range]))
      case .new(let bytes): result.append(contentsOf: bytes)
      }
    }
    return result
  }
}
