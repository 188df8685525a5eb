import StateJSON
import TestSupport
import TestThreads
import Testing

@testable import HotReload

/// What looks as it did when it was read or written last is not read once more in order to be replaced; whatever it is, the swap
/// brings it out.
@Suite(.ownThreads) struct SharedFileFamiliarTests {
  let folder: TemporaryFolder
  let file: SharedFile
  /// What stands there, under the stamp of an instance.
  let last: Contents

  init() throws {
    folder = try TemporaryFolder()
    let file = try folder.sharedFile("x", holding: "first")
    var last = try file.contentsNow()
    try file.locked { last = try file.replaced("known", last) }
    (self.file, self.last) = (file, last)
  }

  /// Saves other bytes of the same length, and lets the file look as before: nothing else tells.
  func saveUnseen(_ text: String) throws {
    try #require(text.utf8.count == last.bytes.count && text != last.text)
    try folder.write(text, to: "x")
    try folder.setModified(last.status.modified, of: "x")
  }

  /// What is read under the lock, and what came of replacing it.
  func commit(by file: SharedFile) throws -> (base: String, Replacement) {
    #expect(try file.tryLock())
    defer { file.unlock() }
    let base = try file.contentsNow()
    return (base.text, try file.replace("next", base))
  }

  @Test(arguments: [true, false]) func `by who has written it, or read it`(isWriter: Bool) throws {
    let other = try SharedFile(path: file.path, instance: "other", stateFolder: folder.path("state"))
    let committer = isWriter ? file : other
    #expect(try committer.contentsNow().stamp?.instance == "me")
    try saveUnseen("saved")
    let (base, replacement) = try commit(by: committer)
    #expect(base == "known")
    guard case .displaced(let foreign, let now) = replacement else {
      Issue.record("the save is lost")
      return
    }
    #expect((foreign.text, foreign.stamp) == ("saved", nil))
    #expect(try (now.text, folder.text(of: "x")) == ("next", "next"))
  }

  /// Then it looks as before once more.
  @Test func `is read when it was put back`() throws {
    try saveUnseen("{oops")
    #expect(try file.tryLock())
    let (foreign, _) = try file.displaced("next", file.contentsNow())
    let restoration = try file.swapBack(foreign)
    guard case .contents(let now) = restoration.now else {
      Issue.record("nothing stands there")
      return
    }
    #expect((now.text, now.stamp) == ("{oops", nil))
    file.unlock()
    #expect(try folder.text(of: "x") == "{oops")
  }

  @Test func `without the lock it is read`() throws {
    try saveUnseen("saved")
    #expect(try file.contentsNow().text == "saved")
    // And isn't familiar to anybody who was told so.
    #expect(try commit(by: file).base == "saved")
  }

  enum Look: CaseIterable {
    case size, time, stamp, swapless, degraded
  }

  @Test(arguments: Look.allCases) func `what looks different, or can't be swapped out, is read`(look: Look) throws {
    try saveUnseen("saved")
    var text = "saved"
    switch look {
    case .size:
      text = "a save"
      try folder.write(text, to: "x")
      try folder.setModified(last.status.modified, of: "x")
    case .time: try folder.setModified(last.status.modified + 1, of: "x")
    case .stamp:
      let stamp = Stamp(content: last.hash, predecessor: nil, instance: "another")
      try FileDescriptor(opening: folder.path("x"), System.O_RDWR).setAttribute(Stamp.attribute, stamp.encoded)
      try folder.setModified(last.status.modified, of: "x")
    case .swapless: file.capabilities.exchange = false
    case .degraded: file.degradation = Degradation(cause: SystemError(call: "renameat2", errno: System.EBUSY))
    }
    let (base, replacement) = try commit(by: file)
    #expect(base == text)
    guard case .replaced = replacement else {
      Issue.record("\(replacement)")
      return
    }
    #expect(try folder.text(of: "x") == "next")
  }
}
