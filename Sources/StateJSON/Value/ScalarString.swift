/// A string that is equal only to a string of the same Unicode scalars, where `String` compares canonical equivalents
/// as equal.
package struct ScalarString: Hashable, Sendable {
  /// The string as it is.
  package let string: String

  /// Makes a key of a string.
  package init(_ string: String) { self.string = string }

  package static func == (left: Self, right: Self) -> Bool { left.string.hasSameScalars(as: right.string) }

  package func hash(into hasher: inout Hasher) {
    string.withContiguousUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

extension String {
  /// Whether both strings consist of the same Unicode scalars; `==` would also accept canonical equivalents.
  func hasSameScalars(as other: String) -> Bool {
    let (left, right) = (utf8, other.utf8)
    guard left.count == right.count else { return false }
    // Nearly all keys are contiguous; comparing bytes takes a fraction of what an iterator over each does.
    let areEqual = left.withContiguousStorageIfAvailable { left in
      right.withContiguousStorageIfAvailable { right in left.indices.allSatisfy { left[$0] == right[$0] } }
    }
    return (areEqual ?? nil) ?? left.elementsEqual(right)
  }
}
