import HotReload
import Synchronization
import TerminalScreen

/// The wish of a signal that the process ends, told to code that waits in `poll` or that asks now and then.
///
/// The first signal only tells; a second interrupt ends the process at once, the terminal restored.
final class Interruption: Sendable {
  private let received = Atomic<Int32>(0)
  private let waker: Waker
  private let terminal: Terminal

  init(terminal: Terminal) throws(SystemError) {
    waker = try Waker()
    self.terminal = terminal
  }

  /// Becomes readable, for good, with the first signal.
  var descriptor: Int32 { waker.rawDescriptor }

  /// The signal that asked for the end, if there was one.
  var signal: Int32? {
    let number = received.load(ordering: .acquiring)
    return number == 0 ? nil : number
  }

  /// Takes note of a signal.
  func receive(_ number: Int32) {
    if received.compareExchange(expected: 0, desired: number, ordering: .acquiringAndReleasing).exchanged {
      waker.wake()
    } else if number == Signals.interrupt {
      terminal.giveBack()
      Signals.end(by: number)
    }
  }
}
