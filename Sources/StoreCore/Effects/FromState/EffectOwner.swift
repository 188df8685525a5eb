/// Which of the instances that share a state performs an effect.
///
/// In none does an editor's save, time travel (be it by `replicate undo`), or another rebase start one that wasn't on; all of
/// them cancel what the state no longer asks for. An instance that joins later finds nobody at it, and may begin. What
/// an instance hears of at once counts as what came last: a save that another's action follows, as that action.
public struct EffectOwner: Sendable, Hashable {
  enum Kind: Sendable { case origin, everyone, elected, local }

  let kind: Kind

  /// The instance that dispatched the action which started it. The others stand in line: when the owner dies or leaves,
  /// the next one does it again from the start. So does an instance that joins and finds nobody at it.
  public static let origin = EffectOwner(kind: .origin)

  /// Each instance, for itself. Of an ``EffectState``, the first outcome is that of all.
  public static let everyone = EffectOwner(kind: .everyone)

  /// This instance, as if there were no others: for a part of the state that isn't mirrored. What another instance
  /// changes in it starts nothing.
  public static let local = EffectOwner(kind: .local)

  /// One for all runs, whoever starts them. When it dies or leaves, another is elected and takes over. Where
  /// instances can't settle that, nobody is.
  public static let elected = EffectOwner(kind: .elected)
}
