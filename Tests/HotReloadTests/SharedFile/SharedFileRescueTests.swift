import CLinux
import Glibc
import StateJSON
import TestSupport
import TestThreads
import Testing

@testable import HotReload

/// What can't come into the file is kept elsewhere.
@Suite(.ownThreads) struct SharedFileRescueTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.makeFolder("place")
    try folder.write("[1, 2]", to: "place/x")
  }

  @Test func `a rescued save is one whole file, however long its name`() throws {
    let long = String(repeating: "é", count: 120) + ".json"
    try folder.write("rescued", to: "place/" + long)
    let file = try SharedFile(path: folder.path("place/" + long), instance: "me", stateFolder: folder.path("state"))
    let save = try file.contentsNow()
    let place = try file.rescue(save)
    #expect(try file.rescue(save) == place)
    #expect(place.hasPrefix(folder.path("state/rescued/\(save.hash)-é")))
    #expect(place.hasSuffix("é.json"))
    #expect(try folder.names(in: "state/rescued").count == 1)
    let rescued = try FileDescriptor(opening: place, O_RDONLY)
    #expect(try rescued.status().permissions == 0o600)
    #expect(try rescued.contents(expecting: 0, limit: 99) == save.bytes)
  }

  @Test func `a save that can't be rescued says why`() throws {
    try folder.write("in the way", to: "state")
    let file = try folder.sharedFile("place/x", Capabilities())
    let error = #expect(throws: SystemError.self) { try file.rescue(file.contentsNow()) }
    #expect(error?.description == "cannot open '\(folder.path("state/rescued"))': not a directory")
  }

  @Test(.enabled(if: Mounting.isAllowed, "needs the right to mount"))
  func `half a save is not rescued`() throws {
    try folder.makeFolder("small")
    let target = folder.path("small")
    try SystemError.check("mount") { mount("none", target, "tmpfs", 0, "size=64k") }
    defer { umount2(target, Mounting.detach) }
    try folder.write(String(repeating: " ", count: 100_000), to: "place/x")
    let file = try SharedFile(path: folder.path("place/x"), instance: "me", stateFolder: target)
    let error = #expect(throws: SystemError.self) { try file.rescue(file.contentsNow()) }
    #expect(error?.errno == ENOSPC)
    #expect(try folder.names(in: "small/rescued") == [])
  }
}
