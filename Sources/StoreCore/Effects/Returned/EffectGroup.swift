/// The bond of the effects of a group.
enum EffectGrouping: Sendable {
  /// All at a time.
  case merged
  /// One after another.
  case concatenated
  /// One, which has a name.
  case cancellable(EffectID, cancelInFlight: Bool)
}

/// Effects that belong together. Groups may be nested as deep as you like: what is done with all that is in one, also to free it, is
/// done in a loop.
@usableFromInline
final class EffectGroup<Action: Sendable>: Sendable {
  let grouping: EffectGrouping
  /// Free of races: changed by `deinit` only.
  nonisolated(unsafe) private(set) var members: [Effect<Action>.Operation]

  init(_ grouping: EffectGrouping, _ members: [Effect<Action>.Operation]) {
    self.grouping = grouping
    self.members = members
  }

  deinit {
    var last: [Effect<Action>.Operation] = []
    swap(&last, &members)
    if last.contains(where: \.isGroup) { Trampoline.free(consume last) }
  }
}

extension Effect.Operation {
  fileprivate var isGroup: Bool {
    if case .group = self { true } else { false }
  }

  /// The same operation of another type of actions.
  func map<Other>(_ transform: @escaping @Sendable (Action) -> Other) -> Effect<Other>.Operation {
    var next = self
    // The groups that `next` is in, the outermost first, each with those of its members that are done.
    var around: [(group: EffectGroup<Action>, done: [Effect<Other>.Operation])] = []
    while true {
      var mapped: Effect<Other>.Operation
      switch next {
      case .none: mapped = .none
      case .run(let body): mapped = .run { send in await body(send.map(transform)) }
      case .send(let action): mapped = .send(transform(action))
      case .cancel(let id): mapped = .cancel(id)
      case .group(let group):
        around.append((group, []))
        if let first = group.members.first {
          next = first
          continue
        }
        mapped = .none
      }
      // Ends the groups that this was the last member of.
      while let group = around.last?.group {
        let last = around.count - 1
        if !group.members.isEmpty { around[last].done.append(mapped) }
        let count = around[last].done.count
        if count < group.members.count {
          next = group.members[count]
          break
        }
        mapped = .group(EffectGroup<Other>(group.grouping, around.removeLast().done))
      }
      if around.isEmpty { return mapped }
    }
  }
}
