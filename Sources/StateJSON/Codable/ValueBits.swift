/// The bits that a value consists of, with the value that they are of, which keeps alive and unchanged whatever they refer to.
///
/// Two values with the same bits are the same value. What a struct or an enum refers to, such as the elements of an array,
/// is either what the other refers to, or another one at another place: while a copy is kept here, its memory isn't given to
/// anything else, and nobody changes it who doesn't own it alone. That is so for values, and not for instances of classes,
/// which others may change. Bytes between the fields of a struct mean nothing; they are nought before a value is copied
/// to a place, and copied all in one way: should they differ, equal values seem to be others.
///
/// Sendable where the value is: the bits are written once, by `init`, and only read from then on.
final class ValueBits: @unchecked Sendable {
  private let bytes: UnsafeMutableRawBufferPointer
  private let deinitialize: (UnsafeMutableRawPointer) -> Void

  /// Copies a value.
  init<T>(_ value: T) {
    bytes = .allocate(byteCount: MemoryLayout<T>.size, alignment: MemoryLayout<T>.alignment)
    Self.copy(value, to: bytes)
    deinitialize = { $0.assumingMemoryBound(to: T.self).deinitialize(count: 1) }
  }

  deinit {
    // A value of no size has no memory, and refers to nothing.
    if let base = bytes.baseAddress { deinitialize(base) }
    bytes.deallocate()
  }

  /// Whether they are those of another value of the same type.
  func isSame(_ other: UnsafeRawBufferPointer) -> Bool {
    assert(other.count == bytes.count)
    return bytes.withMemoryRebound(to: UInt8.self) { bytes in
      other.withMemoryRebound(to: UInt8.self) { UnsafeBufferPointer(bytes).hasSameBytes(as: $0) }
    }
  }

  /// Lends the bits of a value to find something that has one index.
  ///
  /// Not generic over what is found: the library's generic result would have to be looked up each time.
  static func index<T>(of value: T, where body: (UnsafeRawBufferPointer) -> Int?) -> Int? {
    withUnsafeTemporaryAllocation(byteCount: MemoryLayout<T>.size, alignment: MemoryLayout<T>.alignment) { bytes in
      copy(value, to: bytes)
      defer { bytes.baseAddress?.assumingMemoryBound(to: T.self).deinitialize(count: 1) }
      return body(UnsafeRawBufferPointer(bytes))
    }
  }

  private static func copy<T>(_ value: T, to bytes: UnsafeMutableRawBufferPointer) {
    bytes.initializeMemory(as: UInt8.self, repeating: 0)
    // From where it is: on the way by a place of its own it would gather what lay there.
    withUnsafePointer(to: value) { source in
      // Trivial values are copied with what stands between them and a next one, for which there is no room here or there.
      if _isPOD(T.self) {
        bytes.copyMemory(from: UnsafeRawBufferPointer(start: source, count: bytes.count))
      } else {
        _ = bytes.baseAddress?.initializeMemory(as: T.self, from: source, count: 1)
      }
    }
  }
}
