import StoreCore
import TestThreads
import Testing

/// Calls that must not be made from inside the store's lock, and the sentence that says so.
enum Misuse: String, CaseIterable, Codable, Sendable {
  case dispatchInReducer =
    "dispatch was called from inside a reducer; a reducer may only use the state and the action it is given"
  case stateInReducer =
    "state was read from inside a reducer; a reducer may only use the state and the action it is given"
  case stateInChanged = "state was read from inside a middleware's changed(_:state:); use the state it is given"
  case rebaseInChanged = "rebase was called from inside a middleware's changed(_:state:); use the state it is given"
  case subscribeInRebase =
    "subscribe was called from inside rebase(cause:_:); use the state it passes, and call this when it has returned"
  case dispatchInWithState =
    "dispatch was called from inside withState(_:); use the state it passes, and call this when it has returned"

  func provoke() throws {
    let held = Shared<Store<Int, Int>?>(nil)
    let misuse = self
    let use: @Sendable () -> Void = {
      guard let store = held.value.withLock({ $0 }) else { return }
      switch misuse {
      case .dispatchInReducer, .dispatchInWithState: store.dispatch(2)
      case .stateInReducer, .stateInChanged: _ = store.state
      case .rebaseInChanged: store.rebase(cause: .restore) { _, _ in }
      case .subscribeInRebase: _ = store.subscribe { (_: Int) in }
      }
    }
    let isReducer = self == .dispatchInReducer || self == .stateInReducer
    let probe = Probe<Int, Int>(changed: { _, _ in if !isReducer { use() } })
    let store = try Store(
      0, reducer: { (_: inout Int, _: Int) in if isReducer { use() } }, middleware: [probe])
    held.value.withLock { $0 = store }
    switch self {
    case .subscribeInRebase: store.rebase(cause: .restore) { _, _ in use() }
    case .dispatchInWithState: store.withState { _, _ in use() }
    default: store.dispatch(1)
    }
  }
}

@Test(.ownThreads, arguments: Misuse.allCases)
func `a call from inside the lock traps with a sentence`(misuse: Misuse) async throws {
  let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) { [misuse] in
    try misuse.provoke()
  }
  #expect(String(decoding: result.standardErrorContent, as: UTF8.self).contains("Fatal error: \(misuse.rawValue)\n"))
}

@Test func `a store may use another from inside its own lock`() {
  let inner = Store([], reducer: appending)
  let outer = Store(
    0,
    reducer: { (state: inout Int, step: Int) in
      state += step
      inner.dispatch(state)
    })
  outer.dispatch(1)
  outer.dispatch(2)
  #expect(inner.state == [1, 3])
}
