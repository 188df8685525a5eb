import CLinux
import Glibc
import StateJSON
import TestSupport
import Testing

@testable import HotReload

/// The ways to replace a file where names can't be swapped, or where nothing can be put beside it.
@Suite struct SharedFileFallbackTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.makeFolder("place")
    try folder.write("[1, 2]", to: "place/x")
  }

  func file(_ capabilities: Capabilities) throws -> SharedFile {
    try SharedFile(
      path: folder.path("place/x"), instance: "me", stateFolder: folder.path("state"), capabilities: capabilities)
  }

  func names(_ name: String) throws -> [String] {
    try Folder(path: folder.path(name)).names(startingWith: "").filter { $0 != "." && $0 != ".." }.sorted()
  }

  // MARK: Renaming aside

  @Test(arguments: [true, false]) func `without a swap the path is renamed away`(noReplace: Bool) throws {
    let file = try file(Capabilities(exchange: false, noReplace: noReplace))
    try file.locked {
      var now = try file.contentsNow()
      for text in ["2", "33", "4"] { now = try file.replaced(text, now) }
      #expect(try file.contentsNow() == now)
      try file.closeQuietly()
    }
    #expect(file.degradation == nil)
    #expect(try names("place") == ["x"])
  }

  @Test func `a save before the renaming goes back to the path`() throws {
    let file = try file(Capabilities(exchange: false))
    try file.locked {
      let base = try file.contentsNow()
      file.onStep = { [folder] in if $0 == .beforeExchange { try? folder.save("foreign", to: "place/x") } }
      #expect(try file.replace("2", base) == .changed)
    }
    #expect(try folder.text(of: "place/x") == "foreign")
    #expect(try names("place") == ["x"])
  }

  @Test func `a file made while the path is missing stays`() throws {
    let file = try file(Capabilities(exchange: false))
    try file.locked {
      let base = try file.contentsNow()
      file.onStep = { [folder] in if $0 == .whileMissing { try? folder.write("foreign", to: "place/x") } }
      #expect(try file.replace("2", base) == .changed)
      try file.closeQuietly()
    }
    #expect(try folder.text(of: "place/x") == "foreign")
    #expect(try names("place") == ["x"])
  }

  @Test func `a late save into what gave way to a file made while the path is missing is found`() throws {
    let file = try file(Capabilities(exchange: false))
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
    #expect(try names("place") == ["x"])
  }

  @Test func `of two saves during a renaming both are found`() throws {
    let file = try file(Capabilities(exchange: false))
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
    #expect(try names("place") == ["x"])
  }

  @Test func `a save that is being written while the file is aside comes late`() throws {
    let file = try file(Capabilities(exchange: false))
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
    #expect(try names("place") == ["x"])
  }

  @Test func `what was renamed away and replaced is not what a killed instance had aside`() throws {
    let file = try file(Capabilities(exchange: false))
    try file.locked {
      let editor = try Editor(folder.path("place/x"))
      _ = try file.replaced("2", file.contentsNow(settled: false))
      #expect(try names("place").count == 2)
      #expect(try !names("place").contains { $0.hasSuffix(".aside") })
      #expect(file.hasDisplaced)
      editor.close()
      try file.closeQuietly()
    }
    #expect(try names("place") == ["x"])
  }

  @Test func `a folder that takes the file's place is not renamed away for good`() throws {
    for noReplace in [true, false] {
      let file = try file(Capabilities(exchange: false, noReplace: noReplace))
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
      #expect(try names("place") == ["x"])
      rmdir(folder.path("place/x"))
      try folder.rename("mine", to: "place/x")
    }
  }

  @Test(arguments: [true, false]) func `a name too many is no failure`(exists: Bool) throws {
    let file = try file(Capabilities(exchange: false, noReplace: false))
    // A folder can't be removed like a file.
    file.onStep = { [folder] in
      guard $0 == .linked else { return }
      for name in (try? names("place")) ?? [] where name.hasSuffix(".tmp") {
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
    let file = try file(Capabilities(replacementError: errno))
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
    #expect(try names("place") == ["x"])
  }

  // MARK: Writing in place

  @Test(arguments: [EBUSY, EPERM, EACCES, EROFS]) func `where nothing can be replaced the file is written`(
    errno: Int32
  ) throws {
    let file = try file(Capabilities(replacementError: errno))
    let identity = try folder.status(of: "place/x").identity
    try file.locked {
      var now = try file.contentsNow()
      // What is about to be written may be nobody else's business.
      file.onStep = { [folder] in
        guard $0 == .beforeWriteInPlace else { return }
        #expect(throws: Never.self) {
          let names = try names("state")
          #expect(names.count == 1)
          for name in names { #expect(try folder.status(of: "state/\(name)").permissions == 0o600) }
        }
      }
      for text in ["[1, 2, 3]", "[1]", "[1, 2]"] {
        now = try file.replaced(text, now)
        #expect(try file.contentsNow() == now)
      }
      try file.closeQuietly()
    }
    let cause = SystemError(call: "renameat2", errno: errno, path: folder.path("place/x"))
    #expect(
      file.degradation?.description == "written in place, since nothing can take its place here (\(cause.reason))")
    #expect(try folder.status(of: "place/x").identity == identity)
    #expect(try names("place") == ["x"])
    #expect(try names("state") == [])
  }

  @Test func `what was saved before a write in place is left alone`() throws {
    let file = try file(Capabilities(replacementError: EBUSY))
    try file.locked {
      let base = try file.contentsNow()
      file.onStep = { [folder] in if $0 == .beforeExchange { try? folder.write("foreign", to: "place/x") } }
      #expect(try file.replace("2", base) == .changed)
    }
    #expect(try folder.text(of: "place/x") == "foreign")
  }

  @Test func `a write in place counts although its redo record can't be removed`() throws {
    let file = try file(Capabilities(replacementError: EBUSY))
    try file.locked {
      let base = try file.contentsNow()
      file.onStep = { [folder] in
        guard $0 == .beforeWriteInPlace else { return }
        try? folder.rename("state", to: "moved")
        try? folder.write("in the way", to: "state")
      }
      let now = try file.replaced("[7, 8, 9]", base)
      #expect(try file.contentsNow() == now)
      file.onStep = { _ in }
      try folder.remove("state")
      try folder.rename("moved", to: "state")
      #expect(try names("state").count == 1)
      // As if it had been cut short, but it was not.
      try folder.write("[7, 2]", to: "place/x")
      #expect(file.needsRecovery)
      #expect(try file.recover() == [])
      #expect(!file.needsRecovery)
    }
    #expect(try folder.text(of: "place/x") == "[7, 2]")
    #expect(try names("state") == [])
  }

  static let cutShort: [(found: String, completed: String?)] = [
    ("[1, 2]", nil), ("[7, 2]", "[7, 8, 9]"), ("[7, 8, 9", "[7, 8, 9]"), ("[7, 8, 9]", "[7, 8, 9]"),
    ("[5, 2]", nil), ("", nil), ("[7, 8, 9, 10]", nil),
  ]

  @Test(arguments: cutShort) func `a write in place that was cut short is completed, unless somebody wrote`(
    found: String, completed: String?
  ) throws {
    let bytes = { (text: String) in Array(text.utf8) }
    let stamp = Stamp(content: ContentHash(bytes("[7, 8, 9]")), predecessor: nil, instance: "dead")
    let record = RedoRecord(base: bytes("[1, 2]"), new: bytes("[7, 8, 9]"), stamp: stamp)
    try record.save(for: folder.path("place/x"), in: folder.path("state"), flush: false)
    try folder.write(found, to: "place/x")
    let file = try file(Capabilities())
    try file.locked {
      let recovered = try file.recover()
      let expected = try completed == nil ? [] : [Recovered.completed(file.contentsNow())]
      #expect(recovered == expected)
      #expect(try file.contentsNow().text == completed ?? found)
      #expect(try names("state") == [])
    }
  }

  @Test func `blanks stand where a shorter text ends until it is cut off`() {
    let stamp = Stamp(content: ContentHash([]), predecessor: nil, instance: "")
    let record = RedoRecord(base: Array("[1, 2]".utf8), new: Array("[1]".utf8), stamp: stamp)
    #expect(record.padded == Array("[1]   ".utf8))
    #expect(record.progress(of: Array("[1]   ".utf8)) == .torn)
    #expect(record.progress(of: Array("[1] 2]".utf8)) == .torn)
    #expect(record.progress(of: Array("[1] 3]".utf8)) == .overtaken)
  }

  /// Somebody else's file, which leases are refused on as well.
  @Test(.enabled(if: geteuid() == 0, "needs to be root"))
  func `where the owner can't be kept the file is written in place`() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      try folder.write("[1]", to: "x")
      chmod(folder.path, 0o777)
      chmod(folder.path("x"), 0o666)
      seteuid(65534)
      defer {
        seteuid(0)
        // To be removed by its owner.
        withExtendedLifetime(folder) {}
      }
      let file = try SharedFile(path: folder.path("x"), instance: "guest", stateFolder: folder.path("state"))
      try file.locked {
        let base = try file.contentsNow(settled: false)
        #expect(!base.settled)
        let now = try file.replaced("[1, 2]", base)
        #expect(try file.contentsNow() == now)
        #expect(try file.contentsNow().settled)
        try file.closeQuietly()
      }
      #expect(file.degradation?.cause.call == "fchown")
      #expect(try folder.status(of: "x").owner == 0)
      #expect(try folder.names == ["state", "x"])

      seteuid(0)
      chmod(folder.path("x"), 0o444)
      seteuid(65534)
      try file.locked {
        let base = try file.contentsNow()
        let error = #expect(throws: SystemError.self) { try file.replace("[3]", base) }
        #expect(error?.description == "cannot open '\(file.path)': permission denied")
      }
    }
  }

  @Test(.enabled(if: Self.canMount, "needs the right to mount"))
  func `a file that is a mount of its own is written in place`() throws {
    try folder.write("[1, 2]", to: "source")
    let target = folder.path("place/x")
    try SystemError.check("mount") { mount(folder.path("source"), target, "none", Self.bindMount, nil) }
    // Lazily: a child that another test starts may have a copy of a descriptor for an instant.
    defer { umount2(target, Self.detach) }
    let file = try file(Capabilities())
    let report = try PlaceReport(probing: target)
    #expect(report.inPlaceBecause?.description == "cannot rename '\(target)': is a mount point")
    #expect(!report.isLossProof)
    try file.locked {
      let now = try file.replaced("[3]", file.contentsNow())
      #expect(try file.contentsNow() == now)
      try file.closeQuietly()
    }
    #expect(file.degradation?.cause.errno == EBUSY)
    #expect(try folder.text(of: "source") == "[3]")
    #expect(try names("place") == ["x"])
  }

  @Test(.enabled(if: Self.canMount, "needs the right to mount"))
  func `a full disk leaves the file as it was, and nothing beside it`() throws {
    try folder.makeFolder("small")
    let target = folder.path("small")
    try SystemError.check("mount") { mount("none", target, "tmpfs", 0, "size=64k") }
    // Lazily: a child that another test starts may have a copy of a descriptor for an instant.
    defer { umount2(target, Self.detach) }
    try folder.write("1", to: "small/x")
    let file = try SharedFile(path: target + "/x", instance: "me", stateFolder: folder.path("state"))
    try file.locked {
      let base = try file.contentsNow()
      let large = [UInt8](repeating: 0x20, count: 100_000)
      let stamp = Stamp(content: ContentHash(large), predecessor: base.hash, instance: "me")
      for _ in 0..<2 {
        let error = #expect(throws: SystemError.self) { try file.replace(with: large, expecting: base, stamp: stamp) }
        #expect(error?.errno == ENOSPC)
        #expect(error?.reason == "no space left on device")
        #expect(try names("small") == ["x"])
      }
      let now = try file.replaced("2", file.contentsNow())
      #expect(throws: SystemError.self) { try file.replace(with: large, expecting: now, stamp: stamp) }
      #expect(try file.contentsNow() == now)
      try file.closeQuietly()
    }
    #expect(try names("small") == ["x"])
  }

  @Test(.enabled(if: Self.canMount, "needs the right to mount"))
  func `a full disk leaves a file as it was that is written in place`() throws {
    try folder.makeFolder("small")
    let target = folder.path("small")
    try SystemError.check("mount") { mount("none", target, "tmpfs", 0, "size=64k") }
    // Lazily: a child that another test starts may have a copy of a descriptor for an instant.
    defer { umount2(target, Self.detach) }
    try folder.write("1", to: "small/x")
    let file = try SharedFile(
      path: target + "/x", instance: "me", stateFolder: folder.path("state"),
      capabilities: Capabilities(replacementError: EBUSY))
    try file.locked {
      var now = try file.replaced("2", file.contentsNow())
      let large = [UInt8](repeating: 0x20, count: 100_000)
      let stamp = Stamp(content: ContentHash(large), predecessor: now.hash, instance: "me")
      #expect(throws: SystemError.self) { try file.replace(with: large, expecting: now, stamp: stamp) }
      #expect(try file.contentsNow() == now)
      #expect(try names("state") == [])
      now = try file.replaced("3", now)
    }
  }

  // MARK: Rescuing

  @Test func `a rescued save is one whole file, however long its name`() throws {
    let long = String(repeating: "é", count: 120) + ".json"
    try folder.write("rescued", to: "place/" + long)
    let file = try SharedFile(path: folder.path("place/" + long), instance: "me", stateFolder: folder.path("state"))
    let save = try file.contentsNow()
    let place = try file.rescue(save)
    #expect(try file.rescue(save) == place)
    #expect(place.hasPrefix(folder.path("state/rescued/\(save.hash)-é")))
    #expect(place.hasSuffix("é.json"))
    #expect(try names("state/rescued").count == 1)
    let rescued = try FileDescriptor(opening: place, O_RDONLY)
    #expect(try rescued.status().permissions == 0o600)
    #expect(try rescued.contents(expecting: 0, limit: 99) == save.bytes)
  }

  @Test func `a save that can't be rescued says why`() throws {
    try folder.write("in the way", to: "state")
    let file = try file(Capabilities())
    let error = #expect(throws: SystemError.self) { try file.rescue(file.contentsNow()) }
    #expect(error?.description == "cannot open '\(folder.path("state/rescued"))': not a directory")
  }

  @Test(.enabled(if: Self.canMount, "needs the right to mount"))
  func `half a save is not rescued`() throws {
    try folder.makeFolder("small")
    let target = folder.path("small")
    try SystemError.check("mount") { mount("none", target, "tmpfs", 0, "size=64k") }
    defer { umount2(target, Self.detach) }
    try folder.write(String(repeating: " ", count: 100_000), to: "place/x")
    let file = try SharedFile(path: folder.path("place/x"), instance: "me", stateFolder: target)
    let error = #expect(throws: SystemError.self) { try file.rescue(file.contentsNow()) }
    #expect(error?.errno == ENOSPC)
    #expect(try names("small/rescued") == [])
  }

  /// `MS_BIND`.
  private static let bindMount: UInt = 4096
  /// `MNT_DETACH`.
  private static let detach: Int32 = 2

  /// Tries it, in a folder of its own: rights alone don't tell.
  private static let canMount: Bool = {
    guard let folder = try? TemporaryFolder(), (try? folder.write("", to: "a")) != nil,
      mount(folder.path("a"), folder.path("a"), "none", Self.bindMount, nil) == 0
    else { return false }
    return umount2(folder.path("a"), detach) == 0
  }()
}
