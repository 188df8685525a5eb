import StateJSON

/// What a save from outside means: which version its writer started from, and what comes out when the writer's changes
/// are made to the newest version.
///
/// An editor writes the whole file, often from a buffer that is older than the file. What the buffer was read from can
/// only be guessed from what is in it: see ``BaseSearch``.
struct SaveMerge: Sendable {
  enum Meaning: Sendable, Hashable {
    /// The newest version, written differently.
    case formatting
    /// Changes made to the version that is so many versions older than the newest, 0 being the newest itself.
    case edit(of: Int)
    /// Changes made to what stood in the file for a moment, and was taken back; or none.
    case editOfWithdrawn(Int, after: Int)
    /// An older version, exactly.
    case restore(of: Int)
    /// Another document, which keeps next to nothing of any version.
    case replacement

    /// How many versions are newer than the one that was changed, or brought back.
    var age: Int {
      switch self {
      case .edit(let index), .editOfWithdrawn(_, let index), .restore(let index): index
      case .formatting, .replacement: 0
      }
    }
  }

  let meaning: Meaning
  /// What the file is to hold.
  let value: JSONValue
  /// What the save would have changed back, had it been taken as it is: from it to ``value``.
  let kept: JSONPatch
  /// What the newest version had set where the save won.
  let lost: [LostValue]

  /// Finds out what a save means, by the versions that it may have been made from, and merges it with the newest of them.
  init(
    _ save: JSONValue, onto history: VersionHistory, knowing evidence: SaveEvidence = .none, isLate: Bool = false
  ) {
    meaning = Self.meaning(of: save, in: history, knowing: evidence, isLate: isLate)
    guard let base = history.base(of: meaning), base != history.value else {
      value = save
      (kept, lost) = (JSONPatch(), [])
      return
    }
    let merge = JSONMerge(base: base, left: history.value, right: save, newer: .right)
    value = merge.value
    kept = JSONPatch(from: save, to: merge.value, literals: false)
    lost = LostValue.lost(in: merge)
  }

  /// Finds out which version a save was made from, or what else it means.
  static func meaning(
    of save: JSONValue, in history: VersionHistory, knowing evidence: SaveEvidence = .none, isLate: Bool = false
  ) -> Meaning {
    var search = BaseSearch(of: save, in: history, knowing: evidence)
    return search.meaning(isLate: isLate)
  }
}

extension VersionHistory {
  /// The version that a save of some meaning changes; `nil` where the save stands as it is.
  func base(of meaning: SaveMerge.Meaning) -> JSONValue? {
    switch meaning {
    case .edit(let index): value(at: index)
    case .editOfWithdrawn(let number, let index): value(ofWithdrawn: number, after: index)
    case .formatting, .restore, .replacement: nil
    }
  }
}
