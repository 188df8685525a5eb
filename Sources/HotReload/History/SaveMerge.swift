import StateJSON

/// What a save from outside means: which version its writer started from, and what comes out when his changes are
/// made to the newest version.
///
/// An editor writes the whole file, often from a buffer that is older than the file. What the buffer was read from can
/// only be guessed from what is in it.
package struct SaveMerge: Sendable {
  package enum Meaning: Sendable, Hashable {
    /// The newest version, written differently.
    case formatting
    /// Changes made to the version that is so many versions older than the newest, 0 being the newest itself.
    case edit(of: Int)
    /// An older version, exactly.
    case restore(of: Int)
  }

  package let meaning: Meaning
  /// What the file is to hold.
  package let value: JSONValue
  /// What the save would have changed back, had it been taken as it is: from it to ``value``.
  package let kept: JSONPatch
  /// What the newest version had set where the save won.
  package let lost: [LostValue]

  /// How many values are looked at, at most, in search of a base; what is older than that is not looked for.
  package static let workLimit = 4_000_000

  /// Finds out what a save means and merges it.
  ///
  /// - Parameters:
  ///   - save: The value that was saved.
  ///   - history: The versions that it may have been made from; the newest is the one it is merged with.
  ///   - mayGoOn: Whether it may have been made from the newest version although that was saved from outside as well.
  package init(_ save: JSONValue, onto history: VersionHistory, mayGoOn: Bool = true) {
    meaning = Self.meaning(of: save, in: history, mayGoOn: mayGoOn)
    guard case .edit(let index) = meaning, index > 0 else {
      value = save
      (kept, lost) = (JSONPatch(), [])
      return
    }
    let merge = JSONMerge(base: history.value(at: index), left: history.value, right: save, newer: .right)
    value = merge.value
    kept = JSONPatch(from: save, to: merge.value, literals: false)
    lost = LostValue.lost(in: merge)
  }

  /// Finds out which version a save was made from.
  ///
  /// - Parameters:
  ///   - save: The value that was saved.
  ///   - history: The versions that it may have been made from.
  ///   - mayGoOn: Whether a save that follows others, without any instance's change between, may have been made from
  ///     them: a person who saves twice goes on from his own save, also where he takes back what he did in that. What was
  ///     there before he takes back from an older buffer only.
  /// - Returns: The version, or what else it means.
  static func meaning(of save: JSONValue, in history: VersionHistory, mayGoOn: Bool = true) -> Meaning {
    if save == history.value { return .formatting }
    let run = mayGoOn ? history.entries.prefix { $0.version.cause == .edit }.count : 0
    var distance = EditDistance(from: history.value, to: save)
    var best = (index: 0, distance: distance.distance)
    for (index, entry) in history.entries.dropLast().enumerated() {
      guard distance.work < workLimit else { break }
      distance.apply(undoing: entry)
      if distance.distance == 0, distance.value == save {
        if index < run { return .edit(of: 0) }
        // What was saved before and merged is no version to go back to: its writer's buffer is still what it was, or
        // the merge never came to stand.
        let wasMerged = history.entries[index + 1].version.cause == .merged
        return wasMerged ? .edit(of: index + 1) : .restore(of: index + 1)
      }
      if distance.distance < best.distance { best = (index + 1, distance.distance) }
    }
    return .edit(of: best.index <= run ? 0 : best.index)
  }
}

extension EditDistance {
  fileprivate mutating func apply(undoing entry: VersionHistory.Entry) {
    do {
      try apply(entry.undo)
    } catch {
      preconditionFailure("what was done can be undone: \(error)")
    }
  }
}
