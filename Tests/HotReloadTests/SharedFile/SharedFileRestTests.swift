import CLinux
import Glibc
import StateJSON
import TestSupport
import TestThreads
import Testing

@testable import HotReload

/// Between commits that follow each other the lock is kept, and so is what each of them has brought out. Whatever somebody else
/// does meanwhile counts as it does at any other time.
@Suite(.ownThreads) struct SharedFileRestTests {
  let folder: TemporaryFolder
  let file: SharedFile

  init() throws {
    folder = try TemporaryFolder()
    file = try folder.sharedFile("x", holding: "1")
  }

  /// Commits once, and keeps the lock; the file is then one that was swapped with another.
  func commitAndRest(_ text: String) throws {
    #expect(try file.tryLock())
    guard case .replaced = try file.replace(text, file.contentsNow()) else {
      Issue.record("somebody else has interfered")
      return
    }
    file.rest()
  }

  /// Commits until what the last swap brought out can be reused, and what it brought there is still open.
  func commitUntilReusable() throws {
    let isReusable = try eventually {
      try commitAndRest(file.contentsNow().text + "+")
      // Somebody else's process may have the file open for a moment.
      guard case .nobody? = file.partner.swappedOut?.company, file.openFiles.written?.status != nil else {
        return false
      }
      return true
    }
    #expect(isReusable)
  }

  /// What a file that was swapped out is called now.
  func kept(_ identity: FileIdentity) throws -> String {
    try #require(folder.names.first { try folder.status(of: $0).identity == identity })
  }

  func commitAndUnlock(_ text: String, over expected: String) throws -> Replacement {
    #expect(try file.tryLock())
    defer { file.unlock() }
    var base = try file.contentsNow()
    var replacement = try file.replace(text, base)
    if case .changed = replacement {
      base = try file.contentsNow()
      replacement = try file.replace(text, base)
    }
    #expect(base.text == expected)
    return replacement
  }

  /// Of a large text only those parts are written that the spare doesn't hold.
  @Test func `each commit of a row brings all of its bytes, wherever they differ from those before`() throws {
    let piece = Overwriting.pieceSize
    var bytes = [UInt8](repeating: UInt8(ascii: "."), count: 5 * piece)
    for number in 0..<24 {
      let mark = UInt8(ascii: "a") + UInt8(number)
      switch number % 6 {
      case 0: bytes[number / 6 * piece + number] = mark
      case 1: bytes += [UInt8](repeating: mark, count: piece + number)
      case 2: bytes[bytes.count - 1] = mark
      case 3: bytes.removeLast(piece / 2)
      case 4: bytes.insert(mark, at: 2 * piece)
      default: break
      }
      try commitAndRest(String(decoding: bytes, as: UTF8.self))
      #expect(try folder.bytes(of: "x") == bytes, "\(number)")
    }
    file.unlock()
    try file.locked { try file.closeQuietly() }
    #expect(try folder.names == ["x"])
  }

  /// As the kernel lets him once he has waited for 45 seconds.
  @Test func `a spare that somebody may have got into meanwhile is written as a whole`() throws {
    let text = String(repeating: ".", count: 3 * Overwriting.pieceSize)
    try commitAndRest(text)
    try commitUntilReusable()
    let spare = file.partner.swappedOut?.name ?? ""
    let descriptor = file.partner.swappedOut?.descriptor.rawValue ?? -1
    file.at(.beforeAttributes) {
      let path = self.folder.path(spare)
      #expect(throws: SystemError.self) {
        try FileDescriptor(opening: path, System.O_WRONLY | System.O_NONBLOCK).status()
      }
      #expect(pwrite(descriptor, "x", 1, off_t(2 * Overwriting.pieceSize)) == 1)
    }
    try commitAndRest(text + "!")
    #expect(try folder.text(of: "x") == text + "!")
    file.unlock()
  }

  @Test func `others don't get the lock until it is given back`() throws {
    let other = try SharedFile(path: folder.path("x"), instance: "other", stateFolder: folder.path("state"))
    try commitAndRest("2")
    #expect(file.isResting && !file.isLocked)
    #expect(try !other.tryLock())
    let count = file.lockCount
    #expect(try file.tryLock())
    #expect(file.isLocked && !file.isResting)
    #expect(file.lockCount == count)
    file.rest()
    file.unlock()
    #expect(!file.isResting && !file.isLocked)
    #expect(try other.tryLock())
    #expect(try other.contentsNow().text == "2")
    other.unlock()
  }

  /// A burst, in which what comes out keeps one name.
  func commitUntilInBurst() throws {
    let isInBurst = try eventually {
      try commitUntilReusable()
      let name = file.partner.swappedOut?.name
      return name == SharedFileName(burstOf: "me").text(file.prefix)
    }
    #expect(isInBurst)
  }

  @Test func `what one commit brought out is overwritten by the next, and its stamp tells that`() throws {
    try commitUntilInBurst()
    let last = try file.contentsNow()
    let (found, foundName) = (file.partner.swappedOut?.contents, file.partner.swappedOut?.name)
    let (out, name) = try (#require(found), #require(foundName))
    var stamps: [Step: [UInt8]] = [:]
    file.onStep = { [folder] in
      stamps[$0] = try? FileDescriptor.attribute(Stamp.attribute, of: folder.path(name))
    }
    guard case .replaced(let now) = try commitAndUnlock("next", over: last.text) else {
      Issue.record("somebody else has interfered")
      return
    }
    #expect(now.identity == out.identity)
    // The bytes are there: after a crash they are nobody's.
    #expect(stamps[.beforeAttributes] == Stamp.unfinished)
    #expect(stamps[.beforeExchange] == now.stamp?.encoded)
    #expect(stamps[.afterExchange] == last.stamp?.encoded)
    #expect(try folder.text(of: "x") == "next")
    try file.locked { try file.closeQuietly() }
    #expect(try folder.names == ["x"])
  }

  /// Of the others the name tells what is in them, whatever becomes of this instance.
  @Test(arguments: [true, false]) func `a save that is swapped out in a burst isn't left under its name`(
    byRenaming: Bool
  ) throws {
    try commitUntilInBurst()
    let last = try file.contentsNow()
    file.at(.beforeExchange) { [folder] in
      if byRenaming { try folder.save("a save", to: "x") } else { try folder.write("a save", to: "x") }
    }
    guard case .displaced(let save, let now) = try commitAndUnlock("next", over: last.text) else {
      Issue.record("the save is lost")
      return
    }
    #expect(save.text == "a save")
    let label = try #require(SharedFileName(kept(save.identity), prefix: file.prefix))
    #expect(label.role == .temporary)
    #expect(label.inode == now.identity.inode)
    #expect(label.base == SharedFileName.short(last.hash))
    #expect(label.new == SharedFileName.short(now.hash))
  }

  @Test func `what somebody has open isn't left under the name of a burst`() throws {
    try commitUntilInBurst()
    let last = try file.contentsNow()
    let reader = try FileDescriptor(opening: folder.path("x"), System.O_RDONLY)
    try commitAndRest("next")
    let foundName = file.partner.swappedOut?.name
    let name = try #require(foundName)
    let label = try #require(SharedFileName(name, prefix: file.prefix))
    #expect(label.role == .temporary)
    #expect(label.base == SharedFileName.short(last.hash))
    #expect(try reader.status().identity == last.identity)
    file.unlock()
  }

  /// An editor's file has no stamp that could tell what it is.
  @Test func `what an editor has made keeps no name of a burst`() throws {
    try commitUntilInBurst()
    try folder.save("a save", to: "x")
    var names: [String] = []
    file.onStep = { [folder] in
      if $0 == .beforeExchange { names = (try? folder.names) ?? [] }
    }
    guard case .replaced = try commitAndUnlock("next", over: "a save") else {
      Issue.record("what was read isn't what was swapped out")
      return
    }
    #expect(names.contains { $0.hasSuffix(".tmp") })
    #expect(!names.contains { $0.hasSuffix(".burst") })
  }

  @Test func `what was written stays open until the lock is given back, and others can read it`() throws {
    let other = try SharedFile(path: folder.path("x"), instance: "other", stateFolder: folder.path("state"))
    try commitUntilReusable()
    let open = file.openFiles.written?.status
    #expect(try open?.identity == folder.status(of: "x").identity)
    #expect(try other.contentsNow().stamp?.instance == "me")
    file.unlock()
    #expect(file.openFiles.written?.status == nil)
    let isLeased = try eventually {
      let reader = try FileDescriptor(opening: folder.path("x"), System.O_RDONLY)
      return reader.take(.read) == .granted
    }
    #expect(isLeased)
  }

  @Test func `what somebody is reading when it is swapped out isn't overwritten`() throws {
    try commitUntilReusable()
    let last = try file.contentsNow().text
    let reader = try FileDescriptor(opening: folder.path("x"), System.O_RDONLY)
    try commitAndRest("next")
    guard case .readersOnly? = file.partner.swappedOut?.company else {
      Issue.record("the reader wasn't seen")
      return
    }
    for text in ["one more", "and another"] { try commitAndRest(text) }
    #expect(try String(decoding: reader.contents(expecting: 0, limit: 100), as: UTF8.self) == last)
    file.unlock()
    try file.locked { try file.closeQuietly() }
    #expect(try folder.names == ["x"])
  }

  /// A copy, stamp and all, which was seen meanwhile: nothing but the inode tells it from the one that is open.
  @Test func `a copy at the path isn't taken for the file that is open`() throws {
    try commitUntilReusable()
    let last = try file.contentsNow()
    let copy = try FileDescriptor(
      opening: folder.path("copy"), System.O_WRONLY | System.O_CREAT | System.O_EXCL, permissions: 0o644)
    try copy.write(last.bytes)
    try copy.setAttribute(Stamp.attribute, #require(last.stamp).encoded)
    try folder.rename("copy", to: "x")
    #expect(try file.contentsNow().identity == copy.status().identity)
    #expect(try file.tryLock())
    #expect(try file.contentsNow().identity == copy.status().identity)
    #expect(file.openFiles.read?.isWritten == false)
    file.rest()
    for text in ["next", "one more", "and another"] {
      try commitAndRest(text)
      #expect(try folder.text(of: "x") == text)
    }
    // It is open for writing here, so nothing may be written over it.
    #expect(try folder.text(of: kept(copy.status().identity)) == last.text)
    file.unlock()
  }

  enum Interference: CaseIterable {
    case secondName, rename, rights
  }

  /// As with any other spare.
  @Test(arguments: Interference.allCases)
  func `what somebody has come by meanwhile isn't overwritten`(interference: Interference) throws {
    try commitUntilReusable()
    let last = try file.contentsNow().text
    let (found, foundName) = (file.partner.swappedOut?.contents, file.partner.swappedOut?.name)
    let (out, name) = try (#require(found), #require(foundName))
    switch interference {
    case .secondName: try SystemError.check("linkat") { link(folder.path(name), folder.path("second")) }
    case .rename: try folder.rename(name, to: "second")
    case .rights: chmod(folder.path(name), 0o666)
    }
    guard case .replaced(let now) = try commitAndUnlock("next", over: last) else {
      Issue.record("somebody else has interfered")
      return
    }
    #expect(now.identity != out.identity)
    #expect(try folder.text(of: "x") == "next")
    if interference != .rights { #expect(try folder.text(of: "second") == out.text) }
  }

  /// Who doesn't wait to be let in is refused; the lease tells that somebody has asked.
  @Test func `what somebody wants to open meanwhile is a spare like any other`() throws {
    try commitUntilReusable()
    let foundName = file.partner.swappedOut?.name
    let name = try #require(foundName)
    let failure = #expect(throws: SystemError.self) {
      _ = try FileDescriptor(opening: folder.path(name), System.O_RDONLY | System.O_NONBLOCK)
    }
    #expect(failure?.errno == System.EWOULDBLOCK)
    file.reuseSwappedOut()
    let spareName = file.partner.spare?.name
    #expect(try SharedFileName(#require(spareName), prefix: file.prefix)?.role == .spare)
    file.unlock()
  }

  /// Of the same length, and within one tick of the clock: nothing but the bytes tells.
  @Test func `a save meanwhile is found when it is swapped out, however much it looks like what stood there`() throws {
    try commitUntilReusable()
    let last = try file.contentsNow()
    let save = String(last.text.reversed())
    try #require(save != last.text)
    try folder.write(save, to: "x")
    try folder.setModified(last.status.modified, of: "x")
    guard case .displaced(let foreign, _) = try commitAndUnlock("next", over: last.text) else {
      Issue.record("the save is lost")
      return
    }
    #expect(foreign.text == save)
  }

  @Test func `a file that was removed meanwhile is missing`() throws {
    try commitUntilReusable()
    try folder.remove("x")
    #expect(try file.tryLock())
    #expect(try file.replace("never", file.contentsNow()) == .missing)
    #expect(try file.read() == .missing)
    #expect(try !folder.names.contains("x"))
    file.unlock()
  }

  @Test func `rights that it got meanwhile are those of the next one`() throws {
    try commitUntilReusable()
    #expect(chmod(folder.path("x"), 0o604) == 0)
    _ = try commitAndUnlock("next", over: file.contentsNow().text)
    #expect(try folder.status(of: "x").permissions == 0o604)
  }

  @Test(arguments: [true, false]) func `a save meanwhile is read by the next commit`(byRenaming: Bool) throws {
    try commitUntilReusable()
    if byRenaming { try folder.save("a save", to: "x") } else { try folder.write("a save", to: "x") }
    // What this instance brought there is taken for granted until it is about to be replaced.
    #expect(try file.tryLock())
    let base = try file.contentsNow()
    #expect(base.text != "a save")
    #expect(try file.replace("never", base) == .changed)
    #expect(try folder.text(of: "x") == "a save")
    file.rest()
    guard case .replaced = try commitAndUnlock("next", over: "a save") else {
      Issue.record("what was read isn't what was swapped out")
      return
    }
    #expect(try folder.text(of: "x") == "next")
    try file.locked { try file.closeQuietly() }
    #expect(try folder.names == ["x"])
  }

  @Test func `a lock that is kept isn't one of the folder that has taken the place of the first`() throws {
    try folder.makeFolder("a")
    try folder.write("1", to: "a/x")
    let file = try folder.sharedFile("a/x")
    #expect(try file.tryLock())
    for text in ["2", "3", "4"] { _ = try file.replace(text, file.contentsNow()) }
    file.rest()
    try folder.rename("a", to: "b")
    try folder.makeFolder("a")
    try folder.write("new", to: "a/x")
    #expect(try file.contentsNow().text == "new")
    #expect(!file.isResting)
    let other = try SharedFile(path: folder.path("a/x"), instance: "other", stateFolder: folder.path("state"))
    #expect(try other.tryLock())
    #expect(try !file.tryLock())
    other.unlock()
    #expect(try file.tryLock())
    #expect(try !other.tryLock())
    file.unlock()
    #expect(try folder.names(in: "b").allSatisfy { !$0.hasSuffix(".burst") })
  }

  /// There no stamp could tell what is in a file.
  @Test func `where files have no attributes a burst goes on, and its files have names that tell`() throws {
    let file = try folder.sharedFile("y", holding: "1", Capabilities(attributes: false))
    var names: [String] = []
    file.onStep = { [folder] in
      if $0 == .beforeExchange { names += (try? folder.names) ?? [] }
    }
    for text in ["2", "3", "4", "5", "6"] {
      #expect(try file.tryLock())
      guard case .replaced = try file.replace(text, file.contentsNow()) else {
        Issue.record("somebody else has interfered")
        return
      }
      file.rest()
    }
    file.unlock()
    #expect(try folder.text(of: "y") == "6")
    #expect(!names.contains { $0.hasSuffix(".burst") })
  }

  @Test func `rights that are given meanwhile are looked at, and kept`() throws {
    try commitUntilReusable()
    #expect(try file.seen.writableRights?.rights == folder.status(of: "x").rights)
    let last = try file.contentsNow().text
    chmod(folder.path("x"), 0o600)
    guard case .replaced = try commitAndUnlock("next", over: last) else {
      Issue.record("somebody else has interfered")
      return
    }
    #expect(try folder.status(of: "x").permissions == 0o600)
    #expect(try file.seen.writableRights?.rights == folder.status(of: "x").rights)
  }

  func note() throws -> [UInt8]? { try FileDescriptor.attribute("user.note", of: folder.path("x")) }

  func setNote(_ note: String?) throws {
    let file = try FileDescriptor(opening: folder.path("x"), System.O_RDONLY)
    if let note {
      try file.setAttribute("user.note", Array(note.utf8))
    } else {
      try file.removeAttribute("user.note")
    }
  }

  @Test func `an attribute that is given, changed or taken away meanwhile is so in all that follows`() throws {
    try commitUntilInBurst()
    for given in ["1", "2", nil] {
      try setNote(given)
      for _ in 0..<3 {
        try commitAndRest(file.contentsNow().text + "+")
        #expect(try note() == given.map { Array($0.utf8) })
      }
    }
    file.unlock()
  }

  /// It comes too late for the file that is about to be swapped in, but isn't lost with the one that it was given to.
  @Test func `an attribute that is given in the very instant of a swap comes back with the file`() throws {
    try commitUntilInBurst()
    var isGiven = false
    file.onStep = { [self] step in
      guard step == .beforeExchange, !isGiven else { return }
      isGiven = (try? setNote("1")) != nil
    }
    try commitAndRest(file.contentsNow().text + "+")
    #expect(isGiven)
    #expect(try note() == nil)
    for _ in 0..<3 {
      try commitAndRest(file.contentsNow().text + "+")
      #expect(try note() == Array("1".utf8))
    }
    file.unlock()
  }
}
