import Glibc
import StateJSON
import TestSupport
import TestThreads
import Testing

@testable import HotReload

/// What stands beside the file, and is nothing that a killed instance left.
@Suite(.ownThreads) struct SharedFileUntouchedTests {
  let folder: TemporaryFolder
  let file: SharedFile

  init() throws {
    folder = try TemporaryFolder()
    file = try folder.sharedFile("x", holding: "path")
  }

  @Test func `files of other machines, of other files and of people are left alone`() throws {
    let names = [
      ".x.replicate-00000000-1-2-3.tmp", ".y.replicate-\(Machine.identifier)-0-2-3.tmp",
      ".x.replicate-\(Machine.identifier)-notes.txt", ".x.swp",
    ]
    for name in names { try folder.write("mine", to: name) }
    #expect(try file.recovered() == [])
    #expect(try folder.names == (names + ["x"]).sorted())
  }

  @Test func `a link, a folder or a FIFO that is called like ours is left alone`() throws {
    let names = ["link", "folder", "fifo"].map { "\(file.prefix)7-\($0)-2.tmp" }
    try folder.link(names[0], to: "x")
    try folder.makeFolder(names[1])
    mkfifo(folder.path(names[2]), 0o600)
    #expect(try file.recovered() == [])
    #expect(file.unrecovered.map(\.name) == [])
    #expect(try folder.names == (names + ["x"]).sorted())
    #expect(try folder.text(of: "x") == "path")
  }

  @Test func `what a living instance keeps is its own`() throws {
    let other = try SharedFile(path: file.path, instance: "other", stateFolder: folder.path("state"))
    let editor = try Editor(folder.path("x"))
    try file.locked { _ = try file.replaced("2", file.contentsNow(settled: false)) }
    #expect(file.hasDisplaced)
    try editor.write("late")
    editor.close()
    #expect(other.needsRecovery)
    #expect(try other.recovered() == [])
    #expect(!other.hasDisplaced)
    #expect(try file.lateSaves().map(\.text) == ["late"])
  }
}
