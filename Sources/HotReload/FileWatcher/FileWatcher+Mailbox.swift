import Synchronization

extension FileWatcher {
  /// Where the hub leaves what happened, from whatever thread.
  final class Mailbox: InotifyHub.Listener {
    struct News {
      var dirty = Dirty.clean
      /// Whether the path may mean another file, so that it must be watched anew.
      var isStale = false
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
          case .modified: news.dirty = max(news.dirty, .afterQuiet)
          case .closed: news.dirty = .now
          case .lost, .moved, .replaced:
            news.dirty = .now
            news.isStale = true
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
