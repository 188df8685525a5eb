import CLinux
import Glibc
import TestSupport
import TestThreads
import Testing

@testable import HotReload

@Suite(.ownThreads) struct FileWatcherTests {
  let folder: TemporaryFolder
  let waker: Waker
  let hub = InotifyHub()

  init() throws {
    folder = try TemporaryFolder()
    waker = try Waker()
    try folder.makeFolder("a")
    try folder.makeFolder("a/b")
    try folder.write("1", to: "a/b/x")
  }

  /// Waits until a watcher is as dirty as expected.
  func expect(
    _ expected: FileWatcher.Dirty, _ watcher: FileWatcher, _ location: SourceLocation = #_sourceLocation
  ) throws {
    let deadline = TestPatience.deadline
    while watcher.drain() < expected {
      guard try Poller.wait(for: [watcher.rawDescriptor, waker.rawDescriptor], until: deadline) else {
        Issue.record("no event", sourceLocation: location)
        return
      }
      waker.reset()
    }
  }

  func watcher(_ name: String) -> FileWatcher {
    let watcher = FileWatcher(path: folder.path(name), waker: waker, hub: hub)
    #expect(watcher.blindness == nil)
    return watcher
  }

  /// Lets a watcher do all that it has to.
  func comeToRest(_ watcher: FileWatcher) {
    repeat {
      while watcher.drain() != .clean {}
    } while watcher.tidy()
  }

  /// A change that was seen must not make the watcher deaf: so each is made three times.
  func expectSeen(_ name: String, _ change: (Int) throws -> Void) throws {
    let watcher = watcher(name)
    for round in 0..<3 {
      try change(round)
      try expect(.now, watcher)
      comeToRest(watcher)
    }
  }

  @Test func `writing in place is seen when the writer closes the file`() throws {
    try expectSeen("a/b/x") { try folder.write("\($0)", to: "a/b/x") }
  }

  @Test func `renaming over the file is seen`() throws {
    try expectSeen("a/b/x") { try folder.save("\($0)", to: "a/b/x") }
  }

  @Test func `removing and making the file again is seen`() throws {
    let watcher = watcher("a/b/x")
    for _ in 0..<3 {
      try folder.remove("a/b/x")
      try expect(.now, watcher)
      try folder.write("2", to: "a/b/x")
      try expect(.now, watcher)
    }
  }

  @Test func `a write by a writer who goes on asks for quiet`() throws {
    let watcher = watcher("a/b/x")
    let writer = try FileDescriptor(opening: folder.path("a/b/x"), O_WRONLY)
    try writer.write([50])
    try expect(.afterQuiet, watcher)
    #expect(watcher.drain() == .clean)
    _ = consume writer
    try expect(.now, watcher)
  }

  /// It isn't watched itself before there is time for that.
  @Test func `a write to a file that has just come to stand there is seen when it is closed`() throws {
    let watcher = watcher("a/b/x")
    try folder.save("2", to: "a/b/x")
    try expect(.now, watcher)
    while watcher.drain() != .clean {}
    let writer = try FileDescriptor(opening: folder.path("a/b/x"), O_WRONLY)
    try writer.write([51])
    _ = consume writer
    try expect(.now, watcher)
    #expect(!watcher.isMereReplacement)
  }

  @Test func `a write through another name of the file is seen`() throws {
    try SystemError.check("linkat") { link(folder.path("a/b/x"), folder.path("other")) }
    try expectSeen("a/b/x") { try folder.write("\($0)", to: "other") }
  }

  @Test func `of many files that replace each other the one that stands there is watched itself, and no other`() throws
  {
    let watcher = watcher("a/b/x")
    for round in 0..<3 {
      try SystemError.check("linkat") { link(folder.path("a/b/x"), folder.path("former\(round)")) }
      try folder.save("\(round)", to: "a/b/x")
      try expect(.now, watcher)
      while watcher.drain() != .clean {}
      #expect(watcher.tidy())
      while watcher.drain() != .clean {}
      #expect(!watcher.tidy())
      try SystemError.check("linkat") { link(folder.path("a/b/x"), folder.path("other\(round)")) }
      try folder.write("2", to: "other\(round)")
      try expect(.now, watcher)
      while watcher.drain() != .clean {}
      try folder.write("3", to: "former\(round)")
      #expect(watcher.drain() == .clean)
    }
  }

  @Test func `a link that takes the file's place is followed`() throws {
    try folder.write("2", to: "y")
    let watcher = watcher("a/b/x")
    try folder.link("link", to: folder.path("y"))
    try folder.rename("link", to: "a/b/x")
    try expect(.now, watcher)
    comeToRest(watcher)
    try folder.save("3", to: "y")
    try expect(.now, watcher)
  }

  /// Who replaced it himself has nothing to read then.
  @Test func `that another file stands there, and that somebody wrote to it, are told apart`() throws {
    let watcher = watcher("a/b/x")
    func isMereReplacement(_ change: () throws -> Void) throws -> Bool {
      comeToRest(watcher)
      try change()
      var isMere = true
      try expect(.now, watcher)
      repeat { isMere = isMere && watcher.isMereReplacement } while watcher.drain() != .clean
      return isMere
    }
    #expect(try isMereReplacement { try folder.save("2", to: "a/b/x") })
    #expect(
      try isMereReplacement {
        try folder.write("3", to: "a/b/.y")
        try Folder(path: folder.path("a/b")).exchange(".y", "x")
      })
    #expect(try !isMereReplacement { try folder.write("4", to: "a/b/x") })
    do {
      let writer = try Editor(folder.path("a/b/x"))
      #expect(
        try !isMereReplacement {
          try writer.write("5")
          try folder.save("6", to: "a/b/x")
        })
      writer.close()
    }
    while watcher.drain() != .clean {}
    #expect(try !isMereReplacement { hub.inject(mask: UInt32(IN_Q_OVERFLOW)) })
    #expect(
      try !isMereReplacement {
        try folder.rename("a/b", to: "old")
        try folder.makeFolder("a/b")
      })
  }

  @Test func `a folder that is replaced is seen, and so is what happens in the new one`() throws {
    let watcher = watcher("a/b/x")
    try folder.makeFolder("new")
    try folder.write("2", to: "new/x")
    try folder.rename("a/b", to: "old")
    try expect(.now, watcher)
    try folder.rename("new", to: "a/b")
    try expect(.now, watcher)
    comeToRest(watcher)
    try folder.save("3", to: "a/b/x")
    try expect(.now, watcher)
  }

  /// Who reads it then need not ask where the path leads.
  @Test func `that the way is the same is told, and that it may not be`() throws {
    let watcher = watcher("a/b/x")
    try folder.save("2", to: "a/b/x")
    try expect(.now, watcher)
    #expect(watcher.isSameWay)
    comeToRest(watcher)
    for change in [("a/b", "b"), ("a", "c")] {
      try folder.rename(change.0, to: change.1)
      // It is told with the news; nothing has happened to a way that isn't there any more.
      let isToldOf = eventually {
        let isNews = watcher.drain() == .now
        return isNews && !watcher.isSameWay
      }
      #expect(isToldOf)
    }
  }

  @Test func `an ancestor that is replaced is seen`() throws {
    let watcher = watcher("a/b/x")
    try folder.rename("a", to: "old")
    try expect(.now, watcher)
    try folder.makeFolder("a")
    try expect(.now, watcher)
    try folder.makeFolder("a/b")
    try expect(.now, watcher)
    try folder.write("2", to: "a/b/x")
    try expect(.now, watcher)
  }

  @Test func `a folder that somebody keeps open is seen to be deleted and made again`() throws {
    let watcher = watcher("a/b/x")
    let open = try FileDescriptor(opening: folder.path("a/b"), O_RDONLY)
    try folder.remove("a/b/x")
    try expect(.now, watcher)
    try SystemError.check("unlinkat") { rmdir(folder.path("a/b")) }
    try expect(.now, watcher)
    try folder.makeFolder("a/b")
    try expect(.now, watcher)
    try folder.write("2", to: "a/b/x")
    try expect(.now, watcher)
    #expect(try open.status().isDirectory)
  }

  @Test func `a link that is given another target is seen, and so is what happens to the new one`() throws {
    try folder.link("link", to: "a/b/x")
    try folder.write("2", to: "y")
    let watcher = watcher("link")
    try folder.link("link2", to: "y")
    try folder.rename("link2", to: "link")
    try expect(.now, watcher)
    comeToRest(watcher)
    try folder.save("3", to: "y")
    try expect(.now, watcher)
  }

  /// As Kubernetes updates a mounted configuration.
  @Test func `a link to a folder in the middle of the way that is replaced is seen`() throws {
    try folder.link("..data", to: "a/b")
    try folder.link("x", to: "..data/x")
    try expectSeen("x") { round in
      try folder.makeFolder("data\(round)")
      try folder.write("2", to: "data\(round)/x")
      try folder.link("..data_tmp", to: "data\(round)")
      try folder.rename("..data_tmp", to: "..data")
    }
  }

  @Test func `an overflow makes everything dirty`() throws {
    let watcher = watcher("a/b/x")
    hub.inject(mask: UInt32(IN_Q_OVERFLOW))
    #expect(watcher.drain() == .now)
    #expect(watcher.drain() == .clean)
    try folder.save("2", to: "a/b/x")
    try expect(.now, watcher)
  }

  @Test func `neighbours don't matter`() throws {
    let watcher = watcher("a/b/x")
    try folder.save("2", to: "a/b/y")
    try folder.write("2", to: "a/b/.x.replicate-1-2-3-4.tmp")
    try folder.makeFolder("c")
    #expect(watcher.drain() == .clean)
  }

  @Test func `watchers of one process share a descriptor and wake each other`() throws {
    let other = try Waker()
    let one = watcher("a/b/x")
    do {
      let two = FileWatcher(path: folder.path("a/b/x"), waker: other, hub: hub)
      #expect(one.rawDescriptor == two.rawDescriptor)
      try folder.save("2", to: "a/b/x")
      try expect(.now, one)
      #expect(try Poller.wait(for: [other.rawDescriptor], until: TestPatience.deadline))
      #expect(two.drain() == .now)
    }
    other.reset()
    while one.drain() != .clean {}
    try folder.save("3", to: "a/b/x")
    try expect(.now, one)
    // Who has gone is woken no more.
    #expect(try !Poller.wait(for: [other.rawDescriptor], until: 0))
  }

  @Test func `while it is paused only a change of the way is told`() throws {
    let watcher = watcher("a/b/x")
    watcher.pause()
    try folder.write("2", to: "a/b/x")
    try folder.save("3", to: "a/b/x")
    #expect(watcher.drain() == .clean)
    #expect(try !Poller.wait(for: [watcher.rawDescriptor], until: 0))
    try folder.rename("a/b", to: "old")
    try folder.makeFolder("a/b")
    try folder.write("4", to: "a/b/x")
    try expect(.now, watcher)
    #expect(!watcher.isSameWay)
  }

  @Test func `after a pause everything is told again`() throws {
    let watcher = watcher("a/b/x")
    for round in 0..<3 {
      watcher.pause()
      try folder.save("\(round)", to: "a/b/x")
      watcher.resume(beforeReading: round == 0)
      // Of what may have happened meanwhile it is told, unless the file is read anyway.
      #expect(watcher.drain() == (round == 0 ? .clean : .now))
      #expect(watcher.wasPaused == (round > 0))
      comeToRest(watcher)
      #expect(!watcher.wasPaused)
      try folder.write("2", to: "a/b/x")
      try expect(.now, watcher)
      comeToRest(watcher)
      try folder.save("3", to: "a/b/x")
      try expect(.now, watcher)
      #expect(watcher.isMereReplacement)
      try folder.remove("a/b/x")
      comeToRest(watcher)
      // Of this only the folder can tell.
      try folder.write("4", to: "a/b/x")
      try expect(.now, watcher)
    }
  }

  @Test func `another folder that the path leads to after a pause is watched`() throws {
    let watcher = watcher("a/b/x")
    watcher.pause()
    try folder.rename("a/b", to: "old")
    try folder.makeFolder("a/b")
    watcher.resume()
    comeToRest(watcher)
    try folder.write("2", to: "old/x")
    #expect(watcher.drain() == .clean)
    try folder.write("2", to: "a/b/x")
    try expect(.now, watcher)
  }

  @Test func `who isn't paused is told all the same`() throws {
    let one = watcher("a/b/x")
    let two = watcher("a/b/x")
    one.pause()
    try folder.save("2", to: "a/b/x")
    try expect(.now, two)
    comeToRest(two)
    try folder.write("3", to: "a/b/x")
    try expect(.now, two)
    one.resume()
    comeToRest(one)
    try folder.save("4", to: "a/b/x")
    try expect(.now, one)
  }

  @Test(arguments: [
    ("inotify_add_watch", ENOSPC, "the inotify watch limit is reached; raise fs.inotify.max_user_watches"),
    ("inotify_init1", EMFILE, "the inotify instance limit is reached; raise fs.inotify.max_user_instances"),
    ("inotify_init1", EMFILE, "too many open files"),
    ("inotify_add_watch", EACCES, "permission denied"),
  ])
  func `what makes a watcher blind is said with what to do about it`(call: String, errno: Int32, reason: String) {
    // The process's own limit comes with words of its own.
    let detail = reason == "too many open files" ? reason : nil
    #expect(Blindness(cause: SystemError(call: call, errno: errno, detail: detail)).description == reason)
  }

  @Test func `a file on a file system that keeps its changes to itself has to be polled`() {
    #expect(FileSystemKind(magic: 0x6969).changesBehindOurBack)
    #expect(Blindness(fileSystem: FileSystemKind(magic: 0x6969)).description == "nfs doesn't announce every change")
  }

  @Test func `whether locks reach other machines is told by the type of what is mounted`() {
    let table = MountTable(
      """
      22 27 0:21 / /proc rw,nosuid shared:12 master:1 - proc proc rw
      31 27 0:45 / /mnt/desk rw - fuse.sshfs me@desk:/home/me rw,user_id=0
      32 27 8:1 /a\\040-\\040b /b rw shared:1 - ext4 /dev/sda1 rw
      half a line
      """)
    // As the C function `makedev` has it: the lower eight bits, and those of the major number beside them.
    #expect(table.type(at: 45) == "fuse.sshfs")
    #expect(table.type(at: 0x801) == "ext4")
    #expect(table.type(at: 46) == nil)
    let fuse: UInt32 = 0x6573_5546
    #expect(FileSystemKind(magic: fuse, type: "fuse.sshfs").locksMayStayHere)
    #expect(FileSystemKind(magic: fuse, type: "fuse.sshfs").description == "fuse.sshfs")
    #expect(!FileSystemKind(magic: fuse, type: "fuse.bindfs").locksMayStayHere)
    #expect(!FileSystemKind(magic: fuse).locksMayStayHere)
    #expect(FileSystemKind(magic: 0x6969).locksMayStayHere)
    #expect(!FileSystemKind(magic: 0xEF53).locksMayStayHere)
  }
}
