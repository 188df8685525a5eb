import Synchronization

extension FileWatcher {
  /// Where the hub leaves what happened, from whatever thread.
  final class Mailbox: InotifyHub.Listener {
    /// What must be watched anew.
    enum Staleness: Comparable {
      case none
      /// Another file may stand at the end of the way.
      case file
      /// The path may lead another way.
      case way
    }

    struct News {
      var dirty = Dirty.clean
      var staleness = Staleness.none
      /// Whether more has happened than that another file may stand there.
      var isMore = false
      /// Whether the watcher's own thread will look in a moment, and needs no waking.
      fileprivate var isExpected = false
    }

    private let waker: Waker
    private let news = Mutex(News())

    init(_ waker: Waker) { self.waker = waker }

    func hear(_ event: InotifyHub.Event) {
      let isNews = news.withLock { news in
        defer {
          switch event {
          case .modified:
            news.dirty = max(news.dirty, .afterQuiet)
            news.isMore = true
          case .closed:
            news.dirty = .now
            news.isMore = true
          case .replaced(.file), .replaced(.target):
            news.dirty = .now
            news.staleness = max(news.staleness, .file)
          case .lost, .moved, .replaced:
            news.dirty = .now
            news.staleness = .way
            news.isMore = true
          }
        }
        return news.dirty != .now && !news.isExpected
      }
      if isNews { waker.wake() }
    }

    /// Promises to call `take()` next.
    func expect() { news.withLock { $0.isExpected = true } }

    func take() -> News {
      news.withLock { news in
        defer { news = News() }
        return news
      }
    }
  }
}
