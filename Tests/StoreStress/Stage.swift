import StoreCore
import Synchronization

struct App: Sendable, Equatable {
  var count = 0
  var isOn = false
}

enum AppAction: Sendable, Equatable {
  case add
  /// Leads to so many others, one after another.
  case chain(Int)
  case toggle
  /// Adds later, unless that is cancelled.
  case start(id: Int)
  case cancel(id: Int)
}

typealias Upper = Store<NodeState<App, Int>, AppAction>
typealias Leaf = Store<NodeState<NodeState<App, Int>, Int>, AppAction>

/// What all threads use: a tree of three levels, with middleware, effects and a slot, and what it must have counted in the end.
final class Stage: Sendable {
  let root: Store<App, AppAction>
  let upper: Upper
  let leaves: [Leaf]
  let tools: MiddlewareSlot<App, AppAction>
  /// How many times `add` was, or will be, dispatched.
  let added = Counter()
  /// The same for each leaf, through it.
  let own: [Counter]
  private let kept = Mutex<Subscription?>(nil)

  final class Counter: Sendable {
    private let count = Atomic<Int>(0)

    var value: Int { count.load(ordering: .relaxed) }

    func increment(by number: Int = 1) { count.add(number, ordering: .relaxed) }
  }

  init() throws {
    let tools = MiddlewareSlot<App, AppAction>()
    self.tools = tools
    root = try Store(
      App(),
      effects: { app, action in
        switch action {
        case .add: app.count += 1
        case .chain(let left): return left == 0 ? .none : .merge(.send(.chain(left - 1)), .none)
        case .toggle: app.isOn.toggle()
        case .start(let id):
          return .run { _ in await Task.yield() }.cancellable(id: id, cancelInFlight: id % 2 == 0)
        case .cancel(let id): return .cancel(id: id)
        }
        return .none
      }, middleware: [tools, Order()])
    let reducer = Reducer<Int, AppAction> { count, action in if action == .add { count += 1 } }
    upper = root.with(0, reducer: reducer)
    leaves = try (0..<3).map { [upper] number in
      try upper.with(0, reducer: reducer, middleware: number == 0 ? [] : [Order<NodeState<NodeState<App, Int>, Int>>()])
    }
    own = (0..<3).map { _ in Counter() }
  }

  /// Has the store keep those who keep the store: it must let go of them when it is closed.
  func beKept() {
    let subscription = root.subscribe { [self] (app: App) in
      check(app.count <= added.value, "more was added than dispatched")
    }
    kept.withLock { $0 = subscription }
    root.effect(toggle: \.isOn, owner: .local) { [self] _, _ in withExtendedLifetime(self) {} }
  }

  /// Puts other middleware into the slot, again and again, until the task is cancelled.
  func replaceTools() async {
    var number = 0
    while !Task.isCancelled {
      number += 1
      do {
        try await tools.replace(with: (0..<(number % 3)).map { _ in Order() })
      } catch {
        fail("the slot: \(error)")
      }
      await Task.yield()
    }
  }
}

/// Hears of all changes in their order, without gaps, and passes each action on.
final class Order<State: Sendable>: Middleware {
  private let last = Atomic<UInt64>(0)

  func dispatch(_ action: AppAction, next: @escaping @Sendable (AppAction) -> Void) {
    next(action)
  }

  func changed(_ change: Change<State, AppAction>, state: borrowing State) {
    let before = last.exchange(change.version, ordering: .relaxed)
    check(before == 0 || change.version == before + 1, "change \(change.version) came after \(before)")
  }
}
