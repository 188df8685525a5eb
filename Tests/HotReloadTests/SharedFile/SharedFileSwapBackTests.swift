import CLinux
import Glibc
import StateJSON
import TestSupport
import TestThreads
import Testing

@testable import HotReload

/// What is displaced while the file is being replaced, and can't be read, made to happen at the worst moment.
@Suite(.ownThreads) struct SharedFileSwapBackTests {
  let folder: TemporaryFolder
  let file: SharedFile

  init() throws {
    folder = try TemporaryFolder()
    file = try folder.sharedFile("state.json", holding: "1")
  }

  @Test func `an invalid save is put back`() throws {
    try file.locked {
      let base = try file.contentsNow()
      file.at(.beforeExchange) { [folder] in try folder.save("{", to: "state.json") }
      let (invalid, _) = try file.displaced("2", base)
      let restoration = try file.swapBack(invalid)
      #expect(restoration.setAside == [])
      // Settled a little later, if a child of another test had a copy of its descriptor.
      guard case .contents(let now) = restoration.now else { throw SystemError(call: "openat", errno: ENOENT) }
      #expect(now.hash == invalid.hash)
      #expect(try file.contentsNow() == invalid)
      try file.closeQuietly()
      #expect(try folder.names == ["state.json"])
    }
  }

  @Test(arguments: [Step.beforeSwapBack, .duringSwapBack]) func `a save after an invalid one stays`(
    step: Step
  ) throws {
    try file.locked {
      let base = try file.contentsNow()
      file.at(.beforeExchange) { [folder] in try folder.save("{", to: "state.json") }
      let (invalid, _) = try file.displaced("2", base)
      file.at(step) { [folder] in try folder.save("later", to: "state.json") }
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
      file.at(.beforeExchange) { [folder] in try folder.save("{", to: "state.json") }
      let (invalid, _) = try file.displaced("2", base)
      file.at(.duringSwapBack) { [folder] in try folder.remove("state.json") }
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
      file.at(.beforeExchange) { [folder] in try folder.save("{", to: "state.json") }
      let (invalid, _) = try file.displaced("2", base)
      file.at(.beforeSwapBack) { [folder] in
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
      file.at(.afterExchange) { [folder, file] in
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
          file.at(step) { [folder] in
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
}
