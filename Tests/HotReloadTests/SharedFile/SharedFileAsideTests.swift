import CLinux
import Glibc
import StateJSON
import TestSupport
import TestThreads
import Testing

@testable import HotReload

/// Where names can't be swapped, the path is renamed aside, and linked anew.
@Suite(.ownThreads) struct SharedFileAsideTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.makeFolder("place")
    try folder.write("[1, 2]", to: "place/x")
  }

  @Test(arguments: [true, false]) func `without a swap the path is renamed away`(noReplace: Bool) throws {
    let file = try folder.sharedFile("place/x", Capabilities(exchange: false, noReplace: noReplace))
    try file.locked {
      var now = try file.contentsNow()
      for text in ["2", "33", "4"] { now = try file.replaced(text, now) }
      #expect(try file.contentsNow() == now)
      try file.closeQuietly()
    }
    #expect(file.degradation == nil)
    #expect(try folder.names(in: "place") == ["x"])
  }

  @Test func `a save before the renaming goes back to the path`() throws {
    let file = try folder.sharedFile("place/x", Capabilities(exchange: false))
    try file.locked {
      let base = try file.contentsNow()
      file.at(.beforeExchange) { [folder] in
        try folder.save("foreign", to: "place/x")
        try folder.settle("place/x")
      }
      #expect(try file.replace("2", base) == .changed)
    }
    #expect(try folder.text(of: "place/x") == "foreign")
    #expect(try folder.names(in: "place") == ["x"])
  }

  @Test func `a file made while the path is missing stays`() throws {
    let file = try folder.sharedFile("place/x", Capabilities(exchange: false))
    try file.locked {
      let base = try file.contentsNow()
      file.onStep = { [folder] in if $0 == .whileMissing { try? folder.write("foreign", to: "place/x") } }
      #expect(try file.replace("2", base) == .changed)
      try file.closeQuietly()
    }
    #expect(try folder.text(of: "place/x") == "foreign")
    #expect(try folder.names(in: "place") == ["x"])
  }

  @Test func `a late save into what gave way to a file made while the path is missing is found`() throws {
    let file = try folder.sharedFile("place/x", Capabilities(exchange: false))
    try file.locked {
      let base = try file.contentsNow()
      let editor = try Editor(folder.path("place/x"))
      file.onStep = { [folder] in if $0 == .whileMissing { try? folder.write("foreign", to: "place/x") } }
      #expect(try file.replace("2", base) == .changed)
      file.onStep = { _ in }
      try editor.write("[7, 8]")
      editor.close()
      let late = try file.lateSaves()
      #expect(late.map(\.text) == ["[7, 8]"])
      for save in late { try file.ingested(save) }
      try file.closeQuietly()
    }
    #expect(try folder.text(of: "place/x") == "foreign")
    #expect(try folder.names(in: "place") == ["x"])
  }

  @Test func `of two saves during a renaming both are found`() throws {
    let file = try folder.sharedFile("place/x", Capabilities(exchange: false))
    try file.locked {
      let base = try file.contentsNow()
      file.onStep = { [folder] in
        if $0 == .beforeExchange { try? folder.save("first", to: "place/x") }
        if $0 == .whileMissing { try? folder.write("second", to: "place/x") }
      }
      #expect(try file.replace("2", base) == .changed)
      #expect(try file.contentsNow().text == "second")
      let late = try file.lateSaves()
      #expect(late.map(\.text) == ["first"])
      for save in late { try file.ingested(save) }
      try file.closeQuietly()
    }
    #expect(try folder.names(in: "place") == ["x"])
  }

  @Test func `a save that is being written while the file is aside comes late`() throws {
    let file = try folder.sharedFile("place/x", Capabilities(exchange: false))
    try file.locked {
      let base = try file.contentsNow()
      let editor = try Editor(folder.path("place/x"))
      file.onStep = { if $0 == .beforeExchange { try? editor.write("foreign") } }
      guard case .displaced(let save, _) = try file.replace("2", base) else {
        Issue.record("not displaced")
        return
      }
      #expect(!save.settled)
      #expect(try file.contentsNow(settled: false).text == "2")
      file.expectMore(of: save)
      #expect(try file.lateSaves().map(\.text) == ["foreign"])
      try file.ingested(save)
      editor.close()
      try file.closeQuietly()
    }
    #expect(try folder.names(in: "place") == ["x"])
  }

  @Test func `what was renamed away and replaced is not what a killed instance had aside`() throws {
    let file = try folder.sharedFile("place/x", Capabilities(exchange: false))
    try file.locked {
      let editor = try Editor(folder.path("place/x"))
      _ = try file.replaced("2", file.contentsNow(settled: false))
      #expect(try folder.names(in: "place").count == 2)
      #expect(try !folder.names(in: "place").contains { $0.hasSuffix(".aside") })
      #expect(file.hasDisplaced)
      editor.close()
      try file.closeQuietly()
    }
    #expect(try folder.names(in: "place") == ["x"])
  }

  @Test func `a folder that takes the file's place is not renamed away for good`() throws {
    for noReplace in [true, false] {
      let file = try folder.sharedFile("place/x", Capabilities(exchange: false, noReplace: noReplace))
      try file.locked {
        let base = try file.contentsNow()
        file.onStep = { [folder] in
          guard $0 == .beforeExchange else { return }
          try? folder.rename("place/x", to: "mine")
          try? folder.makeFolder("place/x")
        }
        #expect(try file.replace("2", base) == .changed)
      }
      #expect(try folder.status(of: "place/x").isDirectory)
      #expect(try folder.names(in: "place") == ["x"])
      rmdir(folder.path("place/x"))
      try folder.rename("mine", to: "place/x")
    }
  }

  @Test(arguments: [true, false]) func `a name too many is no failure`(exists: Bool) throws {
    let file = try folder.sharedFile("place/x", Capabilities(exchange: false, noReplace: false))
    // A folder can't be removed like a file.
    file.onStep = { [folder] in
      guard $0 == .linked else { return }
      for name in (try? folder.names(in: "place")) ?? [] where name.hasSuffix(".tmp") {
        try? folder.remove("place/" + name)
        try? folder.makeFolder("place/" + name)
      }
    }
    try file.locked {
      if exists {
        let now = try file.replaced("new", file.contentsNow())
        #expect(try file.contentsNow() == now)
      } else {
        try folder.remove("place/x")
        let created = try file.create(with: Array("new".utf8), stamp: file.stamp("new", over: nil))
        #expect(created?.text == "new")
      }
    }
    #expect(try folder.text(of: "place/x") == "new")
  }

  /// Over a network the answer may be lost, or come from asking again.
  @Test(arguments: [EIO, EINVAL, ENOENT]) func `a swap that happened counts, whatever was said`(errno: Int32) throws {
    let file = try folder.sharedFile("place/x", Capabilities(replacementError: errno))
    try file.locked {
      let base = try file.contentsNow()
      file.onStep = { [folder] in
        guard $0 == .beforeExchange else { return }
        do {
          let place = try Folder(path: folder.path("place"))
          try place.exchange(#require(try place.names(startingWith: "").first { $0.hasSuffix(".tmp") }), "x")
        } catch {
          Issue.record(error)
        }
      }
      let now = try file.replaced("[3]", base)
      #expect(try file.contentsNow() == now)
      try file.closeQuietly()
    }
    #expect(try folder.text(of: "place/x") == "[3]")
    #expect(try folder.names(in: "place") == ["x"])
  }
}
