import StateJSON

/// Changes that were committed to a device's own document, one after another, as its local log has them.
package struct LocalCommit: Sendable {
  /// The name that the local log has for what came of the last of them; others don't read it.
  package var label: String
  /// When that was committed, by the clock of the device: milliseconds since 1970.
  package var time: Int
  /// The document before the first; `nil` if there was none.
  package var before: JSONValue?
  /// The document after the last; `nil` if there is none.
  package var after: JSONValue?
  /// The actions that they consist of, as they are encoded; `nil` if they can't be, or an editor saved.
  package var actions: [JSONValue]?
  /// How many bytes the actions have.
  package var size: Int
  /// The places of numbers to which actions added that can't be encoded.
  package let sums: Set<JSONPointer>
  /// The app whose actions these are; `nil` for ``DocumentAction``s.
  package let app: AppVersion?
  /// The kind of seed that it is, if it is one: it made a document where none was.
  package let seed: JournalEntry.Seed?
  /// What it was made of, if somebody saved that in a file that lies in the shared folder itself. Then that is said, and not what was made
  /// of it here.
  package let save: FoundSave?

  /// Makes a commit of its parts.
  package init(
    label: String, time: Int, before: JSONValue?, after: JSONValue?, actions: [JSONValue]? = nil, size: Int = 0,
    sums: Set<JSONPointer> = [], app: AppVersion? = nil, seed: JournalEntry.Seed? = nil, save: FoundSave? = nil
  ) {
    (self.label, self.time, self.before, self.after) = (label, time, before, after)
    (self.actions, self.size, self.sums, self.app) = (actions, size, sums, app)
    (self.seed, self.save) = (seed, save)
  }

  /// How many bytes the actions have that one entry says of several commits.
  private static let limit = 1 << 20

  /// Whether the next commit is of the same kind, and one entry can say both if it goes on from this one.
  package func hasRoom(for next: LocalCommit) -> Bool {
    seed == nil && next.seed == nil && save == nil && next.save == nil && app == next.app
      && (actions == nil) == (next.actions == nil) && sums == next.sums && hasRoom(for: next.size)
  }

  /// Whether one entry can say so many bytes more.
  package func hasRoom(for more: Int) -> Bool { size + more <= Self.limit }

  /// Takes the next commit into this one.
  package mutating func append(_ next: LocalCommit) {
    (label, time, after) = (next.label, next.time, next.after)
    actions?.append(contentsOf: next.actions ?? [])
    size += next.size
  }
}

extension [LocalCommit] {
  /// The same, where those that one entry can say are one commit.
  package var joined: [LocalCommit] {
    var joined: [LocalCommit] = []
    for commit in self {
      if let last = joined.indices.last, joined[last].hasRoom(for: commit), joined[last].after == commit.before {
        joined[last].append(commit)
      } else {
        joined.append(commit)
      }
    }
    return joined
  }
}
