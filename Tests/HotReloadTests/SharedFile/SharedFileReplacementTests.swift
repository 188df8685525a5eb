import CLinux
import Glibc
import StateJSON
import TestSupport
import TestThreads
import Testing

@testable import HotReload

/// What stays when a file is replaced, and when it counts.
@Suite(.ownThreads) struct SharedFileReplacementTests {
  let folder: TemporaryFolder
  let file: SharedFile

  init() throws {
    folder = try TemporaryFolder()
    file = try folder.sharedFile("state.json", holding: "1")
  }

  @Test func `mode, owner, attributes and the link stay`() throws {
    let isRoot = geteuid() == 0
    try folder.link("link", to: "state.json")
    do {
      let original = try FileDescriptor(opening: folder.path("state.json"), O_RDWR)
      try original.setAttribute("user.mine", [1, 2, 3])
      if isRoot { try original.setOwner(12345, group: 54321) }
      try original.setPermissions(0o640)
    }
    let file = try SharedFile(path: folder.path("link"), instance: "me", stateFolder: folder.path("state"))
    try file.locked {
      var now = try file.contentsNow()
      for text in ["2", "3", "4"] {
        now = try file.replaced(text, now)
        let status = try folder.status(of: "state.json")
        #expect(status.permissions == 0o640)
        if isRoot { #expect([status.owner, status.group] == [12345, 54321]) }
        let opened = try FileDescriptor(opening: folder.path("state.json"), O_RDONLY)
        #expect(try opened.attribute("user.mine") == [1, 2, 3])
      }
      chmod(folder.path("state.json"), 0o600)
      now = try file.replaced("5", now)
      #expect(try folder.status(of: "state.json").permissions == 0o600)
      file.onStep = { [folder] in if $0 == .beforeExchange { chmod(folder.path("state.json"), 0o604) } }
      _ = try file.replaced("6", now)
      #expect(try folder.status(of: "state.json").permissions == 0o604)
    }
    #expect(try folder.status(of: "link").isSymbolicLink)
    #expect(try folder.text(of: "state.json") == "6")
  }

  @Test func `attributes of any size and number stay`() throws {
    var attributes = ["user.large": [UInt8](repeating: 1, count: 1500), "user.empty": []]
    for number in 10..<30 { attributes["user.a rather long name, number \(number)"] = [UInt8(number)] }
    let original = try FileDescriptor(opening: file.path, O_RDWR)
    for (name, value) in attributes { try original.setAttribute(name, value) }
    _ = consume original
    try file.locked {
      var now = try file.contentsNow()
      for text in ["2", "3", "4"] {
        now = try file.replaced(text, now)
        let opened = try FileDescriptor(opening: file.path, O_RDONLY)
        #expect(Set(try opened.attributeNames()) == Set(attributes.keys).union([Stamp.attribute]))
        for (name, value) in attributes { #expect(try opened.attribute(name) == value, "\(name)") }
      }
    }
  }

  @Test func `what belongs to the owner is that of the file that stands there, not of the one that was read`() throws {
    try file.locked {
      let base = try file.contentsNow()
      file.at(.beforePreparation) { [folder] in
        try folder.write("2", to: "other")
        try FileDescriptor(opening: folder.path("other"), O_RDWR).setAttribute("user.mine", [1])
        try folder.rename("other", to: "state.json")
      }
      let (foreign, now) = try file.displaced("3", base)
      #expect(foreign.text == "2")
      #expect(try FileDescriptor(opening: file.path, O_RDONLY).attribute("user.mine") == [1])
      // The same file, with other attributes.
      file.at(.beforePreparation) { [folder] in
        try FileDescriptor(opening: folder.path("state.json"), O_RDWR).setAttribute("user.mine", [2])
      }
      _ = try file.replaced("4", now)
      #expect(try FileDescriptor(opening: file.path, O_RDONLY).attribute("user.mine") == [2])
    }
  }

  @Test func `an access control list stays`() throws {
    // user::rw- user:12345:r-- group::r-- mask::r-- other::---
    let entries: [(tag: UInt16, rights: UInt16, id: UInt32)] = [
      (1, 6, .max), (2, 4, 12345), (4, 4, .max), (16, 4, .max), (32, 0, .max),
    ]
    var list: [UInt8] = [2, 0, 0, 0]
    for entry in entries {
      list += withUnsafeBytes(of: entry.tag.littleEndian, Array.init)
      list += withUnsafeBytes(of: entry.rights.littleEndian, Array.init)
      list += withUnsafeBytes(of: entry.id.littleEndian, Array.init)
    }
    let name = "system.posix_acl_access"
    try FileDescriptor(opening: file.path, O_RDWR).setAttribute(name, list)
    try file.locked {
      let now = try file.replaced("2", file.contentsNow())
      #expect(try FileDescriptor(opening: file.path, O_RDWR).attribute(name) == list)
      _ = try file.replaced("3", now)
      #expect(try FileDescriptor(opening: file.path, O_RDWR).attribute(name) == list)
    }
  }

  // MARK: Durability

  @Test func `a burst of commits is flushed soon after its end, a single one is not waited for`() throws {
    try file.locked {
      var now = try file.replaced("2", file.contentsNow())
      #expect(try file.syncIfDue(.max) == nil)
      let start = MonotonicClock.now()
      now = try file.replaced("3", now)
      let due = try #require(try file.syncIfDue(0))
      #expect(due >= start + Writeback.quiet)
      #expect(try file.syncIfDue(due - 1) == due)
      now = try file.replaced("4", now)
      #expect(try file.syncIfDue(0) ?? 0 > due)
      #expect(try file.syncIfDue(due + Writeback.pause) == nil)
      #expect(try file.syncIfDue(.max) == nil)
    }
  }

  @Test func `a burst that others go on with is flushed by the last of them, and by each once a second`() throws {
    let other = try SharedFile(path: file.path, instance: "other")
    try file.locked {
      var now = try file.replaced("2", file.contentsNow())
      now = try file.replaced("3", now)
    }
    let due = try #require(try file.syncIfDue(0))
    try other.locked {
      var now = try other.replaced("4", other.contentsNow())
      now = try other.replaced("5", now)
    }
    let latest = try #require(try file.syncIfDue(due))
    #expect(latest > due)
    #expect(try file.syncIfDue(latest - 1) == latest)
    let others = try #require(try other.syncIfDue(0))
    #expect(others < latest)
    #expect(try other.syncIfDue(others) == nil)
    #expect(try file.syncIfDue(latest) == nil)

    // What an editor has saved since is flushed like what was written here.
    try file.locked {
      var now = try file.replaced("6", file.contentsNow())
      now = try file.replaced("7", now)
    }
    try folder.save("8", to: "state.json")
    let next = try #require(try file.syncIfDue(0))
    #expect(try file.syncIfDue(next) == nil)
  }

  @Test func `what must survive a power cut leaves nothing to be flushed later`() throws {
    let file = try SharedFile(path: file.path, instance: "me", durability: .power)
    try file.locked {
      var now = try file.contentsNow()
      for text in ["2", "3", "4"] { now = try file.replaced(text, now) }
      #expect(try file.syncIfDue(0) == nil)
      #expect(file.flushFailure == nil)
      try file.closeQuietly()
    }
    #expect(try folder.text(of: "state.json") == "4")
  }

  // MARK: Creating

  @Test func `a removed file is made again as it was`() throws {
    chmod(file.path, 0o640)
    try file.locked {
      _ = try file.replaced("2", file.contentsNow())
      try folder.remove("state.json")
      #expect(try file.read() == .missing)
      let created = try file.create(with: [51], stamp: file.stamp("3", over: nil))
      #expect(try file.read() == created.map(Snapshot.contents))
      #expect(try folder.status(of: "state.json").permissions == 0o640)
      #expect(try file.create(with: [51], stamp: file.stamp("3", over: nil)) == nil)
      try file.closeQuietly()
    }
    #expect(try folder.names == ["state.json"])
  }

  @Test(arguments: [true, false]) func `a file that somebody else makes first stays`(noReplace: Bool) throws {
    try folder.remove("state.json")
    file.capabilities.noReplace = noReplace
    try file.locked {
      file.at(.beforeExchange) { [folder] in try folder.write("theirs", to: "state.json") }
      #expect(try file.create(with: [50], stamp: file.stamp("2", over: nil)) == nil)
      #expect(try file.contentsNow().text == "theirs")
      try folder.remove("state.json")
      #expect(try file.create(with: [50], stamp: file.stamp("2", over: nil))?.text == "2")
    }
    #expect(try folder.names == ["state.json"])
  }
}
