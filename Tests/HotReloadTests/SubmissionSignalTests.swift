import StoreCore
import Synchronization
import TestSupport
import TestThreads
import Testing

@testable import HotReload

@Suite(.ownThreads, .timeLimit(.minutes(10)))
struct `What is submitted` {
  private typealias Queue = SubmissionQueue<Int, Int>

  private func actions(_ submissions: [Submission<Int, Int>]) -> [Int] {
    submissions.compactMap { if case .action(let action) = $0 { action } else { nil } }
  }

  /// Each round, a thread submits one and waits until it was taken, and so the driver goes to sleep again and again in the
  /// moment in which another comes.
  @Test func `while the driver goes to sleep is taken`() throws {
    let queue = Queue()
    queue.open()
    let threads = 3
    let rounds = 4_000
    let waker = try Waker()
    queue.signal.attach(waker)
    let answers = try (0..<threads).map { _ in try Waker() }
    let taken = Mutex([Int](repeating: 0, count: threads))
    let isLate = Atomic<Bool>(false)
    let driver = try DriverThread(name: "driver") {
      var count = 0
      while count < threads * rounds {
        if queue.signal.lower() {
          for thread in actions(queue.take().elements) {
            count += 1
            taken.withLock { $0[thread] += 1 }
            answers[thread].wake()
          }
          continue
        }
        guard (try? Poller.wait(for: [waker.rawDescriptor], until: TestPatience.deadline)) == true
        else {
          return isLate.store(true, ordering: .relaxed)
        }
        waker.reset()
      }
    }
    let submitters = try (0..<threads).map { thread in
      try DriverThread(name: "submitter \(thread)") {
        for round in 1...rounds {
          queue.submit(thread)
          while !isLate.load(ordering: .relaxed), taken.withLock({ $0[thread] }) < round {
            _ = try? Poller.wait(for: [answers[thread].rawDescriptor], until: MonotonicClock.now() + 1_000_000_000)
            answers[thread].reset()
          }
        }
      }
    }
    for thread in submitters + [driver] { thread.join() }
    let wasLate = isLate.load(ordering: .relaxed)
    #expect(!wasLate)
    #expect(taken.withLock { $0 } == [Int](repeating: rounds, count: threads))
  }

  @Test func `before there is a driver is known to the one that comes`() throws {
    let queue = Queue()
    queue.submit(1)
    queue.open()
    #expect(!queue.signal.lower())
    queue.submit(2)
    queue.signal.attach(try Waker())
    #expect(queue.signal.lower())
    #expect(actions(queue.take().elements) == [2])
  }

  @Test(arguments: [0, 1, 1_023, 1_024, 1_025, 2_048, 5_000])
  func `is in order, and counted, whatever its number`(count: Int) {
    let queue = Queue()
    queue.open()
    for action in 0..<count { queue.submit(action) }
    #expect(queue.count == count)
    for start in [0, count / 2, max(0, count - 1), count] {
      #expect(actions(queue.elements(from: start)) == Array(start..<count))
    }
    #expect(actions(queue.take().elements) == Array(0..<count))
    #expect(queue.count == 0)
    #expect(queue.elements(from: 0).isEmpty)
  }

  @Test func `after a change that isn't told is only taken with the state`() {
    let queue = Queue()
    queue.open()
    queue.submit(1)
    queue.submitChange()
    queue.submit(2)
    #expect(queue.takeUnlessIncomplete() == nil)
    #expect(actions(queue.take().elements) == [1, 2])
    queue.submit(3)
    #expect(queue.takeUnlessIncomplete().map { actions($0.elements) } == [3])
    // What came from the file is known.
    queue.expectPublication(true)
    queue.submitChange()
    #expect(queue.takeUnlessIncomplete() != nil)
  }
}
