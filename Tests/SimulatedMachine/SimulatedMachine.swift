/// A call that fails.
package struct Fault {
  package let errno: Int32
  /// Whether what it was to do is done all the same, as where a network loses an answer.
  package let isDone: Bool

  package init(_ errno: Int32, isDone: Bool = false) { (self.errno, self.isDone) = (errno, isDone) }
}

/// A simulated machine: a file system, a clock, and the processes that run on it.
package final class SimulatedMachine {
  package let name: String
  package let scheduler: Scheduler
  package let files: FileSystem
  /// Decides which calls fail, and how; nil where none does.
  package var fault: ((SimulatedProcess, SystemCall, String) -> Fault?)?
  /// Decides how many bytes are read or written at once, at most.
  package var transferLimit: (Int) -> Int = { $0 }
  /// Decides what becomes of a notification.
  package var losesNotification: () -> Bool = { false }
  package var doublesNotification: () -> Bool = { false }
  private var lastProcess: Int32 = 100
  /// What its clock says when the simulation begins, in nanoseconds since 1970.
  private static let bootTime: Int64 = 1_800_000_000_000_000_000

  package init(_ name: String, on scheduler: Scheduler) {
    (self.name, self.scheduler) = (name, scheduler)
    files = FileSystem { Self.bootTime + Int64(scheduler.now) }
  }

  /// The time of day, in nanoseconds since 1970.
  package var time: Int64 { Self.bootTime + Int64(scheduler.now) }

  /// Starts a process, whose first thread does what is given; the process ends with it.
  @discardableResult
  package func start(_ name: String, user: UInt32 = 1000, _ body: @escaping (SimulatedProcess) -> Void)
    -> SimulatedProcess
  {
    lastProcess += 1
    let process = SimulatedProcess(name, identifier: lastProcess, user: user, on: self)
    _ = scheduler.start(in: process) { [unowned process] in
      body(process)
      process.end()
    }
    return process
  }
}
