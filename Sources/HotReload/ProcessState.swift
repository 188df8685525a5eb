import Synchronization

/// The state that all threads of a process share.
package final class ProcessState: Sendable {
  /// The descriptor of all who watch a file.
  let hub = InotifyHub()
  /// Another one, for those who look after a share: what happens to a file wakes all who wait for the descriptor, and they need only
  /// hear of the folder.
  let hubOfSharers = InotifyHub()
  private let foundMachine = Mutex<String?>(nil)

  package init() {}

  /// The machine that it runs on, as ``Machine/identify()`` has found out; nil before that.
  var machine: String? {
    get { foundMachine.withLock { $0 } }
    set { foundMachine.withLock { $0 = newValue } }
  }

  private static let own = ProcessState()

  /// The state of the calling process.
  static var current: ProcessState {
    System.calls.processState().map { Unmanaged.fromOpaque($0).takeUnretainedValue() } ?? own
  }
}
