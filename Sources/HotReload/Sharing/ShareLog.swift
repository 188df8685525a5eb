import Replication
import StateJSON

/// The version log of a shared file, as what is yet to be said to other devices. Read it under the file's lock.
///
/// What a device has said is known by the label of the last version that it says; so whoever looks, in whatever process, goes on
/// from there. Read again, only what was added is read.
struct ShareLog {
  private let place: VersionLog.Place
  private let places: HomePlaces
  /// Whether the file lies beside its journals, so that others are told which versions stood in it.
  private let form: ShareForm
  /// Which file the rest of this is about.
  private var identity: FileIdentity?
  private var cursor = Cursor()
  /// What stands before the cursor: a log that was emptied, as it couldn't be removed, is the same file with something else there.
  private var seam: ArraySlice<UInt8> = []
  private static let seamLength = 64
  /// The label that is asked for next, if what was told of is said by then: nothing before the cursor is news after it.
  private var expected: String?

  /// The versions in a log that have stood.
  struct News {
    /// What was committed since, as far as other devices haven't done it.
    var commits: [LocalCommit] = []
    /// The label of the newest version; `nil` if there is none.
    var label: String?
    /// Its hash.
    var hash: ContentHash?
    /// Its value.
    var value: JSONValue?
    /// When it was made.
    var time = 0
    /// Whether the log goes back to the label that was asked for.
    var isWhole = false
    /// What instances of this device wrote, where others are told of that.
    var written: [Written] = []
    /// The versions, also older ones, of which it was noted that somebody has read them.
    var read: Set<ContentHash> = []
  }

  /// A version that stood in the file.
  struct Written {
    let version: FileVersion
    /// Its value, where that is known at once.
    let value: JSONValue?
    /// Whether these bytes had been found in the file before.
    let wasFound: Bool
    /// How many of the commits it has.
    let commitCount: Int
  }

  /// The label of what is before the first version.
  static let start = "start"

  /// Tells of the file with this resolved path, but not by actions what is done at places that stay here.
  init(
    of path: String, stateFolder: String, form: ShareForm = .apart, places: HomePlaces = HomePlaces(pointers: [])
  ) {
    place = VersionLog.Place(of: path, in: stateFolder)
    (self.form, self.places) = (form, places)
  }

  /// A piece that was added to a log, as it stands there. It can be read after the file's lock was given back.
  struct Addition {
    fileprivate let text: [UInt8]
    fileprivate let label: String?
    /// The value of the version with the label, where another log has taken the place of the one that had it.
    fileprivate let value: JSONValue?
  }

  /// The versions that came after a label, or after none; see ``news(in:until:)``.
  mutating func news(since label: String?, until found: FoundDocument? = nil) throws(SystemError) -> News {
    while let addition = try addition(since: label) {
      if let news = news(in: addition, until: found) { return news }
    }
    return News(isWhole: label == nil || label == Self.start)
  }

  /// The piece that was added since the log was read last, or all of it if that isn't after a label; `nil` if there is no log.
  mutating func addition(since label: String?) throws(SystemError) -> Addition? {
    let label = label == Self.start ? nil : label
    guard let folder = try place.existing() else { return nil }
    let file = try folder.open(place.name, System.O_RDONLY)
    let status = try file.status()
    var value: JSONValue?
    var isSame = status.identity == identity && status.size >= cursor.offset && label == expected
    if isSame { isSame = try file.contents(from: cursor.offset - seam.count, upTo: seam.count).elementsEqual(seam) }
    if !isSame {
      if label != nil, label == cursor.label { value = cursor.value }
      (identity, cursor, seam, expected) = (status.identity, Cursor(), [], nil)
    }
    let text = try file.contents(from: cursor.offset, upTo: status.size - cursor.offset)
    return Addition(text: text, label: label, value: value)
  }

  /// The versions in what was read last; `nil` if what was read before has been taken back, so that it is to be read again. If the newest
  /// is what was found in the file then, it needn't be made of those before it.
  mutating func news(in addition: Addition, until found: FoundDocument?) -> News? {
    let (label, wasAtLabel) = (addition.label, expected != nil)
    var reading = Reading(LogRecords(addition.text), cursor, since: wasAtLabel ? nil : label, form, places)
    guard reading.read(from: cursor.offset, knowing: addition.value, until: found) else {
      (identity, cursor, seam, expected) = (nil, Cursor(), [], nil)
      return nil
    }
    let read = addition.text.prefix(reading.cursor.offset - cursor.offset)
    seam = (seam + read.suffix(Self.seamLength)).suffix(Self.seamLength)
    cursor = reading.cursor
    let isWhole = label == nil || wasAtLabel || reading.hasMetLabel || reading.isLater
    expected = isWhole ? reading.commits.last?.label ?? label : nil
    return News(
      commits: reading.commits, label: cursor.label, hash: cursor.hash, value: cursor.value, time: cursor.time,
      isWhole: isWhole, written: reading.written, read: reading.read)
  }

  /// What had been found in the file at some versions, by their labels; see ``SaveOrigins``.
  var finds: [String: [FileVersion]] { cursor.findsAt }
}
