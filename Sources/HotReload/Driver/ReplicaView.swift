import StateJSON
import StoreCore

/// What a replica's state is shown to, and its actions come from.
///
/// All calls come from the driver's thread. What a view submits on other threads, it announces with
/// ``Replicator/submitted()``.
package protocol ReplicaView<Model>: AnyObject, Sendable {
  associatedtype Model: ReplicaModel

  /// Hands over what was submitted since the last call.
  ///
  /// - Parameter found: What the file holds, `nil` if it holds nothing: a view need not share a large state.
  /// - Returns: The actions, oldest first; with them, if the view applies actions itself, the state they led to, which counts
  ///   only as long as nothing was published since.
  func drain(over found: FoundDocument?) -> (actions: [Model.Action], state: Model.State?)
  /// How many actions the next ``drain(over:)`` will hand over.
  var submittedCount: Int { get }
  /// Whether the state that the view shows is the one that its actions led the replica to. If it isn't, the next ``drain(over:)``
  /// hands it over; called when nothing has been submitted for a while after one that handed over no state.
  func shows(_ decoded: Decoded<Model.State>) -> Bool
  /// Shows a state; what has been submitted since the last ``drain(over:)`` is to be applied to it in the same instant.
  ///
  /// - Parameters:
  ///   - state: The document's with all drained actions applied.
  ///   - cause: What is told of the change.
  ///   - version: The hash of the file's bytes, if the state includes no uncommitted action.
  func publish(_ state: Model.State, cause: Cause, version: ContentHash?)
  /// The oldest actions handed over are in the file.
  ///
  /// - Parameters:
  ///   - count: How many actions.
  ///   - outcomes: One for each action, oldest first; none where the view applies the actions itself.
  ///   - state: The one that they led to.
  ///   - version: The hash of the file's bytes.
  func acknowledge(_ count: Int, outcomes: [Model.Outcome], state: Model.State, version: ContentHash)
  func report(_ event: ProblemEvent)
  /// Tells what a person may want to know.
  func notify(_ notice: Notice)
  /// What is claimed among the instances of the file; by default nothing.
  var claims: ClaimBoard? { get }
}

extension ReplicaView {
  package func shows(_ decoded: Decoded<Model.State>) -> Bool { true }
  package var claims: ClaimBoard? { nil }
}

/// A document as it was read from the file, or written there.
package struct FoundDocument: Sendable {
  /// The hash of the file's bytes.
  let hash: ContentHash
  /// How many bytes the file has.
  let size: Int
  let content: JSONDocument
}
