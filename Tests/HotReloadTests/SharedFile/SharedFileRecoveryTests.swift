import CLinux
import Glibc
import StateJSON
import TestSupport
import TestThreads
import Testing

@testable import HotReload

/// What a killed instance leaves, and what the next one makes of it.
@Suite(.ownThreads) struct SharedFileRecoveryTests {
  let folder: TemporaryFolder
  let file: SharedFile

  init() throws {
    folder = try TemporaryFolder()
    file = try folder.sharedFile("x", holding: "path")
  }

  /// Leaves a file as a killed instance would. `inode` of nil: its own.
  @discardableResult
  func leave(_ role: SharedFileName.Role, _ text: String, base: String, new: String = "path", inode: UInt64?) throws
    -> String
  {
    try folder.write(text, to: "orphan")
    let own = try folder.status(of: "orphan").identity.inode
    let label = SharedFileName(
      role: role, inode: inode ?? own, base: short(base), new: short(new))
    let name = label.text(file.prefix)
    try folder.rename("orphan", to: name)
    return name
  }

  /// The save that is handed over; later, while a child of another test has a copy of its descriptor.
  func foreignSave() throws -> Contents? {
    if let save = try file.recovered().first { return save }
    return try file.lateSaves().first
  }

  /// What a file's name tells of such contents.
  func short(_ text: String) -> String { SharedFileName.short(ContentHash(Array(text.utf8))) }

  var pathInode: UInt64 { get throws { try folder.status(of: "x").identity.inode } }

  @Test(arguments: [nil, 0] as [UInt64?]) func `contents that were never swapped in are removed`(
    inode: UInt64?
  ) throws {
    try leave(.temporary, "[\"debris that parses\"]", base: "base", inode: inode)
    #expect(try file.recovered() == [])
    #expect(try folder.names == ["x"])
  }

  @Test func `what came out of a swap as expected is removed`() throws {
    try leave(.temporary, "base", base: "base", inode: pathInode)
    try leave(.spare, "base", base: "base", inode: nil)
    try leave(.aside, "base", base: "base", inode: pathInode)
    #expect(try file.recovered() == [])
    #expect(try eventually { try file.retireDisplaced() == [] && !file.hasDisplaced })
    #expect(try folder.names == ["x"])
  }

  @Test(arguments: [SharedFileName.Role.temporary, .back, .spare, .aside])
  func `a save that came out of a swap, and that nobody saw, is handed over`(role: SharedFileName.Role) throws {
    try leave(role, "foreign", base: "base", inode: pathInode)
    let save = try #require(try foreignSave())
    #expect(save.text == "foreign")
    #expect(try file.recovered() == [])
    #expect(try folder.names.count == 2)
    try file.locked { try file.ingested(save) }
    #expect(try eventually { try file.retireDisplaced() == [] && !file.hasDisplaced })
    #expect(try folder.names == ["x"])
  }

  @Test func `a save that was handed over and not ingested is found by the next instance`() throws {
    try leave(.temporary, "foreign", base: "base", inode: pathInode)
    #expect(try foreignSave()?.text == "foreign")
    file.die()
    #expect(try foreignSave()?.text == "foreign")
  }

  @Test func `an invalid save can be put back`() throws {
    try leave(.temporary, "{", base: "base", inode: pathInode)
    let save = try #require(try foreignSave())
    try file.locked {
      #expect(try file.swapBack(save).setAside == [])
      try file.closeQuietly()
    }
    #expect(try folder.text(of: "x") == "{")
    #expect(try folder.names == ["x"])
  }

  @Test func `what was renamed away comes back where the path is missing`() throws {
    let inode = try pathInode
    try folder.remove("x")
    try leave(.aside, "was here", base: "base", inode: inode)
    try leave(.temporary, "never swapped", base: "base", inode: nil)
    #expect(try file.recovered() == [])
    #expect(try folder.names == ["x"])
    #expect(try folder.text(of: "x") == "was here")
  }

  @Test func `of several that were renamed away the one comes back whose successor never stood`() throws {
    let inode = try pathInode
    try folder.remove("x")
    for base in ["a", "b", "c", "d"] { try leave(.aside, "old", base: base, inode: inode) }
    try leave(.temporary, "never swapped", base: "base", new: "new", inode: 7)
    try leave(.aside, "base", base: "base", new: "new", inode: 7)
    for base in ["e", "f", "g", "h"] { try leave(.aside, "old", base: base, inode: inode) }
    try file.locked { _ = try file.recover() }
    #expect(try folder.text(of: "x") == "base")
    // Another one must not come back in its place.
    #expect(try !folder.names.contains { $0.hasSuffix(".aside") })
  }

  @Test(arguments: [(true, "new", "new"), (true, "debris", "base"), (false, "new", "base")])
  func `what somebody writes to does not come back if the commit that it was renamed away for can be completed`(
    hasWriter: Bool, prepared: String, result: String
  ) throws {
    try folder.remove("x")
    let new = try leave(.temporary, prepared, base: "base", new: "new", inode: nil)
    let name = try leave(.aside, "base", base: "base", new: "new", inode: folder.status(of: new).identity.inode)
    let writer = hasWriter ? try FileDescriptor(opening: folder.path(name), O_WRONLY) : nil
    if !hasWriter { try folder.settle(name) }
    let (saves, evidence) = try file.recoveredWithEvidence()
    #expect(saves == [])
    #expect(try folder.text(of: "x") == result)
    #expect(file.hasDisplaced == (result == "new"))
    #expect(evidence == (result == "new" ? [.stood(short("new")), .wasRead(short("base"))] : []))
    if result == "new" {
      try writer?.write(Array("foreign".utf8))
      #expect(try file.lateSaves().map(\.text) == ["foreign"])
    }
  }

  @Test(arguments: [SharedFileName.Role.temporary, .back, .aside])
  func `what stands tells under which names something may have been left`(role: SharedFileName.Role) throws {
    try file.locked {
      var now = try file.contentsNow()
      now = try file.replaced("new", now)
      try file.closeQuietly()
      let heir = try SharedFile(path: folder.path("x"), instance: "heir", stateFolder: folder.path("state"))
      #expect(!heir.mayHaveOrphan(of: now))
      try leave(role, "path", base: "path", new: "new", inode: now.identity.inode)
      #expect(heir.mayHaveOrphan(of: now))
    }
  }

  @Test(arguments: [SharedFileName.Role.temporary, .back, .aside])
  func `after a save of somebody else anything may have been left`(role: SharedFileName.Role) throws {
    let save = try file.contentsNow()
    try leave(.spare, "older", base: "older", inode: 7)
    #expect(!file.mayHaveOrphan(of: save))
    try leave(role, "older", base: "older", inode: 7)
    #expect(file.mayHaveOrphan(of: save))
    #expect(try file.recovered() == [])
    #expect(try eventually { try file.retireDisplaced() == [] && !file.hasDisplaced })
    #expect(!file.mayHaveOrphan(of: save))
  }

  @Test(arguments: [SharedFileName.Role.temporary, .aside])
  func `what was swapped out, or aside, tells that what took its place has stood`(role: SharedFileName.Role) throws {
    try leave(role, "base", base: "base", new: "new", inode: pathInode)
    #expect(try file.recoveredWithEvidence().evidence == [.stood(short("new")), .wasRead(short("base"))])
    try leave(.temporary, "never", base: "base", new: "never", inode: nil)
    try leave(.spare, "base", base: "base", new: "older", inode: pathInode)
    // Whoever made the file that stands did not know of this.
    try leave(.aside, "base", base: "base", new: "other", inode: 7)
    let (saves, evidence) = try file.recoveredWithEvidence()
    #expect(saves == [])
    #expect(evidence.filter { if case .stood = $0 { true } else { false } } == [])
  }

  @Test(arguments: [SharedFileName.Role.temporary, .back, .spare, .aside])
  func `what was swapped out may have been read, as nobody is left who would know`(role: SharedFileName.Role) throws {
    try leave(role, "base", base: "base", new: "new", inode: role == .spare ? nil : pathInode)
    #expect(try file.recoveredWithEvidence().evidence.contains(.wasRead(short("base"))))
    try leave(.temporary, "never", base: "other", new: "never", inode: nil)
    #expect(try file.recoveredWithEvidence().evidence.contains(.wasRead(short("other"))) == false)
  }

  @Test(arguments: [SharedFileName.Role.temporary, .aside, .burst])
  func `what proves that something stood is left as it is until that is noted`(role: SharedFileName.Role) throws {
    let name = try leave(role, "base", base: "base", new: "new", inode: pathInode)
    if role == .burst {
      let stamp = Stamp(content: ContentHash(Array("base".utf8)), predecessor: ContentHash([]), instance: "dead")
      try FileDescriptor(opening: folder.path(name), System.O_RDONLY).setAttribute(Stamp.attribute, stamp.encoded)
    }
    var namesThen: [String] = []
    try file.locked {
      _ = try file.recover { if case .wasRead = $0 { return } else { namesThen = (try? folder.names) ?? [] } }
    }
    #expect(namesThen.contains(name))
    #expect(try folder.names == ["x"])
  }

  @Test func `what was swapped out keeps its name until the lock is given back`() throws {
    try file.locked {
      _ = try file.replace("new", file.contentsNow())
      #expect(try folder.names.contains { $0.hasSuffix(".tmp") })
    }
    #expect(try !folder.names.contains { $0.hasSuffix(".tmp") })
  }

  @Test func `a save that somebody still writes to is handed over later`() throws {
    let name = try leave(.temporary, "for", base: "base", inode: pathInode)
    let writer = try FileDescriptor(opening: folder.path(name), O_WRONLY)
    #expect(try file.recovered() == [])
    #expect(file.hasDisplaced)
    try writer.write(Array("foreign".utf8))
    _ = consume writer
    #expect(try file.lateSaves().map(\.text) == ["foreign"])
  }

  @Test func `only what a killed instance may have seen in a file may have been taken in by it`() throws {
    let name = try leave(.temporary, "old", base: "base", inode: pathInode)
    let writer = try FileDescriptor(opening: folder.path(name), O_WRONLY)
    #expect(try file.recovered() == [])
    let old = try #require(try file.lateSaves().first)
    #expect(old.text == "old")
    #expect(file.origin(of: old)?.successor == SharedFileName.short(ContentHash(Array("path".utf8))))
    try file.locked { try file.ingested(old) }
    try writer.write(Array("new".utf8))
    let new = try #require(try file.lateSaves().first)
    #expect(new.text == "new")
    let origin = try #require(file.origin(of: new))
    #expect(origin == (SharedFileName.short(old.hash), nil))
  }

  @Test(arguments: [SharedFileName.Role.temporary, .back, .spare, .aside])
  func `what a killed instance left is noticed`(role: SharedFileName.Role) throws {
    #expect(!file.needsRecovery)
    try folder.write("mine", to: ".x.replicate-00000000-1-2-3.tmp")
    try folder.write("mine", to: ".x.replicate-\(Machine.identifier)-notes.txt")
    #expect(!file.needsRecovery)
    try leave(role, "base", base: "base", inode: pathInode)
    #expect(file.needsRecovery)
    #expect(try file.recovered() == [])
    #expect(try eventually { try file.retireDisplaced() == [] && !file.hasDisplaced })
    #expect(!file.needsRecovery)
  }

  @Test func `what this instance displaced needs no recovery`() throws {
    try file.locked {
      var now = try file.contentsNow()
      let editor = try Editor(folder.path("x"))
      now = try file.replaced("2", now)
      _ = try file.withSpare(&now)
      #expect(file.hasDisplaced)
      #expect(!file.needsRecovery)
      editor.close()
    }
  }

  @Test func `a write in place that can't be completed keeps nothing else from being recovered`() throws {
    let stamp = Stamp(content: ContentHash([50]), predecessor: nil, instance: "dead")
    try RedoRecord(base: [49], new: [50], stamp: stamp).save(for: file.path, in: folder.path("state"), flush: false)
    try leave(.temporary, "debris", base: "base", inode: nil)
    try folder.remove("x")
    try folder.makeFolder("x")
    #expect(try file.recovered() == [])
    #expect(file.unrecovered.map(\.error.description) == ["cannot open '\(file.path)': is a directory"])
    #expect(try folder.names == ["state", "x"])
  }

  @Test func `a second name of the file at the path is removed`() throws {
    let inode = try pathInode
    let name = try leave(.aside, "base", base: "base", inode: inode)
    try folder.remove(name)
    try SystemError.check("linkat") { link(folder.path("x"), folder.path(name)) }
    #expect(try file.recovered() == [])
    #expect(!file.hasDisplaced)
    #expect(try folder.names == ["x"])
  }

  /// In a folder where everybody may remove only what is his.
  @Test(.enabled(if: geteuid() == 0, "needs to be root"))
  func `what can't be recovered keeps nothing else from it`() async {
    await #expect(processExitsWith: .success) {
      let test = try SharedFileRecoveryTests()
      let (folder, file) = (test.folder, test.file)
      var others: [String] = []
      for base in ["a", "b", "c"] { others.append(try test.leave(.temporary, "debris", base: base, inode: nil)) }
      others.append(try test.leave(.aside, "unreadable", base: "base", inode: nil))
      chmod(folder.path(others[3]), 0)
      chmod(folder.path, 0o1777)
      seteuid(65534)
      defer {
        seteuid(0)
        // To be removed by its owner.
        withExtendedLifetime(folder) {}
      }
      try test.leave(.temporary, "debris", base: "d", inode: nil)
      try test.leave(.temporary, "foreign", base: "e", inode: test.pathInode)
      for round in 0..<2 {
        #expect(try round == 0 ? test.foreignSave()?.text == "foreign" : file.recovered() == [])
        let errors = Dictionary(uniqueKeysWithValues: file.unrecovered.map { ($0.name, $0.error.description) })
        for name in others[..<3] {
          #expect(errors[name] == "cannot remove '\(folder.path(name))': operation not permitted")
        }
        #expect(errors[others[3]] == "cannot open '\(folder.path(others[3]))': permission denied")
        #expect(errors.count == 4)
      }
      #expect(try folder.names.count == 6)
      #expect(file.leftBehind.count == 1)
    }
  }

  /// What stands on the disk at a step is what a kill leaves there: the next instance takes over in its midst.
  @Test(arguments: [Step.beforeExchange, .afterExchange])
  func `dying at any step of a commit loses neither the file nor a foreign save`(step: Step) throws {
    let dying = try SharedFile(path: folder.path("x"), instance: "dying", stateFolder: folder.path("state"))
    defer { dying.onStep = { _ in } }
    var found: [String] = []
    try dying.locked {
      let base = try dying.contentsNow()
      dying.onStep = { [folder, file] in
        do {
          if $0 == .beforeExchange { try folder.save("foreign", to: "x") }
          guard $0 == step else { return }
          dying.unlock()
          try file.locked {
            found = try file.recover().map(\.text)
            if found.isEmpty, file.hasDisplaced { found = try file.lateSaves().map(\.text) }
            found.append(try file.contentsNow().text)
            #expect(try folder.names.count == found.count)
          }
          #expect(try dying.tryLock())
        } catch {
          Issue.record(error)
        }
      }
      // What it does after its death doesn't count; it may well fail.
      _ = try? dying.replace("new", base)
    }
    #expect(found == (step == .beforeExchange ? ["foreign"] : ["foreign", "new"]))
  }

  /// Nothing is lost by a kill while an invalid save is put back, not even what got into the contents that give way.
  @Test(arguments: [
    (Step.beforeSwapBack, ["{", "mine"]), (.duringSwapBack, ["{", "mine"]), (.afterSwapBack, ["mine", "{"]),
  ])
  func `dying at any step of putting a save back loses no other`(step: Step, expected: [String]) throws {
    let dying = try SharedFile(path: folder.path("x"), instance: "dying", stateFolder: folder.path("state"))
    defer { dying.onStep = { _ in } }
    var found: [String] = []
    try dying.locked {
      let base = try dying.contentsNow()
      dying.onStep = { [folder, file] in
        do {
          if $0 == .beforeExchange { try folder.save("{", to: "x") }
          if $0 == .beforeSwapBack { try folder.write("mine", to: "x") }
          guard $0 == step, found.isEmpty else { return }
          dying.displaced.first?.descriptor.unlock()
          dying.unlock()
          try file.locked {
            found = try file.recover().map(\.text)
            if found.isEmpty { found = try file.lateSaves().map(\.text) }
            found.append(try file.contentsNow().text)
          }
          #expect(try dying.tryLock())
        } catch {
          Issue.record(error)
        }
      }
      guard case .displaced(let invalid, _) = try dying.replace("new", base) else {
        Issue.record("not displaced")
        return
      }
      // What it does after its death doesn't count.
      _ = try? dying.swapBack(invalid)
    }
    #expect(found == expected)
  }

  @Test func `what gave way to a save that was put back is removed, unless somebody has saved into it`() throws {
    try leave(.back, "path", base: "base", inode: nil)
    try leave(.back, "base", base: "base", inode: pathInode)
    #expect(try file.recovered() == [])
    #expect(try eventually { try file.retireDisplaced() == [] && !file.hasDisplaced })
    #expect(try folder.names == ["x"])

    try leave(.back, "base", base: "base", inode: nil)
    let save = try #require(try foreignSave())
    #expect(save.text == "base")
    try file.locked { try file.ingested(save) }
    #expect(try eventually { try file.retireDisplaced() == [] && !file.hasDisplaced })
    #expect(try folder.names == ["x"])
  }

  @Test(arguments: ["x", String(repeating: "n", count: 255), String(repeating: "é", count: 127)])
  func `a name is cut to fit and understood again`(name: String) throws {
    let prefix = SharedFileName.family(of: name) + "01234567-"
    var label = SharedFileName(
      role: .temporary, inode: .max, base: "0123456789abcdef", new: "0123456789abcdef")
    #expect(SharedFileName(label.text(prefix), prefix: prefix) == label)
    label.attempt = 12
    label.role = .aside
    #expect(SharedFileName(label.text(prefix), prefix: prefix) == label)
    #expect(label.text(prefix).utf8.count <= 255)
  }

  @Test func `names that are cut are told apart by what was cut off`() {
    let long = String(repeating: "n", count: 200)
    #expect(SharedFileName.family(of: long + "1") != SharedFileName.family(of: long + "2"))
  }
}
