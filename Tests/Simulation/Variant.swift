/// A deliberately broken form of the protocol, which the simulation must catch.
public enum Variant: String, CaseIterable, Sendable {
  /// The new contents are renamed over the file, whatever stands there.
  case renameInsteadOfExchange
  /// What came out of the swap is thrown away without a look.
  case noInspection
  /// Nobody asks whether a writer is inside.
  case noLease
  /// Everybody has the lock.
  case noLock
  /// What was seen last is taken for what stands at the path under the lock.
  case noRereadUnderLock
  /// An instance writes its own state, whatever others have written.
  case noRebase
  /// What is seen soon after an own write is taken for its echo.
  case echoSuppressionByTime
  /// Actions are acknowledged before they are in the file.
  case acknowledgeBeforeSwap
  /// What killed instances left is never looked after.
  case forgetOrphans
  /// What was displaced is removed although somebody still writes to it.
  case forgetDisplacedWriters
  /// Whatever was read counts as complete.
  case believeTornReads
  /// A displaced save that is invalid is thrown away.
  case noSwapBack
  /// What seemed to fail is applied again, although it stands.
  ///
  /// Neither the inodes are asked nor the stamp: each alone tells, since an error that comes after the swap is the only
  /// one that lies.
  case forgetOwnStamp
  /// A file that is missing is made by renaming over whatever has come to stand there.
  case createOverwrites
  /// What came out of the swap is overwritten by the next write, whoever still has it open.
  ///
  /// To look for company when it is put by, but no more when it is overwritten, breaks nothing here: whoever had it
  /// open was seen, and nobody opens it by the name that it has.
  case reuseSpareBlindly
  /// The file is written in place.
  case writeInPlace
  /// In a row of commits, what came out is overwritten as it is.
  case burstWithoutMark
  /// The lock is given back before it is noted that the newest version stands, and with it what would prove that.
  case unlockUnconfirmed
}
