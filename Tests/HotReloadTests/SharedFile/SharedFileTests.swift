import CLinux
import Glibc
import StateJSON
import Synchronization
import TestSupport
import TestThreads
import Testing

@testable import HotReload

@Suite(.ownThreads) struct SharedFileTests {
  let folder: TemporaryFolder
  let file: SharedFile

  init() throws {
    folder = try TemporaryFolder()
    file = try folder.sharedFile("state.json", holding: "1")
  }

  // MARK: Reading

  @Test func `a file at rest is settled`() throws {
    let contents = try file.contentsNow()
    #expect(contents.text == "1")
    #expect(contents.settled)
    #expect(contents.stamp == nil)
    #expect(contents.hash == ContentHash(Array("1".utf8)))
  }

  @Test func `a file that somebody writes to is not settled`() throws {
    let writer = try FileDescriptor(opening: folder.path("state.json"), O_WRONLY)
    #expect(try !file.contentsNow(settled: false).settled)
    _ = consume writer
    #expect(try file.contentsNow().settled)
  }

  @Test func `a missing file and a dangling link are missing`() throws {
    try folder.remove("state.json")
    #expect(try file.read() == .missing)
    try folder.link("dangling", to: "nowhere.json")
    #expect(try SharedFile(path: folder.path("dangling"), instance: "me").read() == .missing)
  }

  @Test(arguments: [
    ("", "cannot open '': no such file or directory"),
    ("FOLDER", "cannot open 'FOLDER': is a directory"),
    ("FOLDER/", "cannot open 'FOLDER/': is a directory"),
    ("FOLDER/fifo", "cannot open 'FOLDER/fifo': is a FIFO, not a regular file"),
    ("FOLDER/loop", "cannot open 'FOLDER/loop': too many levels of symbolic links"),
    ("FOLDER/state.json/x", "cannot open 'FOLDER/state.json': not a directory"),
    ("FOLDER/no/x", "cannot open 'FOLDER/no/x': no such folder: 'FOLDER/no'"),
    ("/dev/null", "cannot open '/dev/null': is a device, not a regular file"),
    ("a\0b", "cannot open 'a\0b': a path can't contain a zero byte"),
  ])
  func `what can't be a shared file is refused`(path: String, message: String) throws {
    mkfifo(folder.path("fifo"), 0o600)
    try folder.link("loop", to: "loop")
    func filled(_ text: String) -> String {
      text.split(separator: "FOLDER", omittingEmptySubsequences: false).joined(separator: folder.path)
    }
    let error = #expect(throws: SystemError.self) { try SharedFile(path: filled(path), instance: "me") }
    #expect(error?.description == filled(message))
  }

  @Test func `a file that is too large is refused`() throws {
    let small = try SharedFile(path: folder.path("state.json"), instance: "me", sizeLimit: 3)
    try folder.write("123", to: "state.json")
    #expect(try small.contentsNow().text == "123")
    try folder.write("1234", to: "state.json")
    let error = #expect(throws: SystemError.self) { try small.read() }
    #expect(error?.description == "cannot read '\(folder.path("state.json"))': larger than 3 bytes")
  }

  // MARK: Locking

  @Test func `one lock for all names of a file`() throws {
    try folder.link("link", to: "state.json")
    let other = try SharedFile(path: folder.path("link"), instance: "other")
    #expect(try file.tryLock())
    #expect(try !other.tryLock())
    file.unlock()
    #expect(try other.tryLock())
    other.unlock()
    #expect(try folder.names == ["link", "state.json"])
  }

  @Test func `where a folder can't be locked a file is, and removed again`() throws {
    let capabilities = Capabilities(directoryLocks: false)
    let path = folder.path("state.json")
    let one = try SharedFile(path: path, instance: "one", capabilities: capabilities)
    let other = try SharedFile(path: path, instance: "other", capabilities: capabilities)
    #expect(try one.tryLock())
    #expect(try !other.tryLock())
    #expect(try folder.names == [".state.json.replicate-lock", "state.json"])
    one.unlock()
    #expect(try other.tryLock())
    other.unlock()
    #expect(try folder.names == ["state.json"])
  }

  @Test func `a lock file that a killed instance left is looked after`() throws {
    try folder.write("", to: ".state.json.replicate-lock")
    #expect(try file.recovered() == [])
    #expect(!file.needsRecovery, "it is of no use where the folder can be locked")
    let other = try SharedFile(
      path: folder.path("state.json"), instance: "other", capabilities: Capabilities(directoryLocks: false))
    #expect(other.needsRecovery)
    #expect(try other.recovered() == [])
    #expect(!other.needsRecovery)
    #expect(try folder.names == ["state.json"])
  }

  @Test func `a lock file that somebody else holds is not removed`() throws {
    let capabilities = Capabilities(directoryLocks: false)
    let files = try (0..<3).map { number in
      try SharedFile(path: folder.path("state.json"), instance: "\(number)", capabilities: capabilities)
    }
    #expect(try files[0].tryLock())
    // Somebody tidies up.
    try folder.remove(".state.json.replicate-lock")
    #expect(try files[1].tryLock())
    files[0].unlock()
    #expect(try !files[2].tryLock())
    files[1].unlock()
    #expect(try folder.names == ["state.json"])
  }

  @Test func `a lock file lets one in at a time, while it is removed and made again`() throws {
    let inside = Atomic(0)
    let path = folder.path("state.json")
    let threads = try (0..<3).map { number in
      try DriverThread(name: "locker") {
        do {
          let capabilities = Capabilities(directoryLocks: false)
          let file = try SharedFile(path: path, instance: "\(number)", capabilities: capabilities)
          for _ in 0..<1000 where try file.tryLock() {
            #expect(inside.add(1, ordering: .relaxed).newValue == 1)
            sched_yield()
            inside.subtract(1, ordering: .relaxed)
            file.unlock()
          }
        } catch {
          Issue.record(error)
        }
      }
    }
    threads.forEach { $0.join() }
    #expect(try folder.names == ["state.json"])
  }

  @Test func `the lock follows a folder that is replaced`() throws {
    try folder.makeFolder("a")
    try folder.makeFolder("b")
    try folder.write("in a", to: "a/x")
    try folder.write("in b", to: "b/x")
    let file = try SharedFile(path: folder.path("a/x"), instance: "me")
    #expect(try file.tryLock())
    file.unlock()
    try folder.rename("a", to: "c")
    try folder.rename("b", to: "a")
    #expect(try file.tryLock())
    #expect(try file.contentsNow().text == "in b")
    let here = try SharedFile(path: folder.path("a/x"), instance: "here")
    let there = try SharedFile(path: folder.path("c/x"), instance: "there")
    try #require(try !here.tryLock())
    #expect(try there.tryLock())
    file.unlock()
    #expect(try here.tryLock())
  }

  @Test(arguments: ["a/x", "a//x", "./a/./x", "a/../a/x", "link/x"])
  func `the path is what leads to the file, however it is written, and whatever becomes of its end`(path: String) throws
  {
    try folder.makeFolder("a")
    try folder.write("1", to: "a/x")
    try folder.write("2", to: "y")
    try folder.link("link", to: "a")
    let file = try SharedFile(path: folder.path(path), instance: "me")
    #expect(try file.contentsNow().text == "1")
    try file.locked { () throws in #expect(try file.contentsNow().text == "1") }
    try folder.link("new", to: "../y")
    try folder.rename("new", to: "a/x")
    try file.locked { () throws in #expect(try file.contentsNow().text == "2") }
    #expect(file.resolvedPath == folder.path("y"))
    try folder.save("3", to: "a/x")
    #expect(try file.contentsNow().text == "3")
    #expect(file.resolvedPath == folder.path("a/x"))
    try folder.link("new", to: "../y")
    try folder.rename("new", to: "a/x")
    #expect(try file.contentsNow().text == "2")
    #expect(file.resolvedPath == folder.path("y"))
    try folder.link("new", to: "../no/y")
    try folder.rename("new", to: "a/x")
    #expect(try file.read() == .missing)
    #expect(throws: SystemError.self) { try file.tryLock() }
  }

  @Test func `a file whose folder is deleted is missing, until both are made again`() throws {
    try folder.makeFolder("a")
    try folder.write("first", to: "a/x")
    let file = try SharedFile(path: folder.path("a/x"), instance: "me")
    try folder.remove("a/x")
    rmdir(folder.path("a"))
    #expect(try file.read() == .missing)
    let error = #expect(throws: SystemError.self) { try file.tryLock() }
    #expect(error?.description == "cannot open '\(file.path)': no such folder: '\(folder.path("a"))'")
    try folder.makeFolder("a")
    try folder.write("second", to: "a/x")
    #expect(try file.contentsNow().text == "second")
    try file.locked { _ = try file.replaced("third", file.contentsNow()) }
    #expect(try folder.text(of: "a/x") == "third")
  }

  // MARK: Replacing

  @Test func `what was read is replaced and stamped`() throws {
    try file.locked {
      let base = try file.contentsNow()
      let now = try file.replaced("2", base)
      #expect(try file.contentsNow() == now)
      #expect(now.stamp == Stamp(content: now.hash, predecessor: base.hash, instance: "me"))
    }
    #expect(try folder.text(of: "state.json") == "2")
  }

  @Test func `hundreds of commits leave one spare, and closing leaves nothing`() throws {
    try file.locked {
      var base = try file.contentsNow()
      for number in 2...300 {
        base = try file.replaced(String(repeating: "x", count: number % 7) + "\(number)", base)
      }
      // Our own descriptors must not be in the way of those who read.
      #expect(try eventually { try FileDescriptor(opening: file.path, O_RDONLY).take(.read) == .granted })
      #expect(try eventually { try file.retireDisplaced() == [] && folder.names.count <= 2 })
      #expect(try folder.text(of: "state.json") == base.text)
      try file.closeQuietly()
    }
    #expect(try folder.names == ["state.json"])
    #expect(file.leftBehind == [])
  }

  @Test(arguments: [true, false]) func `a save between reading and swapping comes out`(inPlace: Bool) throws {
    try file.locked {
      let base = try file.contentsNow()
      file.onStep = { [folder] step in
        guard step == .beforeExchange else { return }
        // The test fails by its expectations if this save fails.
        try? inPlace ? folder.write("foreign", to: "state.json") : folder.save("foreign", to: "state.json")
      }
      let replacement = try file.replace("2", base)
      guard case .displaced(let foreign, let now) = replacement else {
        Issue.record("\(replacement)")
        return
      }
      file.onStep = { _ in }
      #expect(foreign.text == "foreign")
      #expect(foreign.settled)
      #expect(now.text == "2")
      _ = try file.replaced("2+foreign", now)
      #expect(file.leftBehind.count == 1)
      try file.ingested(foreign)
      try file.closeQuietly()
    }
    #expect(try folder.names == ["state.json"])
    #expect(try folder.text(of: "state.json") == "2+foreign")
  }

  @Test func `a file removed before the swap is missing, and nothing is left`() throws {
    try file.locked {
      let base = try file.contentsNow()
      file.onStep = { [folder] step in
        if step == .beforeExchange { try? folder.remove("state.json") }
      }
      #expect(try file.replace("2", base) == .missing)
      #expect(try folder.names == [])
    }
  }
}
