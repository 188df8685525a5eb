import Measuring
import StoreCore
import Synchronization

/// What somebody writes who has no store: a lock around the state, a closure that changes it, and a list of closures that
/// told what came of it, outside of the lock. The unit of all costs.
final class Bare: Sendable {
  private struct Core: Sendable {
    var state = App()
    var listeners: [@Sendable (App) -> Void] = []
  }

  private let core = Mutex(Core())
  private let reducer: @Sendable (inout App, Action) -> Void = reduce

  func dispatch(_ action: Action) {
    let heard: Core? = core.withLock { core in
      reducer(&core.state, action)
      return core.listeners.isEmpty ? nil : core
    }
    guard let heard else { return }
    for listener in heard.listeners { listener(heard.state) }
  }

  func listen(_ listener: @escaping @Sendable (App) -> Void) {
    core.withLock { $0.listeners.append(listener) }
  }
}

func plain() -> Topic {
  let bare = Bare()
  let store = Store(App(), reducer: reduce)
  let observed = Store(App(), reducer: reduce)
  _ = observed.state
  return Topic(
    "Nothing but a store",
    [
      Subject("bare again, as a measure of the measuring") { bare.dispatch(.add(1)) },
      Subject("a store") { store.dispatch(.add(1)) },
      Subject("observed, as its `state` was read once") { observed.dispatch(.add(1)) },
      Subject("reading its `state`, which has it observed") { _ = observed.state },
      Subject("`withState`") { store.withState { _, _ in } },
    ])
}
