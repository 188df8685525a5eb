import StateJSON
import StoreCore

extension Replica {
  /// An event around a replica, or the outcome of one of its instructions.
  enum Event: Sendable {
    /// The first event.
    case started
    /// Actions are waiting to be drained.
    case submitted
    /// More actions are waiting to be drained than ``ReplicaOptions/pendingLimit``.
    case crowded
    /// What stands at the path, read without the lock: it may be shown, but is never confirmed.
    case seen(Snapshot)
    case locked
    /// What stands at the path, read under the lock.
    case read(Snapshot)
    /// The recent versions.
    case recalled(Recollection)
    /// Versions could not be recorded. No instruction follows: what was to be done after that is done.
    case notRecorded([Record])
    /// The actions submitted since the last time and, from a view that applies them itself, the state it shows.
    case drained([Model.Action], Model.State?)
    /// The contents came to stand at the path, and exactly the expected ones were displaced.
    case replaced
    /// The contents came to stand at the path as `now`, but displaced a foreign save.
    case displaced(Contents, now: Contents)
    /// There was nothing at the path to replace.
    case vanished
    /// Nothing was written, since something else stands at the path.
    case changed
    /// A displaced save was put back. A later one may have come between and stays; then the others were set aside.
    case restored(Snapshot, setAside: [Contents])
    /// A killed instance left something that is to be looked after under the lock.
    case leftovers
    /// A save that was made into a file already displaced.
    case late(LateSave)
    /// The lock is long in coming; it is still waited for.
    case delayed(Problem)
    /// The system refused what an instruction takes.
    case failed(Problem)
    case timer(Timer)
  }

  /// A step that the driver takes for a replica. Of a list, taken in order, at most the last one is answered by an event, but for
  /// ``Event/notRecorded(_:)``.
  enum Instruction: Sendable {
    /// Read without the lock: ``Event/seen(_:)``.
    case look
    /// Wait for the lock: ``Event/locked``.
    case lock
    /// Read under the lock: ``Event/read(_:)``.
    case read
    /// Look up the recent versions, unless less is enough: ``Event/recalled(_:)``.
    case recall(unless: RecallWaiver)
    /// Add to the recent versions, in one write: ``Event/notRecorded(_:)`` where that fails.
    case record([Record])
    /// The version recorded last, or that should have been, stands in the file now: ``Event/notRecorded(_:)`` where it was
    /// not recorded, and can't be.
    case confirm(Record)
    /// Versions, and any recorded after them, are none after all.
    case unrecord([ContentHash])
    /// A version that was taken back stood in the file for a moment, and a save may be made from it.
    case withdraw(Record)
    /// Hand over what was submitted: ``Event/drained(_:_:)``.
    case drain
    /// Put contents in the place of those expected: ``Event/replaced``, ``Event/displaced(_:now:)``,
    /// ``Event/changed``, ``Event/vanished``.
    case replace([UInt8], hash: ContentHash, expecting: Contents)
    /// Put contents where nothing is: ``Event/replaced``, ``Event/changed``.
    case create([UInt8], hash: ContentHash)
    /// Put a displaced save back in its place: ``Event/restored(_:setAside:)``.
    case swapBack(Contents)
    /// A displaced save is in the file now, or kept elsewhere; it need not be kept beside the file any longer.
    case forget(Contents)
    /// A displaced save is not whole yet; tell when it is.
    case expectMore(Contents)
    case unlock
    /// Show a state that something else than this instance's actions led to.
    case publish(Publication)
    /// Tell that the oldest pending actions are in the file.
    case acknowledge(Acknowledgement)
    case report(ProblemEvent)
    case notify(Notice)
    /// Keep an external save that has no place in the file elsewhere than beside it.
    case rescue(Contents, Problem)
    /// Send ``Event/timer(_:)`` after a while; replaces an earlier one of the same kind.
    case setTimer(Timer, Duration)
  }

  enum Timer: Sendable, Hashable {
    /// Contents were incomplete or somebody was still writing them: have they come to rest?
    case settle
    /// The file was missing: has it come back?
    case grace
    /// The system refused something: does it still?
    case retry
  }

  /// What a view is given by ``ReplicaView/publish(_:cause:version:)``.
  struct Publication: Sendable {
    var state: Model.State
    var cause: Cause
    var version: ContentHash?
  }

  /// What a view is given by ``ReplicaView/acknowledge(_:outcomes:state:version:)``.
  struct Acknowledgement: Sendable {
    var count: Int
    var outcomes: [Model.Outcome]
    var state: Model.State
    var version: ContentHash
  }

  struct LateSave: Sendable {
    var save: Contents
    /// The hash of what the file held when it was displaced, or the beginning of its digits, if that is known.
    var base: String?
    /// The hash of what displaced it, likewise, where an instance that was killed may have done so unseen.
    var successor: String?
    /// What stands in the file is newer, and is not overridden by it.
    var yields = false
  }
}

extension Array {
  /// As `+=`, which makes a new array for nothing where both are empty, and copies where one is. Of instructions there are mostly
  /// none.
  mutating func add(_ others: [Element]) {
    if isEmpty { self = others } else if !others.isEmpty { self += others }
  }
}
