import CLinux

/// The memory that the C library gives out.
package enum HeapMemory {
  /// Has each large part of it given back to the system as soon as nobody needs it, and not kept for the next. The corresponding C
  /// function is `mallopt`.
  ///
  /// For a program that holds a document for long, and needs several times as much for a moment.
  package static func returnLargeParts() { mallopt(M_MMAP_THRESHOLD, 1 << 20) }
}
