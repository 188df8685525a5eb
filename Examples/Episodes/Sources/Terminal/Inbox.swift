import HotReload
import StoreCore
import Synchronization
import TerminalScreen

/// What has happened since somebody looked last, from whatever thread.
///
/// However much it is, the screen is drawn once for all of it.
final class Inbox: Sendable {
  struct Content: Sendable {
    var keys: [Key] = []
    /// Where the app's state has its last change from, if there was one.
    var cause: Cause?
    var problems: [ProblemEvent] = []
    /// The newest, if there is one.
    var notice: Notice?
    var ending: Ending?
  }

  /// Why the app should end.
  enum Ending: Sendable, Equatable {
    case signal(Int32)
    case terminalGone
  }

  private let content = Mutex(Content())
  private let wake: AsyncStream<Void>.Continuation
  /// An element whenever there may be something.
  let wakes: AsyncStream<Void>

  init() {
    (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
  }

  func put(_ change: (inout Content) -> Void) {
    content.withLock { change(&$0) }
    wake.yield()
  }

  func take() -> Content {
    content.withLock { content in
      defer { content = Content() }
      return content
    }
  }

  /// Takes in keys; nil if there is no terminal any more.
  @Sendable func receive(_ keys: [Key]?) {
    put { content in
      if let keys { content.keys += keys } else { content.ending = content.ending ?? .terminalGone }
    }
  }

  /// Takes in a signal: one that doesn't end the app makes it look at the terminal again.
  @Sendable func receive(_ signal: Int32) {
    put { content in
      if Signals.ending.contains(signal) { content.ending = .signal(signal) }
    }
  }

  /// Takes in the problems of the mirrored file, until there can be no more.
  func follow(_ events: AsyncStream<ProblemEvent>) {
    Task { for await event in events { put { $0.problems.append(event) } } }
  }

  /// Takes in what became of saves, until there can be no more.
  func follow(_ notices: AsyncStream<Notice>) {
    Task { for await notice in notices { put { $0.notice = notice } } }
  }
}
