import HotReload
import StateJSON
import StoreCore
import Synchronization

/// What the verbs see of a mirrored document: its newest value, operations on their way into the file, and what came of
/// them.
final class MirrorView<Model: MirrorModel>: ReplicaView {
  /// What came of an operation on the document that it was committed to, and the version of the file that holds it.
  struct Commit: Sendable {
    var outcome: Model.Outcome
    var version: ContentHash
  }

  /// A change of the document.
  struct Change: Sendable {
    var value: Model.State
    /// `nil` while the value includes operations that are not in the file.
    var version: ContentHash?
    var cause: Cause
  }

  /// What is told of the document and its file.
  enum Event: Sendable {
    case change(Change)
    case problem(ProblemEvent)
    case notice(Notice)
  }

  private struct Operation {
    var operation: Model.Action
    var completion: (@Sendable (Commit) -> Void)?
  }

  private struct Guarded {
    /// The newest value, with the first `applied` operations.
    var value: Model.State
    var version: ContentHash?
    var applied = 0
    /// Not in the file yet, oldest first; the first `drained` are with the replica.
    var operations: [Operation] = []
    var drained = 0
  }

  private let model = Model()
  private let instance: String
  private let guarded: Mutex<Guarded>
  private let tell: @Sendable (Event) -> Void

  /// A view that shows an empty document until the file has been read, and tells what happens on the thread that mirrors
  /// the file.
  init(instance: String, tell: @escaping @Sendable (Event) -> Void) {
    guarded = Mutex(Guarded(value: Model.empty))
    self.instance = instance
    self.tell = tell
  }

  /// The newest value with everything submitted so far, and its version if all of that is in the file.
  var current: (value: Model.State, version: ContentHash?) {
    guarded.withLock { guarded in
      for operation in guarded.operations[guarded.applied...] {
        _ = model.apply(operation.operation, to: &guarded.value)
      }
      guarded.applied = guarded.operations.count
      return (guarded.value, guarded.operations.isEmpty ? guarded.version : nil)
    }
  }

  /// Puts an operation on its way; the replicator must be told. The completion is told what came of it when it is in
  /// the file, on the thread that mirrors it.
  func submit(_ operation: Model.Action, completion: (@Sendable (Commit) -> Void)? = nil) {
    guarded.withLock { $0.operations.append(Operation(operation: operation, completion: completion)) }
  }

  /// How many operations are not in the file.
  var uncommittedCount: Int { guarded.withLock { $0.operations.count } }

  // MARK: ReplicaView

  var submittedCount: Int { guarded.withLock { $0.operations.count - $0.drained } }

  func drain(over found: FoundDocument?) -> (actions: [Model.Action], state: Model.State?) {
    guarded.withLock { guarded in
      defer { guarded.drained = guarded.operations.count }
      // No state: the replica's own application yields the outcomes.
      return (guarded.operations[guarded.drained...].map(\.operation), nil)
    }
  }

  func publish(_ state: Model.State, cause: Cause, version: ContentHash?) {
    guarded.withLock { guarded in
      guarded.value = state
      guarded.applied = guarded.drained
      guarded.version = version
    }
    tell(.change(Change(value: state, version: version, cause: cause)))
  }

  func acknowledge(_ count: Int, outcomes: [Model.Outcome], state: Model.State, version: ContentHash) {
    let committed = guarded.withLock { guarded in
      let committed = Array(guarded.operations.prefix(count))
      guarded.operations.removeFirst(count)
      guarded.drained -= count
      guarded.value = state
      guarded.applied = guarded.drained
      guarded.version = version
      return committed
    }
    // First the state, so that whoever has an answer sees what it is about.
    if !committed.isEmpty {
      tell(.change(Change(value: state, version: version, cause: Cause(.action, instance: instance))))
    }
    for (operation, outcome) in zip(committed, outcomes) {
      operation.completion?(Commit(outcome: outcome, version: version))
    }
  }

  func report(_ event: ProblemEvent) { tell(.problem(event)) }

  func notify(_ notice: Notice) { tell(.notice(notice)) }
}
