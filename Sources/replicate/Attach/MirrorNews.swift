import HotReload
import Synchronization

/// What a mirror tells on its own thread, kept for the thread that talks to the client.
final class MirrorNews: Sendable {
  struct Contents {
    /// What came of the writes, in the order in which they were submitted.
    var commits: [DocumentView.Commit] = []
    /// What came of the flushes, in the order in which they were asked for.
    var flushes: [Problem?] = []
    /// The newest change; those before it are forgotten.
    var change: DocumentView.Change?
    var problems: [ProblemEvent] = []
    var notices: [Notice] = []
    /// Whether the mirror is closed, and tells nothing more.
    var isClosed = false
  }

  private let contents = Mutex((news: Contents(), isNew: false))
  private let waker: Waker

  /// - Parameter waker: Woken by the first news since they were taken.
  init(waker: Waker) { self.waker = waker }

  /// Adds something.
  func add(_ body: (inout Contents) -> Void) {
    let isFirst = contents.withLock { contents in
      body(&contents.news)
      defer { contents.isNew = true }
      return !contents.isNew
    }
    if isFirst { waker.wake() }
  }

  /// Hands over everything since the last time.
  func take() -> Contents {
    contents.withLock { contents in
      defer { contents = (Contents(), false) }
      return contents.news
    }
  }
}
