import StateJSON

/// What is known about one version of the file, apart from its value.
package struct Version: Sendable, Hashable {
  /// What made a version.
  package enum Cause: String, Sendable, CaseIterable {
    /// Actions of an instance.
    case action
    /// Somebody who saved from outside.
    case edit
    /// Somebody who brought an earlier version back, by a command or by saving it.
    case restore
    /// An instance that merged a save, which comes right before, into what had been committed meanwhile.
    case merge
    /// Somebody who saved from outside, and whose save stands only as part of the version that comes right after.
    case merged

    /// What a person is told.
    package var told: Cause { self == .merged ? .edit : self }
  }

  /// The hash of the file's bytes.
  package let hash: ContentHash
  /// When it was made, in milliseconds since 1970.
  package var time: Int64
  package var cause: Cause
  /// The instance that made it, or that came upon it.
  package var instance: String

  package init(hash: ContentHash, time: Int64, cause: Cause, instance: String) {
    self.hash = hash
    self.time = time
    self.cause = cause
    self.instance = instance
  }
}

extension Version {
  /// The time of modification of the file that an instance makes of it, in nanoseconds since 1970, where others tell by that whose it
  /// is. Two of one millisecond have different ones, as programs compare nothing else.
  var fileTime: Int64 { time * 1_000_000 + Int64(hash.low % 1_000_000) }
}

/// The value that a place had in a version and lost to a save that set it too, kept in the history.
package struct LostValue: Sendable, Equatable {
  package let pointer: JSONPointer
  /// `nil` if the place was to be removed.
  package let value: JSONValue?

  package init(pointer: JSONPointer, value: JSONValue?) {
    self.pointer = pointer
    self.value = value
  }
}

extension LostValue {
  /// What the left side of a merge had set where the right one won.
  static func lost(in merge: JSONMerge) -> [LostValue] {
    merge.conflicts.compactMap { conflict in
      conflict.winner == .right ? LostValue(pointer: conflict.pointer, value: conflict.left) : nil
    }
  }
}
