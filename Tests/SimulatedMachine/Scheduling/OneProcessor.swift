import CLinux

/// The processor that all of a simulation runs on: whoever has the baton passes it on in the fifth part of the time there.
package enum OneProcessor {
  /// Keeps the calling thread, and all that it starts, on one of the processors that it may use.
  ///
  /// - Parameter number: Which of them; counted anew where there are fewer.
  package static func take(_ number: Int) {
    // For as many processors as Linux can have.
    var allowed = [UInt64](repeating: 0, count: 128)
    let size = allowed.count * MemoryLayout<UInt64>.size
    guard sched_getaffinity(0, size, &allowed) == 0 else { return }
    let usable = (0..<size * 8).filter { allowed[$0 / 64] >> UInt64($0 % 64) & 1 == 1 }
    guard !usable.isEmpty else { return }
    let chosen = usable[number % usable.count]
    var only = [UInt64](repeating: 0, count: 128)
    only[chosen / 64] = 1 << UInt64(chosen % 64)
    // Where that is forbidden, it only takes longer.
    _ = sched_setaffinity(0, size, only)
  }
}
