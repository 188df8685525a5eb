import Measuring
import StoreCore

/// A middleware that needs nothing.
private struct Idle: Middleware {
  typealias State = App
  typealias Action = DispatchCost.Action
}

func middleware() throws -> Topic {
  func subject(_ name: String, _ middleware: any Middleware<App, Action>, _ action: Action = .add(1)) throws -> Subject
  {
    let store = try Store(App(), reducer: reduce, middleware: [middleware])
    return Subject(name) { store.dispatch(action) }
  }
  let key: @Sendable (Action) -> Int? = { $0.part == nil ? nil : 0 }
  return Topic(
    "Middleware",
    [
      try subject("one of your own that does nothing", Idle()),
      try subject("`Hooks`", Hooks()),
      try subject("`Interceptor`", Interceptor { action, next in next(action) }),
      try subject("`Interceptor` with the store", Interceptor { action, _, next in next(action) }),
      try subject("`Logger` of actions, printing nowhere", Logger(actionsTo: { _ in })),
      try subject("`Logger` of differences, printing nowhere", Logger(to: { _ in })),
      try subject("`DebounceActions`, another action", DebounceActions(for: .seconds(60), by: key)),
      try subject("`DebounceActions`, held back", DebounceActions(for: .seconds(60), by: key), .part(.add(1))),
      try subject("`ThrottleActions`, held back", ThrottleActions(for: .seconds(60), by: key), .part(.add(1))),
      try subject("`MiddlewareSlot`, empty", MiddlewareSlot()),
      try subject("`MiddlewareSlot` with `Hooks`", MiddlewareSlot([Hooks()])),
    ])
}
