import StateJSON
import TestSupport
import Testing

@testable import HotReload

private let readingIsNoted: Bool = {
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
@Suite(.enabled(if: readingIsNoted, "the file system is mounted with noatime"))
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
    defer { _ = file.takeReadVersions() }
    return try file.replaced("2", try file.contentsNow())
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
      #expect(file.takeReadVersions() == (reads ? [hash] : []), "\(text)")
    }
    try file.closeQuietly()
  }

  @Test func `are known where names can't be swapped`() throws {
    file.capabilities.exchange = false
    #expect(try file.tryLock())
    let old = try replacedOnce()
    _ = try folder.text(of: "state.json")
    _ = try file.replaced("3", old)
    #expect(file.takeReadVersions() == [old.hash])
    try file.closeQuietly()
  }

  @Test func `are known also if they had only opened it by then`() throws {
    #expect(try file.tryLock())
    let old = try replacedOnce()
    let editor = try FileDescriptor(opening: folder.path("state.json"), System.O_RDONLY)
    let new = try file.replaced("3", old)
    #expect(file.takeReadVersions() == [])
    #expect(file.hasReaders)

    #expect(try editor.contents(from: 0, upTo: 10) == Array("2".utf8))
    file.lookAfterReaders()
    #expect(file.hasReadVersions)
    #expect(file.takeReadVersions() == [old.hash])
    #expect(!file.hasReaders && !file.hasReadVersions)
    _ = try file.replaced("4", new)
    #expect(file.takeReadVersions() == [])
    try file.closeQuietly()
  }

  @Test func `are nobody where it was closed unread`() throws {
    #expect(try file.tryLock())
    let old = try replacedOnce()
    do {
      let other = try FileDescriptor(opening: folder.path("state.json"), System.O_RDONLY)
      _ = try file.replaced("3", old)
      #expect(file.hasReaders)
      _ = consume other
    }
    // A child of another test may have it open for an instant.
    #expect(
      eventually {
        file.lookAfterReaders()
        return !file.hasReaders
      })
    #expect(file.takeReadVersions() == [])
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
    for editor in editors { _ = try editor.descriptor.contents(from: 0, upTo: 10) }
    #expect(file.takeReadVersions() == hashes.suffix(16))
    try file.closeQuietly()
  }

  @Test func `are noted although nothing is written any more`() throws {
    try folder.write(#"{"n":1}"#, to: "state.json")
    let options = ReplicatorOptions(
      replica: ReplicaOptions(file: folder.path("state.json"), instance: "me"), watches: false,
      stateFolder: folder.path("state"))
    let view = SumView()
    let driver = try Driver(view: view, model: SumModel(), initial: .null, options: options, waker: Waker())
    try driver.start()
    func increment() {
      view.submit(SumModel.Add(key: "n", amount: 1))
      driver.perform(driver.replica.handle(.submitted))
    }
    increment()
    let editor = try FileDescriptor(opening: folder.path("state.json"), System.O_RDONLY)
    increment()
    driver.keepHouse()
    let (old, new) = ([false, false, true], [false, true, true])
    #expect(try driver.versions?.log.history()?.entries.map(\.wasRead) == old)
    #expect(driver.nextHousekeeping != nil)

    _ = try editor.contents(from: 0, upTo: 10)
    driver.keepHouse()
    #expect(try driver.versions?.log.history()?.entries.map(\.wasRead) == new)
    driver.leave()
  }

  private final class Holder {
    let descriptor: FileDescriptor

    init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }
  }
}
