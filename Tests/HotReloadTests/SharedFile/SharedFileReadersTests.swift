import StateJSON
import TestSupport
import TestThreads
import Testing

@testable import HotReload

/// Whether the place of temporary files notes who reads them.
let readingIsNoted: Bool = {
  do {
    let folder = try TemporaryFolder()
    try folder.write("1", to: "file")
    let file = try FileDescriptor(opening: folder.path("file"), System.O_RDWR)
    try file.forgetReaders()
    _ = try folder.text(of: "file")
    return try file.wasRead()
  } catch {
    return true
  }
}()

/// Who has read a version that is displaced may come back with a save of it.
@Suite(.ownThreads, .enabled(if: readingIsNoted, "the file system is mounted with noatime"))
struct SharedFileReadersTests {
  let folder: TemporaryFolder
  let file: SharedFile

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("1", to: "state.json")
    file = try SharedFile(path: folder.path("state.json"), instance: "me", capabilities: Capabilities())
  }

  /// A version of ours: what somebody else wrote counts as read.
  func replacedOnce() throws -> Contents {
    defer { _ = readVersions() }
    return try file.replaced("2", try file.contentsNow())
  }

  /// What is found out at the end of a hold of the lock.
  func readVersions() -> [ContentHash] {
    file.settleReaders()
    return file.takeReadVersions()
  }

  @Test func `are known, and instances don't count`() throws {
    let other = try SharedFile(path: folder.path("state.json"), instance: "other", capabilities: Capabilities())
    #expect(try file.tryLock())
    var now = try replacedOnce()
    for (text, reads) in [("3", false), ("4", true), ("5", false), ("6", true), ("7", true)] {
      _ = try other.contentsNow()
      if reads { _ = try folder.text(of: "state.json") }
      let hash = now.hash
      now = try file.replaced(text, now)
      #expect(readVersions() == (reads ? [hash] : []), "\(text)")
    }
    try file.closeQuietly()
  }

  @Test func `are known where names can't be swapped`() throws {
    file.capabilities.exchange = false
    #expect(try file.tryLock())
    let old = try replacedOnce()
    _ = try folder.text(of: "state.json")
    _ = try file.replaced("3", old)
    #expect(readVersions() == [old.hash])
    try file.closeQuietly()
  }

  @Test(arguments: [false, true])
  func `are known also if they had only opened it by then`(reads: Bool) throws {
    #expect(try file.tryLock())
    let old = try replacedOnce()
    let editor = try FileDescriptor(opening: folder.path("state.json"), System.O_RDONLY)
    let new = try file.replaced("3", old)
    if reads { #expect(try editor.contents(from: 0, upTo: 10) == Array("2".utf8)) }
    // Who has not read it yet still can.
    #expect(readVersions() == [old.hash])
    _ = try file.replaced("4", new)
    #expect(readVersions() == [])
    try file.closeQuietly()
  }

  @Test func `are known also if they had closed it meanwhile`() throws {
    #expect(try file.tryLock())
    let old = try replacedOnce()
    do {
      let editor = try FileDescriptor(opening: folder.path("state.json"), System.O_RDONLY)
      _ = try file.replaced("3", old)
      file.retireSwappedOut()
      #expect(file.readers.opened.count == 1)
      #expect(try editor.contents(from: 0, upTo: 10) == Array("2".utf8))
      _ = consume editor
    }
    #expect(readVersions() == [old.hash])
    try file.closeQuietly()
  }

  @Test func `are nobody where it was closed unread`() throws {
    #expect(try file.tryLock())
    let old = try replacedOnce()
    do {
      let other = try FileDescriptor(opening: folder.path("state.json"), System.O_RDONLY)
      _ = try file.replaced("3", old)
      file.retireSwappedOut()
      #expect(file.readers.opened.count == 1)
      _ = consume other
    }
    // A child of another test may have it open for an instant.
    #expect(eventually { file.readers.opened.allSatisfy(\.isUnread) })
    #expect(readVersions() == [])
    try file.closeQuietly()
  }

  @Test func `may be those who write to it, or had it open when it was written over`() throws {
    #expect(try file.tryLock())
    var now = try replacedOnce()
    let editor = try FileDescriptor(opening: folder.path("state.json"), System.O_RDWR)
    now = try file.replaced("3", now)
    #expect(readVersions() == [ContentHash(Array("2".utf8))])
    let other = try FileDescriptor(opening: folder.path("state.json"), System.O_RDWR)
    file.at(.beforeExchange) { try other.write(Array("9".utf8)) }
    _ = try file.displaced("4", now)
    #expect(readVersions() == [now.hash])
    _ = consume editor
    file.unlock()
  }

  @Test func `of a file with readers its name tells until they are noted`() throws {
    #expect(try file.tryLock())
    let old = try replacedOnce()
    let editor = try FileDescriptor(opening: folder.path("state.json"), System.O_RDONLY)
    _ = try file.replaced("3", old)
    file.settleReaders()
    let names = try folder.names.filter { $0 != "state.json" }
    #expect(names.compactMap { SharedFileName($0, prefix: file.prefix)?.base } == [SharedFileName.short(old.hash)])
    file.discardSettled()
    #expect(try folder.names == ["state.json"])
    _ = consume editor
    try file.closeQuietly()
  }

  @Test func `are few enough to keep in sight`() throws {
    #expect(try file.tryLock())
    var now = try replacedOnce()
    var (hashes, editors): ([ContentHash], [Holder]) = ([], [])
    for number in 11...30 {
      editors.append(Holder(try FileDescriptor(opening: folder.path("state.json"), System.O_RDONLY)))
      hashes.append(now.hash)
      now = try file.replaced("\(number)", now)
    }
    file.retireSwappedOut()
    #expect(file.readers.opened.count == 16)
    // Those out of sight count as read while somebody has them open.
    #expect(readVersions() == hashes)
    try file.closeQuietly()
  }

  @Test func `are noted here`() throws { #expect(file.notesReaders) }

  @Test func `are unknown where leases, or reading without a trace, can't be had`() throws {
    file.capabilities.leases = false
    #expect(!file.notesReaders)
  }

  @Test func `are noted before anybody else can have the lock`() throws {
    try folder.write(#"{"n":1}"#, to: "state.json")
    let instance = try Instance("me", in: folder)
    instance.increment()
    let editor = try FileDescriptor(opening: folder.path("state.json"), System.O_RDONLY)
    instance.increment()
    #expect(try instance.entries.map(\.wasRead) == [false, true, true])
    _ = consume editor
    instance.driver.leave()
  }

  @Test func `are noted by who recovers what a killed instance had displaced`() throws {
    try folder.write(#"{"n":1}"#, to: "state.json")
    let first = try Instance("first", in: folder)
    first.increment()
    first.increment()
    let hashes = try first.entries.map { SharedFileName.short($0.version.hash) }
    first.driver.leave()
    // As it was left between the swap and the note.
    let label = SharedFileName(
      role: .temporary, inode: try folder.status(of: "state.json").identity.inode, base: hashes[1], new: hashes[0])
    try folder.write(#"{"n":2}"#, to: label.text(file.prefix))

    let second = try Instance("second", in: folder)
    second.increment()
    #expect(try second.entries.map(\.wasRead) == [false, false, true, true])
    second.driver.leave()
  }

  /// Adds to the number in the file.
  private struct Instance {
    let view = SumView()
    let driver: Driver

    init(_ name: String, in folder: TemporaryFolder) throws {
      let options = ReplicatorOptions(
        replica: ReplicaOptions(file: folder.path("state.json"), instance: name), watches: false,
        stateFolder: folder.path("state"))
      driver = try Driver(view: view, model: SumModel(), initial: .null, options: options, waker: Waker())
      try driver.start()
    }

    func increment() {
      view.submit(SumModel.Add(key: "n", amount: 1))
      driver.perform(driver.replica.handle(.submitted))
    }

    var entries: [VersionHistory.Entry] {
      get throws { try #require(try driver.ledger.versions?.log.history()).entries }
    }
  }

  private final class Holder {
    let descriptor: FileDescriptor

    init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }
  }
}
