import Measuring
import StoreCore

func reducers() -> Topic {
  func subject(_ name: String, _ reducer: Reducer<App, Action>, _ action: Action) -> Subject {
    let store = Store(App(), reducer: reducer)
    return Subject(name) { store.dispatch(action) }
  }
  let empty = Reducer<App, Action> { _, _ in }
  return Topic(
    "Reducers",
    [
      subject("`Reducer`", Reducer(reduce), .add(1)),
      subject("`Reducer.combine` of three", .combine(Reducer(reduce), empty, empty), .add(1)),
      subject("`scope`", partReducer.scope(state: \.part, action: \.part), .part(.add(1))),
      subject("`scope` of an optional", partReducer.scope(state: \.sheet, action: \.part), .part(.add(1))),
      subject("`forEach`, the last of ten in an array", rowReducer.forEach(\.rows, action: \.row), .row(9, .add(1))),
      subject("`forEach` in a dictionary", rowReducer.forEach(\.byID, action: \.row), .row(9, .add(1))),
      subject("`forEach` in `Entities`", rowReducer.forEach(\.entities, action: \.row), .row(9, .add(1))),
    ])
}
