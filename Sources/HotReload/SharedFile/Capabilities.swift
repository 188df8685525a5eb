/// What the file system is taken to allow until it says otherwise; also how tests force the other ways.
struct Capabilities: Hashable, Sendable {
  /// `renameat2` with `RENAME_EXCHANGE`.
  var exchange = true
  /// `renameat2` with `RENAME_NOREPLACE`.
  var noReplace = true
  var leases = true
  /// `flock` on a directory.
  var directoryLocks = true
  /// Extended attributes.
  var attributes = true
  /// Reading without leaving a trace of it (`O_NOATIME`); only a file's owner may.
  var unnoticedReading = true
  /// An error to be met in place of a temporary file or of its swap, as in a folder that can't be written.
  var replacementError: Int32?
}

/// Moments at which somebody else may act.
enum Step: Hashable, Sendable {
  /// The file is about to be opened for its attributes.
  case beforePreparation
  /// A name was chosen that nothing has, a file of this name is about to be made.
  case beforeCreation
  /// The new bytes are in a file, which doesn't have the rights of the one that it replaces yet.
  case beforeAttributes
  /// The temporary is complete, the swap comes next.
  case beforeExchange
  /// The swap is done, what came out was not looked at yet.
  case afterExchange
  /// The path was renamed away; nothing stands there.
  case whileMissing
  /// Nothing stands there under the lock, but may come any moment, and is waited for.
  case whileAwaited
  /// An invalid save is about to be put back.
  case beforeSwapBack
  /// It was found that it can be put back, the swap comes next; also where a swap is taken back.
  case duringSwapBack
  /// It was put back, what gave way was not looked at yet; also where a swap was taken back.
  case afterSwapBack
  /// A file has got its second name and is about to lose the first.
  case linked
  /// The bytes of a displaced file are about to be read.
  case beforeLook
  /// The redo record is complete, writing in place comes next.
  case beforeWriteInPlace
}
