import CLinux

/// The processors that the calling thread may use, a bit each.
struct AllowedProcessors: Equatable {
  private(set) var words = [UInt64](repeating: 0, count: 128)

  /// For the calling thread.
  init() { _ = sched_getaffinity(0, size, &words) }

  init(only processor: Int32) { words[Int(processor) / 64] = 1 << UInt64(processor % 64) }

  /// Has the calling thread use these.
  func apply() { _ = sched_setaffinity(0, size, words) }

  var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

  private var size: Int { words.count * MemoryLayout<UInt64>.size }
}
