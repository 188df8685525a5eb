import TestSupport

/// Who goes on next, and what time it is: all of it follows from a seed.
///
/// One thread of the simulated processes runs at a time: the one that holds the baton. It passes it on where it makes a system
/// call, or waits in one, if the seed says so.
///
/// Everything of a simulation is touched by the thread with the baton alone, so nothing in it needs a lock.
package final class Scheduler {
  /// What may happen to those who run.
  package struct Weather {
    /// A call takes up to so many nanoseconds.
    package var pace = 20_000
    /// How many calls of ten a thread makes without others being asked whether they want to go on.
    package var stickiness = 0

    package init() {}
  }

  package var random: SplitMix64
  package var weather = Weather()
  /// Nanoseconds since the machines were started.
  package private(set) var now: UInt64 = 1_000_000_000
  /// How many calls were made.
  package private(set) var calls = 0
  /// Called before each call of a thread that has the baton, which may be killed or stopped there.
  package var beforeCall: (SimulatedThread, SystemCall) -> Void = { _, _ in }
  /// Told of each call, of what it was about, and what it came to, which is negative where it failed; nil where nobody follows the run.
  package var onCall: ((SimulatedThread, SystemCall, String, Int) -> Void)?
  /// Called when nobody can ever go on.
  package var onStandstill: () -> Void = {}

  private(set) var current: SimulatedThread?
  private var threads: [SimulatedThread] = []
  /// Where whoever started the simulation waits for its end.
  private let end = Semaphore()
  /// Those who can go on, while one of them is chosen.
  private var ready: [SimulatedThread] = []

  package init(seed: UInt64) { random = SplitMix64(seed: seed) }

  // MARK: Threads

  /// Makes a thread of a process, which begins when it is chosen.
  func start(in process: SimulatedProcess, _ body: @escaping () -> Void) -> SimulatedThread {
    let thread = SimulatedThread(in: process, on: self, body)
    threads.append(thread)
    process.threads.append(thread)
    thread.launch()
    return thread
  }

  /// Lets those who were started run, until one of them calls ``finish()``. To be called outside of the simulation.
  package func run() {
    guard let next = choose() else { return }
    current = next
    next.baton.post()
    end.wait()
    // Those who are told know the scheduler.
    (beforeCall, onCall, onStandstill) = ({ _, _ in }, nil, {})
  }

  /// Ends the simulation: whoever has not come to an end stays where it is.
  package func finish() -> Never {
    end.post()
    SimulatedThread.park()
  }

  /// The thread with the baton has done its work.
  func retire(_ thread: SimulatedThread) {
    thread.hasEnded = true
    threads.removeAll { $0 === thread }
    thread.process.threads.removeAll { $0 === thread }
    passOn(from: nil)
  }

  /// Threads never go on, as their process is no more. Where the one with the baton is among them, this doesn't return.
  func abandon(_ dead: [SimulatedThread]) {
    threads.removeAll { thread in dead.contains { $0 === thread } }
    guard let current, dead.contains(where: { $0 === current }) else { return }
    passOn(from: nil)
    SimulatedThread.park()
  }

  // MARK: The baton

  /// A thread is about to make a call: it takes some time, and others may go on before it.
  func enter(_ call: SystemCall, _ thread: SimulatedThread) {
    calls += 1
    now += UInt64(random.below(weather.pace))
    guard call.isInterruptible else { return }
    beforeCall(thread, call)
    if random.below(10) < weather.stickiness, !thread.process.isStopped(at: now) { return }
    passOn(from: thread)
  }

  /// Waits until a condition holds, or until a time has come.
  ///
  /// - Returns: Whether it holds.
  @discardableResult
  func wait(_ thread: SimulatedThread, until deadline: UInt64 = .max, for condition: @escaping () -> Bool) -> Bool {
    thread.wait = SimulatedThread.Wait(deadline: deadline, condition: condition)
    passOn(from: thread)
    thread.wait = nil
    return condition()
  }

  /// Hands the baton to whoever is chosen, and waits until it comes back; where it comes from nobody, it isn't waited for.
  private func passOn(from thread: SimulatedThread?) {
    guard let next = choose() else {
      onStandstill()
      // Nobody is left who could tell what came of it.
      end.post()
      SimulatedThread.park()
    }
    if next === thread { return }
    current = next
    next.baton.post()
    thread?.baton.wait()
  }

  /// One of those who can go on; where nobody can, the time goes on until somebody can.
  private func choose() -> SimulatedThread? {
    while true {
      ready.removeAll(keepingCapacity: true)
      var next = UInt64.max
      for thread in threads {
        let stop = thread.process.stoppedUntil
        if stop > now {
          next = min(next, stop)
        } else if let wait = thread.wait, wait.deadline > now, !wait.condition() {
          next = min(next, wait.deadline)
        } else if let hurry = thread.process.hurry, hurry <= now {
          return thread
        } else {
          ready.append(thread)
        }
      }
      if !ready.isEmpty { return ready.count == 1 ? ready[0] : random.pick(ready) }
      guard next != .max else { return nil }
      now = next
    }
  }
}
