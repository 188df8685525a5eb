import CLinux
import Glibc
import StateJSON
import TestSupport
import TestThreads
import Testing

@testable import HotReload

/// An instance that hears of its own commit need not read it; but it must be its own.
@Suite(.ownThreads) struct SharedFileEchoTests {
  let folder: TemporaryFolder
  let file: SharedFile

  init() throws {
    folder = try TemporaryFolder()
    try folder.makeFolder("a")
    try folder.write("1", to: "a/x")
    file = try SharedFile(path: folder.path("a/x"), instance: "me", stateFolder: folder.path("state"))
    try file.locked {
      var now = try file.contentsNow()
      for text in ["2", "3", "4"] { now = try file.replaced(text, now) }
    }
  }

  /// Other bytes, in all else like those that were written.
  func copy(to name: String, _ written: FileStatus) throws {
    let stamp = try FileDescriptor.attribute(Stamp.attribute, of: folder.path("a/x"))
    try folder.write("5", to: name)
    try FileDescriptor(opening: folder.path(name), O_RDWR).setAttribute(Stamp.attribute, stamp ?? [])
    try folder.setModified(written.modified, of: name)
  }

  @Test func `what it wrote stands there until something else does`() throws {
    #expect(file.standsAsWritten)
    #expect(try file.contentsNow().text == "4")
    #expect(file.standsAsWritten)
    try file.locked {
      #expect(!file.standsAsWritten)
      _ = try file.replaced("5", file.contentsNow())
    }
    #expect(file.standsAsWritten)
    try file.locked { try file.closeQuietly() }
    #expect(file.standsAsWritten)
    try folder.save("6", to: "a/x")
    #expect(!file.standsAsWritten)
    #expect(try file.contentsNow().text == "6")
    #expect(!file.standsAsWritten)
  }

  @Test func `what was read stands there until somebody could have written to it`() throws {
    #expect(try file.contentsNow().text == "4")
    #expect(file.standsAsSeen)
    try folder.write("50", to: "a/x")
    #expect(!file.standsAsSeen)
    #expect(try file.contentsNow().text == "50")
    #expect(file.standsAsSeen)
    // By another name it may be written to unseen.
    try SystemError.check("linkat") { link(folder.path("a/x"), folder.path("other")) }
    #expect(!file.standsAsSeen)
    #expect(try file.contentsNow().text == "50")
    #expect(!file.standsAsSeen)
    try folder.remove("a/x")
    #expect(!file.standsAsSeen)
    #expect(try file.read() == .missing)
    #expect(file.standsAsSeen)
    try folder.write("6", to: "a/x")
    #expect(!file.standsAsSeen)
  }

  @Test func `nothing else has its inode as long as it counts`() throws {
    let written = try folder.status(of: "a/x").identity
    try folder.remove("a/x")
    for number in 0..<20 {
      try folder.write("4", to: "a/\(number)")
      #expect(try folder.status(of: "a/\(number)").identity != written)
    }
    // What was seen to give way isn't kept, and counts no more although it comes back.
    try folder.write("4", to: "a/x")
    try file.locked { _ = try file.replaced("5", file.contentsNow()) }
    try SystemError.check("linkat") { Glibc.link(folder.path("a/x"), folder.path("kept")) }
    try folder.save("6", to: "a/x")
    #expect(try file.contentsNow().text == "6")
    try folder.rename("kept", to: "a/x")
    #expect(try file.contentsNow().text == "5")
    #expect(!file.standsAsWritten)
  }

  enum Change: CaseIterable {
    case size, time, secondName, copy, otherInstance, folder, removal, link
  }

  @Test(arguments: Change.allCases) func `what could be something else is read`(change: Change) throws {
    #expect(file.standsAsWritten)
    let written = try folder.status(of: "a/x")
    switch change {
    case .size:
      try folder.write("44", to: "a/x")
      try folder.setModified(written.modified, of: "a/x")
    case .time:
      try folder.setModified(written.modified + 1, of: "a/x")
    case .secondName:
      try SystemError.check("linkat") { Glibc.link(folder.path("a/x"), folder.path("other")) }
    case .copy:
      try copy(to: "copy", written)
      try folder.rename("copy", to: "a/x")
    case .otherInstance:
      // As its spare, the same file comes back with other bytes.
      let other = try SharedFile(path: file.path, instance: "other", stateFolder: folder.path("state"))
      let comesBack = try eventually {
        try other.locked {
          var now = try other.contentsNow()
          for number in 5...6 { now = try other.replaced("\(number)", now) }
        }
        return try folder.status(of: "a/x").identity == written.identity
      }
      try #require(comesBack)
      try folder.setModified(written.modified, of: "a/x")
      #expect(try folder.status(of: "a/x").hasSameContent(as: written))
    case .folder:
      try copy(to: "copy", written)
      try folder.rename("a", to: "b")
      try folder.makeFolder("a")
      try folder.rename("copy", to: "a/x")
    case .removal:
      try folder.remove("a/x")
    case .link:
      try folder.rename("a/x", to: "x")
      try folder.link("a/x", to: "../x")
    }
    #expect(!file.standsAsWritten)
  }

  @Test func `who can't stamp what it writes reads it`() throws {
    file.capabilities.attributes = false
    try file.locked { _ = try file.replaced("5", file.contentsNow()) }
    #expect(!file.standsAsWritten)
  }
}
