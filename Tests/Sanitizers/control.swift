// What the sanitizers must find, and what they must not: `scripts/check thread` runs it before it believes them.
//
//   control clean    counts under a contended lock
//   control race     also counts without it
//   control memory   reads memory that was given back

import Glibc
import Synchronization

final class Counter: @unchecked Sendable {
  let guarded = Mutex(0)
  /// Changed only while `guarded` is locked, which the compiler can't know.
  var alsoGuarded = 0
  var unguarded = 0
}

@main
enum Control {
  static func main() {
    switch CommandLine.arguments.dropFirst().first {
    case "clean": count(races: false)
    case "race": count(races: true)
    case "memory": readFreed()
    default: exit(2)
    }
  }

  private static func count(races: Bool) {
    let counter = Counter()
    let job: @Sendable () -> Void = {
      for _ in 0..<20_000 {
        counter.guarded.withLock { count in
          count += 1
          counter.alsoGuarded += 1
        }
        if races { counter.unguarded += 1 }
      }
    }
    let threads = (0..<4).map { _ in start(job) }
    for thread in threads { pthread_join(thread, nil) }
    guard counter.guarded.withLock({ $0 == counter.alsoGuarded }) else { exit(3) }
  }

  private static func start(_ job: @escaping @Sendable () -> Void) -> pthread_t {
    var thread = pthread_t()
    let box = Unmanaged.passRetained(Box(job))
    let code = pthread_create(
      &thread, nil,
      { box in
        Unmanaged<Box>.fromOpaque(box!).takeRetainedValue().job()
        return nil
      }, box.toOpaque())
    precondition(code == 0, "a thread is needed")
    return thread
  }

  private final class Box: Sendable {
    let job: @Sendable () -> Void
    init(_ job: @escaping @Sendable () -> Void) { self.job = job }
  }

  private static func readFreed() {
    let memory = UnsafeMutablePointer<Int>.allocate(capacity: 4)
    memory.initialize(repeating: 7, count: 4)
    memory.deallocate()
    print(memory[Int(getpid() & 3)])
  }
}
