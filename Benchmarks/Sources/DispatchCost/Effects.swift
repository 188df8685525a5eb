import Measuring
import StoreCore

func effects() -> Topic {
  let none = Store(App()) { (app: inout App, action: Action) -> Effect<Action> in
    reduce(&app, action)
    return .none
  }
  let composed = Store(
    App(),
    effects: EffectReducer<App, Action>.combine(
      EffectReducer(Reducer(reduce)),
      EffectReducer { _, _ in .none }.scope(state: \.part, action: \.part, embed: Action.part),
      EffectReducer { (row: inout Row, _: PartAction) in .none }
        .forEach(\.rows, action: \.row, embed: Action.row)))
  let ran = Arrivals()
  let runs = Store(App()) { (app: inout App, action: Action) -> Effect<Action> in
    reduce(&app, action)
    return .run { _ in ran.arrive() }
  }
  let thunks = Store(App(), reducer: reduce)
  let executed = Arrivals()
  let thunk = Thunk<App, Action, Void, Never> { _ in executed.arrive() }

  /// A store that performs something, but not because of the action.
  func beside(_ name: String, _ start: (Store<App, Action>) -> Void) -> Subject {
    let store = Store(App(), reducer: reduce)
    start(store)
    return Subject(name) { store.dispatch(.add(1)) }
  }
  let idle = EffectState()
  return Topic(
    "Effects",
    [
      Subject("a reducer that returns `.none`") { none.dispatch(.add(1)) },
      Subject("`EffectReducer.combine` of three, returning `.none`") { composed.dispatch(.add(1)) },
      Subject("a reducer that returns `.run`, to its end", { runs.dispatch(.add(1)) }, wait: ran.wait),
      Subject("a `Thunk`, to its end", { thunks.dispatch(thunk) }, wait: executed.wait),
      beside("`effect(_:)`, another change") { $0.effect(\.job, action: Action.job) { _, _ in } },
      beside("`effect(toggle:)`, another change") { $0.effect(toggle: { $0.title == "" }) { _, _ in } },
      beside("`effect(onChange:)`, another change") { $0.effect(onChange: \.title) { _, _ in } },
      beside("`effect(collection:)` of ten, another change") {
        $0.effect(collection: \.rows, state: { _ in idle }, action: { _, action in .job(action) }) { _, _ in }
      },
    ] + reactions())
}

private func reactions() -> [Subject] {
  let reacted = Arrivals()
  func store(_ reaction: Reaction<App, Action>) -> Store<App, Action> {
    do {
      return try Store(App(), reducer: reduce, middleware: [reaction])
    } catch {
      fatalError("a reaction doesn't throw, and yet: \(error)")
    }
  }
  let unwanted = store(Reaction(to: { _ in false }) { _, _ in nil })
  let wanted = store(
    Reaction { _, _ in
      reacted.arrive()
      return nil
    })
  return [
    Subject("`Reaction`, to another action") { unwanted.dispatch(.add(1)) },
    Subject("`Reaction`, to its end", { wanted.dispatch(.add(1)) }, wait: reacted.wait),
  ]
}
