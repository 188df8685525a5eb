import HotReload
import StateJSON
import Synchronization

/// A document that mirrors a file for as long as it is open.
final class FileMirror<Model: MirrorModel>: Sendable {
  let instance: String
  private let view: MirrorView<Model>
  private let replicator: Replicator

  /// Joins the file; the first change has been told by the time this returns, unless the file is invalid.
  init(
    options: ReplicatorOptions, tell: @escaping @Sendable (MirrorView<Model>.Event) -> Void
  ) throws(Problem) {
    instance = options.replica.instance
    view = MirrorView(instance: options.replica.instance, tell: tell)
    replicator = try Replicator(view: view, model: Model(), initial: Model.empty, options: options)
  }

  /// The newest value with everything submitted so far, and its version if all of that is in the file.
  var current: (value: Model.State, version: ContentHash?) { view.current }

  /// How many operations are not in the file.
  var uncommittedCount: Int { view.uncommittedCount }

  /// Puts an operation on its way into the file; never waits.
  func submit(
    _ operation: Model.Action, completion: (@Sendable (MirrorView<Model>.Commit) -> Void)? = nil
  ) {
    view.submit(operation, completion: completion)
    replicator.submitted()
  }

  /// Tells when everything submitted so far is in the file, or that it isn't in time.
  func flush(within timeout: Duration, completion: @escaping @Sendable (Problem?) -> Void) {
    replicator.flush(within: timeout, completion: completion)
  }

  /// Commits, stops watching, and leaves nothing beside the file; then tells whether everything got into it.
  func close(within timeout: Duration, completion: @escaping @Sendable (Problem?) -> Void) {
    replicator.close(within: timeout, completion: completion)
  }
}

extension DocumentMirror {
  /// Reads a file once, and tells what came of a save that it met with.
  static func read(
    options: ReplicatorOptions, within timeout: Duration, tell: @escaping @Sendable (DocumentView.Event) -> Void
  ) throws(Problem) -> JSONValue {
    let view = DocumentView(instance: options.replica.instance, tell: tell)
    try Replicator.runOnce(view: view, model: Model(), initial: Model.empty, options: options, within: timeout)
    return view.current.value
  }

  /// Commits one operation and tells what came of it, and of a save that it met with.
  static func commit(
    _ operation: DocumentOperation, options: ReplicatorOptions, within timeout: Duration,
    tell: @escaping @Sendable (DocumentView.Event) -> Void
  ) throws(Problem) -> DocumentModel.Outcome {
    let outcome = Mutex<DocumentModel.Outcome?>(nil)
    let view = DocumentView(instance: options.replica.instance, tell: tell)
    view.submit(operation) { commit in outcome.withLock { $0 = commit.outcome } }
    try Replicator.runOnce(view: view, model: Model(), initial: Model.empty, options: options, within: timeout)
    guard let outcome = outcome.withLock({ $0 }) else { preconditionFailure("committed without an outcome") }
    return outcome
  }
}
