import Synchronization

/// Tells that something in a folder may have changed. Use it from one thread, and look at the folder: it only says *that*.
final class FolderWatcher {
  private final class Mailbox: InotifyHub.Listener {
    private let waker: Waker
    let isDirty = Atomic<Bool>(false)
    let isLost = Atomic<Bool>(false)

    init(_ waker: Waker) { self.waker = waker }

    func hear(_ event: InotifyHub.Event) {
      if event != .modified { isLost.store(true, ordering: .releasing) }
      if !isDirty.exchange(true, ordering: .acquiringAndReleasing) { waker.wake() }
    }
  }

  let path: String
  private let mailbox: Mailbox
  private let hub: InotifyHub
  /// Whether changes may go unnoticed, so that the folder must be looked at now and then.
  let isBlind: Bool

  /// Begins to watch a folder. The waker is woken when another watcher's thread was handed an event for this one.
  init(path: String, waker: Waker, hub: InotifyHub) {
    self.path = path
    mailbox = Mailbox(waker)
    self.hub = hub
    var isBlind = (try? FileSystemKind(at: path))?.changesBehindOurBack ?? true
    do throws(SystemError) {
      try hub.watch([.init(path: path, role: .contents)], for: mailbox)
    } catch {
      isBlind = true
    }
    self.isBlind = isBlind
  }

  /// Whether another folder may stand at the path: then make another watcher.
  var isLost: Bool { mailbox.isLost.load(ordering: .acquiring) }

  deinit { hub.unwatch(mailbox) }

  /// The descriptor to wait for in `Poller`, besides the waker: then call ``drain()``.
  var rawDescriptor: Int32 { hub.rawDescriptor }

  /// Whether anything has happened since the last call.
  func drain() -> Bool {
    hub.pump()
    return mailbox.isDirty.exchange(false, ordering: .acquiringAndReleasing)
  }
}
