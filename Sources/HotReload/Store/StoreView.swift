import StoreCore
import Synchronization

/// A store as the view of a replica: what is dispatched is submitted, what is published becomes the store's state.
///
/// Actions are recorded inside the store's lock, and drained and replayed inside it, so that there is no instant in which
/// an action is neither in the state nor recorded.
final class StoreView<State: Sendable, Action: Sendable>: ReplicaView {
  typealias Model = TypedModel<State, Action>

  private struct Submitted {
    /// Dispatched or restored, and not drained yet.
    var waiting: [Model.Action] = []
    /// Whether the restore that the store is about to tell of is one that was published.
    var isPublishingRestore = false
  }

  private let submitted = Mutex(Submitted())
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

  /// Records what the store has just done to its state; called inside its lock.
  ///
  /// - Returns: whether that is to be mirrored: what was published is in the file already.
  func submit(_ submission: Model.Action) -> Bool {
    submitted.withLock { submitted in
      if case .restored = submission, submitted.isPublishingRestore {
        submitted.isPublishingRestore = false
        return false
      }
      submitted.waiting.append(submission)
      return true
    }
  }

  var submittedCount: Int { submitted.withLock { $0.waiting.count } }

  func drain() -> (actions: [Model.Action], state: State?) {
    guard let store = store.value else { return (take(), nil) }
    return store.withState { state, _ in (take(), copy state) }
  }

  func publish(_ publication: Replica<Model>.Publication) {
    guard let store = store.value else { return }
    store.rebase(cause: publication.cause) { state, _ in
      var replayed = publication.state
      submitted.withLock { submitted in
        for action in submitted.waiting { model.apply(action, to: &replayed) }
        submitted.isPublishingRestore = publication.cause.kind == .restore
      }
      // Only the part: the rest is none of ours, and others may have changed it in the meantime.
      model.graft(from: replayed, onto: &state)
    }
  }

  func acknowledge(_ acknowledgement: Replica<Model>.Acknowledgement) {}

  func report(_ event: ProblemEvent) { problems.post(event) }

  private func take() -> [Model.Action] {
    submitted.withLock { submitted in
      defer { submitted.waiting = [] }
      return submitted.waiting
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
