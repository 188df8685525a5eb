import CLinux
import Glibc
import StateJSON
import TestSupport
import Testing

@testable import HotReload

/// What others do to the file while it is being replaced, made to happen at the worst moment.
@Suite struct SharedFileRaceTests {
  let folder: TemporaryFolder
  let file: SharedFile

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("1", to: "state.json")
    file = try SharedFile(
      path: folder.path("state.json"), instance: "me", stateFolder: folder.path("state"), capabilities: Capabilities())
  }

  /// Does something at one step, once.
  func at(_ step: Step, _ body: @escaping () throws -> Void) {
    var isDone = false
    file.onStep = {
      guard $0 == step, !isDone else { return }
      isDone = true
      do { try body() } catch { Issue.record(error) }
    }
  }

  func displaced(_ text: String, _ base: Contents) throws -> (foreign: Contents, now: Contents) {
    let replacement = try file.replace(text, base)
    guard case .displaced(let foreign, let now) = replacement else {
      Issue.record("\(replacement)")
      return (base, base)
    }
    return (foreign, now)
  }

  // MARK: Late writers

  @Test func `what a writer writes after its file was displaced is found`() throws {
    try file.locked {
      let base = try file.contentsNow()
      let editor = try FileDescriptor(opening: folder.path("state.json"), O_WRONLY)
      _ = try file.replaced("2", base)
      #expect(try folder.names.count == 2)
      #expect(try file.retireDisplaced() == [])
      try editor.write(Array("late".utf8))
      #expect(try file.retireDisplaced() == [])
      _ = consume editor

      let late = try file.lateSaves()
      #expect(late.map(\.text) == ["late"])
      #expect(late.map(\.settled) == [true])
      #expect(try file.retireDisplaced() == [])
      #expect(try folder.names.count == 2)
      try file.ingested(late[0])
      try file.closeQuietly()
      #expect(try folder.names == ["state.json"])
    }
  }

  @Test func `the saves of a writer who never closes its file are found`() throws {
    try file.locked {
      let base = try file.contentsNow()
      let editor = try FileDescriptor(opening: folder.path("state.json"), O_WRONLY)
      _ = try file.replaced("2", base)
      for text in ["late", "later"] {
        try editor.write(Array(text.utf8))
        let late = try file.lateSaves()
        #expect(late.map(\.text) == [text])
        #expect(late.map(\.settled) == [false])
        try file.ingested(late[0])
        #expect(try file.retireDisplaced() == [])
        #expect(file.hasDisplaced)
      }
      _ = consume editor
      try file.closeQuietly()
      #expect(try folder.names == ["state.json"])
    }
  }

  @Test func `a writer who closes without having written is forgotten`() throws {
    try file.locked {
      let base = try file.contentsNow()
      let editor = try FileDescriptor(opening: folder.path("state.json"), O_RDWR)
      _ = try file.replaced("2", base)
      _ = consume editor
      try file.closeQuietly()
      #expect(try folder.names == ["state.json"])
    }
  }

  @Test func `a writer who goes on after its save was taken saves again`() throws {
    try file.locked {
      let base = try file.contentsNow()
      let editor = try Editor(folder.path("state.json"))
      at(.afterExchange) { try editor.write("first") }
      let (foreign, _) = try displaced("2", base)
      #expect(foreign.text == "first")
      #expect(!foreign.settled)
      try file.ingested(foreign)
      #expect(file.leftBehind.count == 1)
      try editor.write("other")
      editor.close()
      #expect(try file.lateSaves().map(\.text) == ["other"])
    }
  }

  @Test func `a save that follows the one that is being taken in is found`() throws {
    try file.locked {
      let base = try file.contentsNow()
      at(.beforeExchange) { [folder] in try folder.save("first", to: "state.json") }
      let (foreign, _) = try displaced("2", base)
      let name = try #require(file.leftBehind.first)
      try folder.write("other", to: name)
      try file.ingested(foreign)
      #expect(try file.lateSaves().map(\.text) == ["other"])
    }
  }

  @Test func `closing leaves what somebody still writes to, and the next instance finds the save`() throws {
    let editor = try FileDescriptor(opening: folder.path("state.json"), O_WRONLY)
    try file.locked {
      _ = try file.replaced("2", file.contentsNow(settled: false))
      try file.close()
    }
    #expect(file.leftBehind.count == 1)
    #expect(try folder.names == [file.leftBehind[0], "state.json"])
    try editor.write(Array("late".utf8))
    // What a living instance keeps is not an orphan.
    let next = try SharedFile(path: file.path, instance: "next", stateFolder: folder.path("state"))
    #expect(try next.recovered() == [])
    file.displaced = []
    #expect(try next.recovered() == [])
    _ = consume editor
    #expect(try next.lateSaves().map(\.text) == ["late"])
  }

  @Test func `without leases a late save counts once it was quiet`() throws {
    let blind = try SharedFile(
      path: file.path, instance: "blind", stateFolder: folder.path("state"),
      capabilities: Capabilities(leases: false))
    let editor = try FileDescriptor(opening: folder.path("state.json"), O_WRONLY)
    try blind.locked {
      let base = try blind.contentsNow(settled: false)
      #expect(!base.settled)
      let now = try blind.replaced("2", base)
      #expect(try blind.contentsNow() == now)
      #expect(now.settled)
      try editor.write(Array("late".utf8))
      #expect(try blind.lateSaves().map(\.text) == ["late"])
    }
  }

  @Test func `what somebody still has open is kept, however old it is, and however many there are`() throws {
    try file.locked {
      var now = try file.contentsNow()
      var editors: [Editor] = []
      for number in 2...19 {
        editors.append(try Editor(folder.path("state.json")))
        now = try file.replaced("\(number)", now)
      }
      for displaced in file.displaced { displaced.since = 0 }
      #expect(try file.retireDisplaced() == [])
      #expect(file.leftBehind.count == 18)
      #expect(try folder.names.count == 19)
      try editors[0].write("late")
      editors.forEach { $0.close() }
      #expect(try file.lateSaves().map(\.text) == ["late"])
    }
  }

  @Test func `without leases what is old is removed`() throws {
    file.capabilities.leases = false
    try file.locked {
      _ = try file.replaced("2", file.contentsNow(settled: false))
      #expect(try file.retireDisplaced() == [])
      #expect(file.leftBehind.count == 1)
      file.displaced.first?.since = 0
      #expect(try file.retireDisplaced() == [])
      #expect(file.leftBehind == [])
    }
    #expect(try folder.names == ["state.json"])
  }

  @Test func `half a save comes again only when it has changed, or its writer has gone`() throws {
    try file.locked {
      let base = try file.contentsNow()
      let editor = try Editor(folder.path("state.json"))
      _ = try file.replaced("2", base)
      for text in ["{1", "{12"] {
        try editor.write(text)
        let half = try file.lateSaves()
        #expect(half.map(\.text) == [text])
        file.expectMore(of: half[0])
        #expect(try file.retireDisplaced() == [])
      }
      editor.close()
      let last = try file.lateSaves()
      #expect(last.map(\.text) == ["{12"])
      #expect(last.map(\.settled) == [true])
    }
  }

  @Test func `a save that a swap brought out comes when it has come to rest, also where its writer stays`() throws {
    try file.locked {
      let base = try file.contentsNow()
      let editor = try Editor(folder.path("state.json"))
      file.onStep = { if $0 == .beforeExchange { try? editor.write("foreign") } }
      guard case .displaced(let save, _) = try file.replace("2", base) else {
        Issue.record("not displaced")
        return
      }
      #expect(!save.settled)
      file.expectMore(of: save)
      #expect(try file.lateSaves().map(\.text) == ["foreign"])
      editor.close()
    }
  }

  @Test func `without leases half a save is taken for a whole one when nothing more has come for long`() throws {
    file.capabilities.leases = false
    try file.locked {
      let editor = try Editor(folder.path("state.json"))
      _ = try file.replaced("2", file.contentsNow(settled: false))
      try editor.write("{1")
      let half = try file.lateSaves()
      #expect(half.map(\.settled) == [false])
      file.expectMore(of: half[0])
      #expect(try file.retireDisplaced() == [])
      file.displaced.first?.age()
      #expect(try file.lateSaves().map(\.settled) == [true])
    }
  }

  @Test func `a displaced file that does not change is not read again`() throws {
    var looks = 0
    try file.locked {
      let base = try file.contentsNow()
      let editor = try Editor(folder.path("state.json"))
      _ = try file.replaced("2", base)
      file.onStep = { if $0 == .beforeLook { looks += 1 } }
      #expect(try file.retireDisplaced() == [])
      #expect(try file.retireDisplaced() == [])
      // A coarse clock may hide what was written in between.
      #expect(looks == 2)
      file.displaced.first?.age()
      for _ in 0..<5 { #expect(try file.retireDisplaced() == []) }
      #expect(looks == 2)
      try editor.write("late")
      #expect(try file.lateSaves().map(\.text) == ["late"])
      #expect(looks > 2)
    }
  }

  // MARK: The spare

  @Test func `a spare that somebody has open is not overwritten`() throws {
    try file.locked {
      let reader = try FileDescriptor(opening: folder.path("state.json"), O_RDONLY)
      var now = try file.replaced("2", file.contentsNow())
      #expect(file.spare == nil)
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

  @Test func `a file with a second name is displaced, never overwritten`() throws {
    try SystemError.check("linkat") { link(folder.path("state.json"), folder.path("backup")) }
    try file.locked {
      var now = try file.replaced("2", file.contentsNow())
      now = try file.replaced("3", now)
      now = try file.replaced("4", now)
    }
    #expect(try folder.text(of: "backup") == "1")
  }

  // MARK: Swapping back

  @Test func `an invalid save is put back`() throws {
    try file.locked {
      let base = try file.contentsNow()
      at(.beforeExchange) { [folder] in try folder.save("{", to: "state.json") }
      let (invalid, _) = try displaced("2", base)
      let restoration = try file.swapBack(invalid)
      #expect(restoration.setAside == [])
      #expect(restoration.now == .contents(invalid))
      try file.closeQuietly()
      #expect(try folder.names == ["state.json"])
    }
  }

  @Test(arguments: [Step.beforeSwapBack, .duringSwapBack]) func `a save after an invalid one stays`(
    step: Step
  ) throws {
    try file.locked {
      let base = try file.contentsNow()
      at(.beforeExchange) { [folder] in try folder.save("{", to: "state.json") }
      let (invalid, _) = try displaced("2", base)
      at(step) { [folder] in try folder.save("later", to: "state.json") }
      let restoration = try file.swapBack(invalid)
      #expect(restoration.setAside.map(\.text) == ["{"])
      #expect(try folder.text(of: "state.json") == "later")
      for contents in restoration.setAside { try file.ingested(contents) }
      try file.closeQuietly()
      #expect(try folder.names == ["state.json"])
    }
  }

  @Test func `an invalid save whose place is empty is set aside`() throws {
    try file.locked {
      let base = try file.contentsNow()
      at(.beforeExchange) { [folder] in try folder.save("{", to: "state.json") }
      let (invalid, _) = try displaced("2", base)
      at(.duringSwapBack) { [folder] in try folder.remove("state.json") }
      #expect(try file.swapBack(invalid) == Restoration(now: .missing, setAside: [invalid]))
      #expect(file.leftBehind.count == 1)
      try file.ingested(invalid)
      try file.closeQuietly()
    }
    #expect(try folder.names == [])
  }

  @Test func `an invalid save that can't be put back comes again`() throws {
    try file.locked {
      let base = try file.contentsNow()
      at(.beforeExchange) { [folder] in try folder.save("{", to: "state.json") }
      let (invalid, _) = try displaced("2", base)
      at(.beforeSwapBack) { [folder] in
        try folder.remove("state.json")
        try folder.makeFolder("state.json")
      }
      #expect(throws: SystemError.self) { try file.swapBack(invalid) }
      #expect(try file.lateSaves().map(\.text) == ["{"])
    }
  }

  @Test func `of an invalid save and a later one that can't be read, the later one stays`() throws {
    let small = try SharedFile(path: file.path, instance: "me", sizeLimit: 9, stateFolder: folder.path("state"))
    try small.locked {
      let base = try small.contentsNow()
      small.onStep = { [folder] in if $0 == .beforeExchange { try? folder.save("{", to: "state.json") } }
      guard case .displaced(let invalid, _) = try small.replace("2", base) else {
        Issue.record("not displaced")
        return
      }
      var isDone = false
      small.onStep = { [folder] in
        if $0 == .duringSwapBack, !isDone {
          isDone = true
          try? folder.save("too large to be read", to: "state.json")
        }
      }
      #expect(throws: SystemError.self) { try small.swapBack(invalid) }
      #expect(try small.lateSaves().map(\.text) == ["{"])
    }
    #expect(try folder.text(of: "state.json") == "too large to be read")
  }

  // MARK: Swaps that can't be looked into

  @Test func `a swap counts although what came out is gone`() throws {
    try file.locked {
      let base = try file.contentsNow()
      at(.afterExchange) { [folder, file] in
        for name in try folder.names where name.hasPrefix(file.prefix) { try folder.remove(name) }
      }
      let now = try file.replaced("2", base)
      #expect(try file.contentsNow() == now)
    }
    #expect(try folder.names == ["state.json"])
  }

  @Test func `a save that can't be read goes back to the path`() throws {
    let small = try SharedFile(path: file.path, instance: "me", sizeLimit: 9, stateFolder: folder.path("state"))
    try small.locked {
      let base = try small.contentsNow()
      small.onStep = { [folder] in if $0 == .beforeExchange { try? folder.save("0123456789", to: "state.json") } }
      let error = #expect(throws: SystemError.self) { try small.replace("2", base) }
      #expect(error?.reason == "larger than 9 bytes")
      try small.closeQuietly()
    }
    #expect(try folder.text(of: "state.json") == "0123456789")
    #expect(try folder.names == ["state.json"])
  }

  @Test(arguments: [Step.afterExchange, .duringSwapBack, .afterSwapBack])
  func `a save into what is taken back, since what it displaced can't be read, is found`(step: Step) throws {
    let small = try SharedFile(path: file.path, instance: "me", sizeLimit: 9, stateFolder: folder.path("state"))
    try small.locked {
      let base = try small.contentsNow()
      var editor: Editor?
      small.onStep = { [folder] in
        if $0 == .beforeExchange { try? folder.save("0123456789", to: "state.json") }
        if $0 == .afterExchange { editor = try? Editor(folder.path("state.json")) }
        if $0 == step { try? editor?.write("mine") }
      }
      #expect(throws: SystemError.self) { try small.replace("2", base) }
      editor?.close()
      #expect(try small.lateSaves().map(\.text) == ["mine"])
    }
    #expect(try folder.text(of: "state.json") == "0123456789")
  }

  @Test(arguments: [Step.afterExchange, .duringSwapBack])
  func `contents that another save replaces before they can be taken back stood in the file, and it stays`(
    step: Step
  ) throws {
    let small = try SharedFile(path: file.path, instance: "me", sizeLimit: 9, stateFolder: folder.path("state"))
    try small.locked {
      let base = try small.contentsNow()
      small.onStep = { [folder] in
        if $0 == .beforeExchange { try? folder.save("0123456789", to: "state.json") }
        if $0 == step { try? folder.save("later", to: "state.json") }
      }
      #expect(try small.replaced("2", base).text == "2")
      #expect(small.leftBehind.count == 1)
    }
    let texts = try folder.names.map(folder.text(of:))
    #expect(texts.sorted() == ["0123456789", "later"])
    #expect(try folder.text(of: "state.json") == "later")
  }

  // MARK: Kinds

  @Test func `a link, a folder or a FIFO that takes the file's place stays`() throws {
    try folder.makeFolder("folder")
    try folder.link("link", to: "elsewhere")
    mkfifo(folder.path("fifo"), 0o600)
    for (number, name) in ["folder", "link", "fifo"].enumerated() {
      for step in [Step.beforePreparation, .beforeExchange] {
        try file.locked {
          let base = try file.contentsNow()
          at(step) { [folder] in
            try folder.rename("state.json", to: "mine")
            try folder.rename(name, to: "state.json")
          }
          #expect(try file.replace("2", base) == .changed)
          #expect(try eventually { try file.retireDisplaced() == [] && !file.hasDisplaced })
        }
        try folder.rename("state.json", to: name)
        try folder.rename("mine", to: "state.json")
        #expect(try folder.text(of: "state.json") == "1", "\(number)")
        #expect(try folder.names == ["fifo", "folder", "link", "state.json"])
      }
    }
  }

  // MARK: What stays

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
      at(.beforeExchange) { [folder] in try folder.write("theirs", to: "state.json") }
      #expect(try file.create(with: [50], stamp: file.stamp("2", over: nil)) == nil)
      #expect(try file.contentsNow().text == "theirs")
      try folder.remove("state.json")
      #expect(try file.create(with: [50], stamp: file.stamp("2", over: nil))?.text == "2")
    }
    #expect(try folder.names == ["state.json"])
  }
}
