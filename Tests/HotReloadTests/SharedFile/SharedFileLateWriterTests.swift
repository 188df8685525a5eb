import CLinux
import Glibc
import StateJSON
import TestSupport
import TestThreads
import Testing

@testable import HotReload

/// Writers that still have the file open that a commit displaced.
@Suite(.ownThreads) struct SharedFileLateWriterTests {
  let folder: TemporaryFolder
  let file: SharedFile

  init() throws {
    folder = try TemporaryFolder()
    file = try folder.sharedFile("state.json", holding: "1")
  }

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
      file.at(.afterExchange) { try editor.write("first") }
      let (foreign, _) = try file.displaced("2", base)
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
      file.at(.beforeExchange) { [folder] in try folder.save("first", to: "state.json") }
      let (foreign, _) = try file.displaced("2", base)
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
    file.die()
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
}
