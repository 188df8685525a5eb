import CLinux
import Glibc
import StateJSON
import TestSupport
import TestThreads
import Testing

@testable import HotReload

/// A file that was displaced may be overwritten when nobody can have anything of it, or see anything in it.
@Suite(.ownThreads) struct SharedFileSpareTests {
  let folder: TemporaryFolder
  let file: SharedFile

  init() throws {
    folder = try TemporaryFolder()
    file = try folder.sharedFile("x", holding: "1")
    chmod(folder.path("x"), 0o640)
  }

  /// Replaces the file, and says what the new contents were in just before.
  func temporary(of text: String, over base: Contents) throws -> FileStatus {
    var found: FileStatus?
    file.onStep = { [folder] in
      guard $0 == .beforeExchange else { return }
      do {
        for name in try folder.names where try name.hasSuffix(".tmp") && folder.text(of: name) == text {
          found = try folder.status(of: name)
        }
      } catch {
        Issue.record(error)
      }
    }
    defer { file.onStep = { _ in } }
    _ = try file.replaced(text, base)
    return try #require(found)
  }

  @Test func `a spare is written to`() throws {
    try file.locked {
      var now = try file.contentsNow()
      let isReused = try eventually {
        let spare = try folder.status(of: file.withSpare(&now))
        let temporary = try temporary(of: "new", over: now)
        now = try file.contentsNow()
        return temporary.identity == spare.identity
      }
      #expect(isReused)
    }
  }

  enum Right: CaseIterable {
    case permissions, owner, group, accessList
  }

  /// Whoever may open the spare could be waiting in `open` while it is filled, and be let in afterwards.
  @Test(arguments: geteuid() == 0 ? Right.allCases : [.permissions, .accessList])
  func `a spare with other rights than the file is not written to`(right: Right) throws {
    try file.locked {
      var now = try file.contentsNow()
      let spare = try folder.status(of: file.withSpare(&now))
      #expect(spare.permissions == 0o640)
      switch right {
      case .permissions: chmod(file.path, 0o600)
      case .owner: chown(file.path, 12345, spare.group)
      case .group: chown(file.path, spare.owner, 12345)
      case .accessList:
        try FileDescriptor(opening: file.path, O_RDWR).setAttribute("system.posix_acl_access", Self.accessList)
        #expect(try folder.status(of: "x").permissions == 0o640)
      }
      let temporary = try temporary(of: "secret", over: now)
      #expect(temporary.identity != spare.identity)
      #expect(temporary.permissions == (right == .permissions ? 0o600 : 0o640))
    }
  }

  /// user::rw- user:12345:r-- group::--- mask::r-- other::---
  private static let accessList: [UInt8] = {
    var list: [UInt8] = [2, 0, 0, 0]
    for (tag, rights, user) in [(1, 6, UInt32.max), (2, 4, 12345), (4, 0, .max), (16, 4, .max), (32, 0, .max)] {
      for half in [tag, rights] { list += withUnsafeBytes(of: UInt16(half).littleEndian, Array.init) }
      list += withUnsafeBytes(of: user.littleEndian, Array.init)
    }
    return list
  }()

  @Test func `a spare whose rights somebody changes while it is filled gets those of the file`() throws {
    try file.locked {
      var now = try file.contentsNow()
      let spare = try folder.status(of: file.withSpare(&now))
      var permissions: [UInt32] = []
      file.onStep = { [folder] step in
        guard let name = try? folder.names.first(where: { $0.hasSuffix(".tmp") }) else { return }
        if step == .beforeAttributes { chmod(folder.path(name), 0o666) }
        // It fails below if this fails.
        if step == .beforeExchange, let status = try? folder.status(of: name) { permissions.append(status.permissions) }
      }
      _ = try file.replaced("new", now)
      #expect(permissions == [0o640])
      #expect(try folder.status(of: "x").identity == spare.identity)
    }
  }

  @Test(arguments: [true, false]) func `a name that somebody has given to a file of his is left to him`(
    noReplace: Bool
  ) throws {
    file.capabilities.noReplace = noReplace
    try file.locked {
      var now = try file.contentsNow()
      let spare = try folder.status(of: file.withSpare(&now))
      let name = SharedFileName(
        role: .temporary, inode: spare.identity.inode, base: SharedFileName.short(now.hash),
        new: SharedFileName.short(ContentHash(Array("new".utf8)))
      ).text(file.prefix)
      try folder.write("theirs", to: name)
      _ = try file.replaced("new", now)
      #expect(try folder.status(of: "x").identity == spare.identity)
      #expect(try folder.text(of: "x") == "new")
      #expect(try folder.text(of: name) == "theirs")
    }
  }

  @Test func `a spare that somebody has given a second name is not written to`() throws {
    try file.locked {
      var now = try file.contentsNow()
      let spare = try file.withSpare(&now)
      try SystemError.check("linkat") { link(folder.path(spare), folder.path("backup")) }
      let text = try folder.text(of: "backup")
      now = try file.replaced("2", now)
      _ = try file.replaced("3", now)
      #expect(try folder.text(of: "backup") == text)
    }
  }

  /// The spare itself may be gone by then, or have another name.
  @Test(arguments: [true, false])
  func `what has taken the spare's name is a save, and doesn't come into the file unseen`(isMoved: Bool) throws {
    try file.locked {
      var now = try file.contentsNow()
      let spare = try file.withSpare(&now)
      let text = try folder.text(of: spare)
      if isMoved { try folder.rename(spare, to: "moved") }
      try folder.save("theirs", to: spare)
      now = try file.replaced("2", now)
      #expect(try folder.text(of: "x") == "2")
      #expect(try file.lateSaves().map(\.text) == ["theirs"])
      if isMoved { #expect(try folder.text(of: "moved") == text) }
    }
  }

  @Test func `a spare that somebody has open is not overwritten`() throws {
    try file.locked {
      let reader = try FileDescriptor(opening: folder.path("x"), O_RDONLY)
      var now = try file.replaced("2", file.contentsNow())
      #expect(file.partner.spare?.name == nil)
      let spare = try file.withSpare(&now)
      let lateReader = try FileDescriptor(opening: folder.path(spare), O_RDONLY)
      let text = try folder.text(of: spare)
      now = try file.replaced("4", now)
      #expect(String(decoding: try lateReader.contents(expecting: 0, limit: 99), as: UTF8.self) == text)
      #expect(String(decoding: try reader.contents(expecting: 0, limit: 99), as: UTF8.self) == "1")
    }
  }

  @Test func `a save that got into the spare is found, not overwritten`() throws {
    try file.locked {
      var now = try file.replaced("2", file.contentsNow())
      try folder.write("late", to: file.withSpare(&now))
      now = try file.replaced("3", now)
      #expect(try file.lateSaves().map(\.text) == ["late"])
      #expect(try file.contentsNow() == now)
    }
  }

  /// What the disk didn't take is in the kernel's memory all the same. Only where each commit is flushed is that told.
  @Test(arguments: [Durability.process, .power])
  func `of a spare only what differs is written where the rest was flushed`(durability: Durability) throws {
    let file = try SharedFile(path: file.path, instance: "me", durability: durability)
    try file.locked {
      var now = try file.replaced(String(repeating: ".", count: 3 * Overwriting.pieceSize), file.contentsNow())
      _ = try file.withSpare(&now)
      guard let spare = file.takeSpare(for: now.bytes) else {
        Issue.record("there is no spare")
        return
      }
      let isWhole = spare.look?.overwriting.isWhole
      #expect(isWhole == (durability == .process))
    }
  }

  @Test func `a file that the disk has refused is not written to again`() throws {
    try file.locked {
      var now = try file.contentsNow()
      let spare = try folder.status(of: file.withSpare(&now))
      file.writeback.refused = spare.identity
      let temporary = try temporary(of: "new", over: now)
      #expect(temporary.identity != spare.identity)
      #expect(try folder.text(of: "x") == "new")
    }
  }

  @Test func `a file with a second name is displaced, never overwritten`() throws {
    try SystemError.check("linkat") { link(folder.path("x"), folder.path("backup")) }
    try file.locked {
      var now = try file.replaced("2", file.contentsNow())
      now = try file.replaced("3", now)
      now = try file.replaced("4", now)
    }
    #expect(try folder.text(of: "backup") == "1")
  }
}
