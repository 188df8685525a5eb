import StoreCore
import StoreTesting

/// A state with effects in it.
struct Work: Sendable, Equatable {
  struct Item: Sendable, Equatable, Identifiable {
    let id: String
    var effect = EffectState()
  }

  var job = EffectState(attempts: 3, backoff: .exponential(from: .seconds(1)))
  var items: [Item] = []
  var isOn = false
  var query = ""
  var notes: [String] = []
}

enum WorkAction: Sendable, Equatable {
  case job(EffectAction)
  case add(String)
  case remove(String)
  case item(String, EffectAction)
  case toggle(Bool)
  case type(String)
  case note(String)
}

func work(_ state: inout Work, _ action: WorkAction) {
  switch action {
  case .job(let action): state.job.apply(action)
  case .add(let id): state.items.append(Work.Item(id: id))
  case .remove(let id): state.items.removeAll { $0.id == id }
  case .item(let id, let action):
    for index in state.items.indices where state.items[index].id == id { state.items[index].effect.apply(action) }
  case .toggle(let isOn): state.isOn = isOn
  case .type(let query): state.query = query
  case .note(let note): state.notes.append(note)
  }
}

typealias WorkStore = Store<Work, WorkAction>

extension Store where State == Work, Action == WorkAction {
  /// Waits until the state is so.
  func until(_ condition: (Work) -> Bool) async {
    for await state in states where condition(state) { return }
  }

  /// Waits until the notes are these.
  func notes(_ notes: String...) async { await until { $0.notes == notes } }

  /// Makes the state another, as a replicator does.
  func adopt(_ state: Work, cause: Cause) {
    rebase(cause: cause) { old, _ in old = state }
  }

  /// The state of another, as if it had come by a replicator.
  func adopt(from other: WorkStore) { adopt(other.state, cause: .instance("other")) }
}

/// A store whose effects wait by a clock that the test has.
func workStore(
  _ state: Work = Work(), clock: ManualClock = ManualClock(), middleware: [any Middleware<Work, WorkAction>] = []
) throws -> WorkStore {
  try withDependencies {
    $0.clock = clock
  } operation: {
    try Store(state, reducer: work, middleware: middleware)
  }
}
