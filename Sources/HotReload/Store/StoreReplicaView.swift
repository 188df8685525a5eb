import StateJSON
import StoreCore

/// A store as the view of a replica: what is dispatched is submitted, what is published becomes the store's state.
///
/// Actions are recorded inside the store's lock, and drained and replayed inside it, so that there is no instant in which
/// an action is neither in the state nor recorded.
///
/// Where both the store and the driver hold a state, the next reducer that changes an array or a dictionary of it copies
/// that. It is nothing beside a dump as long as the state is small. A large one is shared only for a moment, when something else than
/// an action has changed it: then the driver makes a state of its own (`ReplicaModel.separated`), on which it reduces the actions as
/// well, and whoever dispatches copies nothing.
final class StoreReplicaView<State: Sendable, Action: Sendable>: ReplicaView {
  typealias Model = TypedModel<State, Action>

  private let submissions: SubmissionQueue<State, Action>
  /// It owns its middleware, which therefore must not own it.
  private weak let store: Store<State, Action>?
  private let model: Model
  private let problems: ProblemBoard
  private let notices: NoticeBoard
  let claims: ClaimBoard?
  /// Documents with more bytes than this stand for a large state.
  private let sharedSize: Int
  private let access: StoreAccess<State, Action>

  init(
    store: Store<State, Action>, model: Model, submissions: SubmissionQueue<State, Action>, problems: ProblemBoard,
    notices: NoticeBoard, claims: ClaimBoard, sharedSize: Int, access: StoreAccess<State, Action>
  ) {
    self.store = store
    self.model = model
    self.submissions = submissions
    self.problems = problems
    self.notices = notices
    self.claims = claims
    self.sharedSize = sharedSize
    self.access = access
  }

  var submittedCount: Int { submissions.count }

  func drain(over found: FoundDocument?) -> (actions: [Model.Action], state: State?) {
    guard let store else { return (submissions.take().elements, nil) }
    // Inside the store's lock also without the state: what an action asks for has been claimed by all who hear of it when the
    // action is taken, as it must be when others can see it.
    var taken: SubmissionQueue<State, Action>.Taken?
    var shared: State?
    access.read(store) { state in
      if let found, found.size > sharedSize { taken = submissions.takeUnlessIncomplete() }
      if taken != nil { return }
      taken = submissions.take()
      shared = copy state
    }
    return (taken?.elements ?? [], shared)
  }

  func publish(_ state: State, cause: Cause, version: ContentHash?) {
    guard let store else { return }
    var replayed = state
    // Most of what was submitted meanwhile is applied before, so that nobody who dispatches waits for that.
    var applied = 0
    for _ in 0..<3 { apply(to: &replayed, after: &applied) }
    access.rebase(store, cause) { state in
      apply(to: &replayed, after: &applied)
      submissions.expectPublication(true)
      // Only the part: the rest is none of ours, and others may have changed it in the meantime. What it was is given back
      // after unlocking.
      model.exchange(&replayed, &state)
    }
    submissions.expectPublication(false)
  }

  func shows(_ decoded: Decoded<State>) -> Bool {
    guard let store else { return true }
    // What is still to be drained is compared after that.
    let state: State? = store.withState { state, _ in submissions.count == 0 ? copy state : nil }
    guard let state, !model.isSame(state, decoded) else { return true }
    submissions.requireState()
    return false
  }

  func acknowledge(_ count: Int, outcomes: [Void], state: State, version: ContentHash) {}

  func report(_ event: ProblemEvent) { problems.post(event) }

  func notify(_ notice: Notice) { notices.post(notice) }

  private func apply(to state: inout State, after applied: inout Int) {
    // Most often there are none. Then their type needn't be looked up.
    if submissions.count > applied { applyMore(to: &state, after: &applied) }
  }

  @inline(never)
  private func applyMore(to state: inout State, after applied: inout Int) {
    let rest = submissions.elements(from: applied)
    for submission in rest { model.apply(submission, to: &state) }
    applied += rest.count
  }
}
