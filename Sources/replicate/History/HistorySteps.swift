import HotReload
import StateJSON

/// A version, with what it changed.
struct HistoryStep {
  let entry: VersionHistory.Entry
  /// The document before it, and as it made it. The first that is known has nothing before it, and changes nothing.
  let old: JSONValue
  let new: JSONValue
  /// What it changed, at the places of that moment; where somebody asks for a place, only there.
  let changes: [ValueChange]
}

/// The versions of a history one by one, the newest first.
///
/// Where somebody asks for a place it is followed back: an element of an array stood elsewhere before others came and went.
struct HistorySteps: Sequence, IteratorProtocol {
  private var history: VersionHistory?
  private let isFollowing: Bool
  /// Where the place is in the newest version; `nil` once it hadn't been there yet.
  private var place: JSONPointer?

  init(_ history: VersionHistory, following place: JSONPointer?) {
    self.history = history
    self.place = place
    isFollowing = place != nil
  }

  mutating func next() -> HistoryStep? {
    guard var history, !isFollowing || place != nil else { return nil }
    let (entry, new) = (history.entries[0], history.value)
    guard history.removeNewest() else {
      self.history = nil
      return HistoryStep(entry: entry, old: new, new: new, changes: [])
    }
    self.history = history
    var changes = entry.changes.map { ValueChange.list($0, of: history.value) } ?? []
    if let place { changes = follow(place, back: changes) }
    return HistoryStep(entry: entry, old: history.value, new: new, changes: changes)
  }

  /// Those of the changes that concern a place, which is then where it was before them.
  private mutating func follow(_ place: JSONPointer, back changes: [ValueChange]) -> [ValueChange] {
    var found: [ValueChange] = []
    var pointer = place
    for change in changes.reversed() {
      if change.concerns(pointer) { found.insert(change, at: 0) }
      guard let before = pointer.before(change) else {
        // What was changed as a whole may have had the place in it before.
        if case .changed = change.kind { continue }
        self.place = nil
        return found
      }
      pointer = before
    }
    self.place = pointer
    return found
  }
}

extension JSONPointer {
  /// Where a value was before a change, whatever it is after that; `nil` if the change put it there.
  fileprivate func before(_ change: ValueChange) -> JSONPointer? {
    let place = change.pointer
    switch change.kind {
    case .added: return place.isPrefix(of: self) ? nil : withoutElement(at: place)
    case .changed: return place.isPrefix(of: self) ? nil : self
    case .removed: return withElement(at: place)
    case .moved(let from):
      if place.isPrefix(of: self) { return JSONPointer(from.tokens + tokens.dropFirst(place.tokens.count)) }
      return withoutElement(at: place).withElement(at: from)
    }
  }

  /// The place that it has where an element isn't there that comes before it; that may as well be a member.
  private func withoutElement(at place: JSONPointer) -> JSONPointer { shifted(at: place, by: -1) { $0 > $1 } }

  /// The place that it has where an element is there again that came before it.
  private func withElement(at place: JSONPointer) -> JSONPointer { shifted(at: place, by: 1) { $0 >= $1 } }

  private func shifted(at place: JSONPointer, by distance: Int, _ isBehind: (Int, Int) -> Bool) -> JSONPointer {
    let depth = place.tokens.count - 1
    guard depth >= 0, tokens.count > depth, place.parent.isPrefix(of: self), let own = Int(tokens[depth]),
      let other = Int(place.tokens[depth]), isBehind(own, other)
    else { return self }
    var tokens = tokens
    tokens[depth] = String(own + distance)
    return JSONPointer(tokens)
  }
}
