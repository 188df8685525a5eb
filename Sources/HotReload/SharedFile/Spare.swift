/// A file that was displaced, compared, and is free to be overwritten.
struct Spare: ~Copyable {
  /// Open for writing.
  let descriptor: FileDescriptor
  let identity: FileIdentity
  let name: String
  /// The shortened hash of the bytes in it.
  let believed: String
  /// Present where this instance wrote what is in it.
  var pin: Pin?
  /// Present where the last swap brought it out, and nobody has been able to open it since: a write lease is still on it.
  let fresh: Fresh?
  /// What it was found to be when it was about to be overwritten: nobody else has it open, and nobody can open it.
  var look: Look?

  var isFresh: Bool { fresh != nil }

  /// What is known of it since it was swapped out.
  struct Fresh {
    /// What is in it: it was compared then.
    let bytes: [UInt8]
    /// Its attributes, where they are known since right before that.
    let attributes: [String: [UInt8]]?
  }

  struct Look {
    let size: Int
    /// What must be written for it to have the bytes that it is taken for.
    let overwriting: Overwriting
    let ownership: Ownership
  }
}
