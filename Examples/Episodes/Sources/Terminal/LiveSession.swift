import HotReload
import StoreCore
import StoreRouting
import TerminalScreen

/// The app on a terminal, from the first screen to the end: keys become actions, and states become screens.
final class LiveSession {
  private let terminal: Terminal
  private let inbox = Inbox()
  private let store: AppStore
  private let interface: InterfaceStore
  private let router: Router
  private let travel = AppTravel(limit: 1_000, merge: AppTravel.merging)
  private var isTravelling = false
  private var trouble: String?
  private var screen: Screen
  private var problems: [Problem.Code: Problem] = [:]
  /// What became of the last save, until something else changes.
  private var notice: Notice?
  /// Why it is over; nil: the user has had enough.
  private(set) var ending: Inbox.Ending?

  init(file: String, recording: String?, terminal: Terminal) throws {
    self.terminal = terminal
    let mirror = HotReload<App, AppAction>(file: file, timeout: .seconds(3))
    // Before the file is joined, as what nobody listens to is written across the screen.
    inbox.follow(mirror.problems)
    inbox.follow(mirror.notices)
    store = try .mirrored(in: mirror, travel: travel, recording: recording)
    interface = store.with(Interface(), reducer: interfaceReducer, action: \.app)
    router = Router(store, route: \.route, action: AppAction.route, root: AppCoordinator(store)) { [store] problem in
      store.dispatch(.report("\(problem)"))
    }
    screen = Screen(state: interface.state, file: file)
  }

  /// Runs until a key or a signal ends it, and then commits what isn't in the file yet.
  ///
  /// - Throws: what kept the last actions out of the file.
  func run() async throws {
    do {
      terminal.takeOver()
      defer { terminal.giveBack() }
      let subscriptions = [
        store.subscribe { [inbox] _, cause in inbox.put { $0.cause = cause } },
        interface.subscribe { [inbox] _, _ in inbox.put { _ in } },
      ]
      let (keyboard, signals) = (Keyboard(of: terminal, inbox.receive), Signals(on: terminal, inbox.receive))
      for await _ in inbox.wakes {
        guard take(inbox.take()) else { break }
      }
      withExtendedLifetime((subscriptions, keyboard, signals)) {}
    }
    await router.close()
    try await interface.close()
    try await store.close()
  }

  /// Takes in what has happened, and shows what it led to. False: that was all.
  private func take(_ news: Inbox.Content) -> Bool {
    ending = news.ending
    guard ending == nil, news.keys.allSatisfy(press) else { return false }
    for event in news.problems {
      switch event {
      case .occurred(let problem): problems[problem.code] = problem
      case .resolved(let code): problems[code] = nil
      }
    }
    notice = news.notice ?? (news.cause == nil ? notice : nil)
    screen.problems = problems.values.map(\.description).sorted() + (notice.map { [$0.message] } ?? [])
    screen.cause = news.cause ?? screen.cause
    screen.state = interface.state
    screen.timeline = timeline
    let size = terminal.size
    terminal.show(screen.lines(size: size), size: size)
    return true
  }

  /// Does what a key is for. False: it ends the app.
  private func press(_ key: Key) -> Bool {
    for command in Keymap.commands(for: key, interface.state, timeline) {
      switch command {
      case .dispatch(let action): interface.dispatch(action)
      case .post(let draft): store.dispatch(postComment(draft, by: store.state.session.user.name))
      case .travel(let move):
        isTravelling = move != .close
        do {
          try travel.make(move)
          trouble = nil
        } catch {
          trouble = "\(error)"
        }
      case .quit: return false
      }
    }
    return true
  }

  private var timeline: Timeline? { isTravelling ? Timeline(travel, trouble: trouble) : nil }
}
