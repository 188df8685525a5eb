import Observation
import Synchronization

extension Store: Observable {}

/// The part in Observation of a store, or of a view of one: it costs one load a change until somebody has read the state.
///
/// The registrar doesn't say whether anybody tracks, so every tracked read counts as one who does. The flag is never lowered: a
/// reader that registers late would not hear of any change at all.
@usableFromInline
final class Tracking<Subject: Observable & Sendable, State>: Sendable {
  @usableFromInline let registrar = ObservationRegistrar()
  @usableFromInline let isTracked = Atomic<Bool>(false)
  /// Made once, as making the key path of a generic type is slow.
  @usableFromInline let path: any KeyPath<Subject, State> & Sendable

  @usableFromInline
  init(_ path: any KeyPath<Subject, State> & Sendable) {
    self.path = path
  }

  /// Called before the state is read.
  @inlinable
  func access(_ subject: Subject) {
    if !isTracked.load(ordering: .relaxed) { isTracked.store(true, ordering: .sequentiallyConsistent) }
    registrar.access(subject, keyPath: path)
  }

  /// Called after a change, outside the lock, as observers may read the state.
  @inlinable
  func changed(_ subject: Subject) {
    if isTracked.load(ordering: .acquiring) { registrar.withMutation(of: subject, keyPath: path) {} }
  }
}
