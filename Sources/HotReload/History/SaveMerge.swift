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
    /// Changes made to what stood in the file for a moment, and was taken back; or none.
    case editOfWithdrawn(Int, after: Int)
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
  ///   - isLate: Whether it was found in a displaced file.
  package init(_ save: JSONValue, onto history: VersionHistory, mayGoOn: Bool = true, isLate: Bool = false) {
    meaning = Self.meaning(of: save, in: history, mayGoOn: mayGoOn, isLate: isLate)
    let base: JSONValue
    switch meaning {
    case .edit(let index) where index > 0: base = history.value(at: index)
    case .editOfWithdrawn(let number, let index): base = history.value(ofWithdrawn: number, after: index)
    case .formatting, .edit, .restore:
      value = save
      (kept, lost) = (JSONPatch(), [])
      return
    }
    let merge = JSONMerge(base: base, left: history.value, right: save, newer: .right)
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
  ///   - isLate: Whether it was found in a displaced file: then it may itself be part of a merge that was withdrawn, and
  ///     was not made from that.
  /// - Returns: The version, or what else it means.
  static func meaning(
    of save: JSONValue, in history: VersionHistory, mayGoOn: Bool = true, isLate: Bool = false
  ) -> Meaning {
    if save == history.value { return .formatting }
    let run = mayGoOn ? history.entries.prefix { $0.version.cause == .edit }.count : 0
    var distance = EditDistance(from: history.value, to: save)
    var best = (meaning: Meaning.edit(of: 0), distance: distance.distance)
    for (index, entry) in history.entries.enumerated() {
      guard distance.work < workLimit else { break }
      for (number, withdrawn) in entry.withdrawn.enumerated() where !isLate || withdrawn.version.cause != .merge {
        var other = distance
        other.apply(changesKnown: withdrawn.changes)
        if other.distance == 0, other.value == save { return .editOfWithdrawn(number, after: index) }
        if other.distance < best.distance { best = (.editOfWithdrawn(number, after: index), other.distance) }
      }
      guard index + 1 < history.entries.count else { break }
      distance.apply(changesKnown: entry.undo)
      if distance.distance == 0, distance.value == save {
        if index < run { return .edit(of: 0) }
        // What was saved before and merged is no version to go back to: its writer's buffer is still what it was, or
        // the merge never came to stand.
        let wasMerged = history.entries[index + 1].version.cause == .merged
        return wasMerged ? .edit(of: index + 1) : .restore(of: index + 1)
      }
      if distance.distance < best.distance { best = (.edit(of: index < run ? 0 : index + 1), distance.distance) }
    }
    return best.meaning
  }
}

extension EditDistance {
  /// Applies a patch that was made for this very value.
  fileprivate mutating func apply(changesKnown patch: JSONPatch) {
    do {
      try apply(patch)
    } catch {
      preconditionFailure("what fits a version can be applied to it: \(error)")
    }
  }
}
