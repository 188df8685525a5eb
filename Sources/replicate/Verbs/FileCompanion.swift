import HotReload
import Synchronization

/// Another file that is followed along with the one that somebody waits for news of.
final class FileCompanion: Sendable {
  let file: String
  private let mirror: DocumentMirror
  private let news: Box

  private final class Box: Sendable {
    let waiting = Mutex(DocumentObserver.News())
  }

  /// Joins the file; whoever waits on the observer is woken by its news as well.
  init(_ file: String, options: ReplicatorOptions, beside observer: DocumentObserver) throws(Failure) {
    let news = Box()
    self.file = file
    self.news = news
    do throws(Problem) {
      mirror = try DocumentMirror(options: options) { change in
        news.waiting.withLock { $0.add(change, []) }
        observer.wake()
      } onProblem: { event in
        news.waiting.withLock { $0.problems.append(event.forOnlookers) }
        observer.wake()
      } onNotice: { notice in
        news.waiting.withLock { $0.notices.append(notice) }
        observer.wake()
      }
    } catch {
      throw Failure(error)
    }
  }

  /// Hands over what is new.
  func next() -> DocumentObserver.News {
    news.waiting.withLock { news in
      defer { news = DocumentObserver.News() }
      return news
    }
  }

  /// Leaves, and waits until that is done.
  func close(within timeout: Duration) throws {
    let isClosed = try Waker()
    // There is nothing to write that could be left over.
    mirror.close(within: timeout) { _ in isClosed.wake() }
    try Poller.wait(for: [isClosed.rawDescriptor], until: nil)
  }
}
