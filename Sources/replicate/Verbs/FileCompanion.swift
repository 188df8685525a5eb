import HotReload

/// Another file that is followed along with the one that somebody waits for news of.
final class FileCompanion: Sendable {
  let file: String
  private let mirror: DocumentMirror
  private let news: DocumentObserver.News.Box

  /// Joins the file; whoever waits on the observer is woken by its news as well.
  init(_ file: String, options: ReplicatorOptions, beside observer: DocumentObserver) throws(Problem) {
    self.file = file
    news = DocumentObserver.News.Box([], wake: observer.wake)
    mirror = try DocumentMirror(options: options, tell: news.add)
  }

  /// Hands over what is new.
  func next() -> DocumentObserver.News { news.take() }

  /// Leaves, and waits until that is done.
  func close(within timeout: Duration) throws {
    let isClosed = try Waker()
    // There is nothing to write that could be left over.
    mirror.close(within: timeout) { _ in isClosed.wake() }
    try Poller.wait(for: [isClosed.rawDescriptor], until: nil)
  }
}
