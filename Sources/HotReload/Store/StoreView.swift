import StoreCore
import Synchronization

/// A store as the view of a replica: what is dispatched is submitted, what is published becomes the store's state.
///
/// Actions are recorded inside the store's lock, and drained and replayed inside it, so that there is no instant in which
/// an action is neither in the state nor recorded.
final class StoreView<State: Sendable, Action: Sendable>: ReplicaView {
  typealias Model = TypedModel<State, Action>

  /// Dispatched, and not drained yet.
  private let submitted = Mutex<[Action]>([])
  private let store: WeakStore<State, Action>
  private let model: Model
  private let problems: ProblemBoard
  let claims: ClaimBoard?

  init(store: Store<State, Action>, model: Model, problems: ProblemBoard, claims: ClaimBoard) {
    self.store = WeakStore(store)
    self.model = model
    self.problems = problems
    self.claims = claims
  }

  /// Records an action that the store has just reduced; called inside its lock.
  func submit(_ action: Action) { submitted.withLock { $0.append(action) } }

  var submittedCount: Int { submitted.withLock { $0.count } }

  func drain() -> (actions: [Action], state: State?) {
    guard let store = store.value else { return (take(), nil) }
    return store.withState { state, _ in (take(), copy state) }
  }

  func publish(_ publication: Replica<Model>.Publication) {
    guard let store = store.value else { return }
    store.rebase(cause: publication.cause) { state, reduce in
      var replayed = publication.state
      submitted.withLock { actions in
        for action in actions { reduce(&replayed, action) }
      }
      // Only the part: the rest is none of ours, and others may have changed it in the meantime.
      model.graft(from: replayed, onto: &state)
    }
  }

  func acknowledge(_ acknowledgement: Replica<Model>.Acknowledgement) {}

  func report(_ event: ProblemEvent) { problems.post(event) }

  private func take() -> [Action] {
    submitted.withLock { actions in
      defer { actions = [] }
      return actions
    }
  }
}

/// The store owns its middleware, which therefore must not own the store.
private final class WeakStore<State: Sendable, Action: Sendable>: Sendable {
  private let reference: Mutex<Reference>

  private struct Reference {
    weak var store: Store<State, Action>?
  }

  init(_ store: Store<State, Action>) { reference = Mutex(Reference(store: store)) }

  var value: Store<State, Action>? { reference.withLock { $0.store } }
}
