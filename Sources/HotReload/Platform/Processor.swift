import CLinux

/// The processor that the calling thread is on.
enum Processor {
  /// Its number; it may be another one in an instant. The corresponding C function is `sched_getcpu`.
  static var current: Int32 { System.calls.sched_getcpu() }

  /// Moves the calling thread to another one of the processors that it may use now, if there is one, and leaves it to the kernel
  /// from then on. The corresponding C function is `sched_setaffinity`; where that is forbidden, the thread stays.
  static func leave() {
    // For as many processors as Linux can have.
    var allowed = [UInt64](repeating: 0, count: 128)
    let size = allowed.count * MemoryLayout<UInt64>.size
    guard System.calls.sched_getaffinity(0, size, &allowed) == 0 else { return }
    let (word, bit) = Int(current).quotientAndRemainder(dividingBy: UInt64.bitWidth)
    var others = allowed
    others[word] &= ~(1 << UInt64(bit))
    // Fails, to no effect, where there is no other.
    guard sched_setaffinity(0, size, others) == 0 else { return }
    _ = sched_setaffinity(0, size, allowed)
  }
}
