import StateJSON

/// What stood at the path at one moment.
package enum Snapshot: Hashable, Sendable {
  /// Nothing, or a symbolic link to nothing.
  case missing
  case contents(Contents)
}

/// The bytes of a file, and what is known about them.
package struct Contents: Hashable, Sendable {
  package let bytes: [UInt8]
  package let hash: ContentHash
  package internal(set) var status: FileStatus
  /// Present only while it matches the bytes: then an instance wrote them, not an editor.
  package let stamp: Stamp?
  /// Whether the bytes are known to be a complete save: nobody had the file open for writing and it did not change
  /// while it was read, or the stamp vouches for them. Otherwise read again, or wait until they stay the same.
  package internal(set) var settled: Bool

  package var identity: FileIdentity { status.identity }

  package init(bytes: [UInt8], hash: ContentHash, status: FileStatus, stamp: Stamp?, settled: Bool) {
    self.bytes = bytes
    self.hash = hash
    self.status = status
    self.stamp = stamp
    self.settled = settled
  }
}

/// How an attempt to replace the file ended. Whatever the case, nothing that somebody saved is lost.
package enum Replacement: Hashable, Sendable {
  /// Done: exactly the expected bytes came out. The new contents stand at the path. Also where what came out can
  /// neither be read nor put back: it is kept, and comes as a late save when it can be read.
  case replaced(Contents)
  /// Swapped, but somebody had saved since the base was read. Their save is kept beside the file. If it is valid:
  /// merge it, replace again, then call `ingested`. If it is settled and invalid: `swapBack`.
  case displaced(Contents, now: Contents)
  /// Nothing was written, since what stands at the path isn't the base: read it again.
  case changed
  /// Nothing was written, since the file is gone. Use `create` when it stays so.
  case missing
}

/// Why a file is replaced in a way that a racing editor can beat.
package struct Degradation: Hashable, Sendable, CustomStringConvertible {
  package let cause: SystemError

  package var description: String { "written in place, since nothing can take its place here (\(cause.reason))" }
}
