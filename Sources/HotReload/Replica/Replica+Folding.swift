import StateJSON

/// Actions that can't be committed for long, because the file is held, are folded into a patch: what they take in memory is
/// bounded by the document then, not by the time.
///
/// A patch is not reduced again on a newer document but merged with it three ways, as the newer side: where others changed
/// the same place, what the actions made of it stands, and the other value goes to the history. An addition is then one
/// of its sum to the number that was there.
extension Replica {
  /// What became of actions that nobody keeps any more.
  struct PendingPatch: Sendable {
    /// How many they were.
    var count: Int
    /// The document that they were applied to.
    var base: JSONValue
    /// The state that they led to, and its document.
    var result: Decoded<Model.State>
    /// Whether one of them brought an earlier state back.
    var restores: Bool
    /// The actions as other devices read them, where they are recorded and aren't too long for that.
    var actions: RecordedActions?
  }

  /// More actions wait to be drained than should. Where there is no telling how long, they are drained and folded.
  func relieve() -> [Instruction] {
    guard case .idle = phase, isHeldForLong, model.foldsActions else { return [] }
    return [.drain]
  }

  /// What is over in a moment isn't worth giving up the actions for; others may be committing meanwhile.
  private var isHeldForLong: Bool {
    switch trouble.obstacle {
    case .contents, .state: true
    case .system: trouble.failures > Self.briefFailures
    case nil: false
    }
  }

  /// So many refusals of the system take less than a second.
  private static var briefFailures: Int { 3 }

  /// Folds all pending actions, and those that were just drained, into one patch.
  mutating func foldAway(_ actions: [Model.Action]) -> [Instruction] {
    outbox.actions += actions
    do throws(Problem) {
      let before = if let base { base.decoded } else { try model.encode(baseState, over: nil) }
      let folded = fold()
      let result = try model.encode(folded.state, over: before)
      var actions = recordsActions ? recorded(outbox.actions[...], folded.outcomes[...]) : nil
      if let patch = outbox.patch { actions = actions.flatMap { patch.actions?.followed(by: $0) } }
      outbox.patch = PendingPatch(
        count: pendingCount, base: before.document.value, result: result, restores: restores, actions: actions)
      outbox.actions = []
    } catch {
      // What can't be written can't be folded either, and goes on as actions: a later one may mend it.
    }
    return []
  }

  /// Applies the patch, if there is one, to the base.
  func applyPatch(to folded: inout Folded) {
    guard let patch = outbox.patch else { return }
    folded.state = patch.result.state
    guard let base = base?.decoded.document, base.value != patch.base else { return }
    let merge = JSONMerge(base: patch.base, left: base.value, right: patch.result.document.value, newer: .right)
    do throws(Problem) {
      folded.state = try model.decode(base.replacingValue(with: merge.value), onto: patch.result.state).state
      folded.lost = LostValue.lost(in: merge)
    } catch {
      // Both together mean nothing to this program: what the actions made stands whole.
      folded.lost = [LostValue(pointer: .root, value: base.value)]
    }
  }

  /// Forgets the oldest actions, since they are in the file.
  mutating func dropPending(_ count: Int) {
    let folded = min(count, outbox.patch?.count ?? 0)
    // If only some of them are, the others still follow from the same merge: it finds those in the file already.
    outbox.patch?.count -= folded
    if folded > 0 { outbox.patch?.actions = nil }
    if outbox.patch?.count == 0 { outbox.patch = nil }
    outbox.actions.removeFirst(count - folded)
  }
}
