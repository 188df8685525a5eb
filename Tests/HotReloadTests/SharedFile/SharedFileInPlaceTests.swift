import CLinux
import Glibc
import StateJSON
import TestSupport
import TestThreads
import Testing

@testable import HotReload

/// Where nothing can be put beside the file, it is written in place.
@Suite(.ownThreads) struct SharedFileInPlaceTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.makeFolder("place")
    try folder.write("[1, 2]", to: "place/x")
  }

  @Test(arguments: [EBUSY, EPERM, EACCES, EROFS]) func `where nothing can be replaced the file is written`(
    errno: Int32
  ) throws {
    let file = try folder.sharedFile("place/x", Capabilities(replacementError: errno))
    let identity = try folder.status(of: "place/x").identity
    try file.locked {
      var now = try file.contentsNow()
      // What is about to be written may be nobody else's business.
      file.onStep = { [folder] in
        guard $0 == .beforeWriteInPlace else { return }
        #expect(throws: Never.self) {
          let names = try folder.names(in: "state")
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
    #expect(try folder.names(in: "place") == ["x"])
    #expect(try folder.names(in: "state") == [])
  }

  @Test func `what was saved before a write in place is left alone`() throws {
    let file = try folder.sharedFile("place/x", Capabilities(replacementError: EBUSY))
    try file.locked {
      let base = try file.contentsNow()
      file.onStep = { [folder] in if $0 == .beforeExchange { try? folder.write("foreign", to: "place/x") } }
      #expect(try file.replace("2", base) == .changed)
    }
    #expect(try folder.text(of: "place/x") == "foreign")
  }

  @Test func `a write in place counts although its redo record can't be removed`() throws {
    let file = try folder.sharedFile("place/x", Capabilities(replacementError: EBUSY))
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
      #expect(try folder.names(in: "state").count == 1)
      // As if it had been cut short, but it was not.
      try folder.write("[7, 2]", to: "place/x")
      #expect(file.needsRecovery)
      #expect(try file.recover() == [])
      #expect(!file.needsRecovery)
    }
    #expect(try folder.text(of: "place/x") == "[7, 2]")
    #expect(try folder.names(in: "state") == [])
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
    let file = try folder.sharedFile("place/x", Capabilities())
    let (saves, evidence) = try file.recoveredWithEvidence()
    #expect(saves == [])
    #expect(evidence == (completed == nil ? [] : [.stood(SharedFileName.short(stamp.content))]))
    #expect(try file.contentsNow().text == completed ?? found)
    #expect(try folder.names(in: "state") == [])
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

  @Test(.enabled(if: Mounting.isAllowed, "needs the right to mount"))
  func `a file that is a mount of its own is written in place`() throws {
    try folder.write("[1, 2]", to: "source")
    let target = folder.path("place/x")
    try SystemError.check("mount") { mount(folder.path("source"), target, "none", Mounting.bind, nil) }
    // Lazily: a child that another test starts may have a copy of a descriptor for an instant.
    defer { umount2(target, Mounting.detach) }
    let file = try folder.sharedFile("place/x", Capabilities())
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
    #expect(try folder.names(in: "place") == ["x"])
  }

  @Test(.enabled(if: Mounting.isAllowed, "needs the right to mount"))
  func `a full disk leaves the file as it was, and nothing beside it`() throws {
    try folder.makeFolder("small")
    let target = folder.path("small")
    try SystemError.check("mount") { mount("none", target, "tmpfs", 0, "size=64k") }
    // Lazily: a child that another test starts may have a copy of a descriptor for an instant.
    defer { umount2(target, Mounting.detach) }
    try folder.write("1", to: "small/x")
    let file = try SharedFile(path: target + "/x", instance: "me", stateFolder: folder.path("state"))
    func free() throws -> UInt {
      var status = statvfs()
      try SystemError.check("statvfs") { statvfs(target, &status) }
      return status.f_bfree
    }
    try file.locked {
      let base = try file.contentsNow()
      let room = try free()
      let large = [UInt8](repeating: 0x20, count: 100_000)
      let stamp = Stamp(content: ContentHash(large), predecessor: base.hash, instance: "me")
      for _ in 0..<2 {
        let error = #expect(throws: SystemError.self) { try file.replace(with: large, expecting: base, stamp: stamp) }
        #expect(error?.errno == ENOSPC)
        #expect(error?.reason == "no space left on device")
        #expect(try folder.names(in: "small") == ["x"])
      }
      // A child of another test may have a copy of what was removed.
      #expect(try eventually { try free() == room })
      let now = try file.replaced("2", file.contentsNow())
      #expect(throws: SystemError.self) { try file.replace(with: large, expecting: now, stamp: stamp) }
      #expect(try file.contentsNow() == now)
      try file.closeQuietly()
    }
    #expect(try folder.names(in: "small") == ["x"])
  }

  @Test(.enabled(if: Mounting.isAllowed, "needs the right to mount"))
  func `a full disk leaves a file as it was that is written in place`() throws {
    try folder.makeFolder("small")
    let target = folder.path("small")
    try SystemError.check("mount") { mount("none", target, "tmpfs", 0, "size=64k") }
    // Lazily: a child that another test starts may have a copy of a descriptor for an instant.
    defer { umount2(target, Mounting.detach) }
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
      #expect(try folder.names(in: "state") == [])
      now = try file.replaced("3", now)
    }
  }
}
