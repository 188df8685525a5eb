import Glibc
import StateJSON
import TestSupport
import TestThreads
import Testing

@testable import HotReload

/// A folder in which everybody may make files, and only their owners remove them, as `/tmp`; and a user in it who means
/// harm. Each test is a process of its own, since users belong to processes.
@Suite(.ownThreads, .enabled(if: geteuid() == 0, "needs to be root")) struct HostileFolderTests {
  static let (owner, stranger): (UInt32, UInt32) = (65_534, 65_533)

  /// A sticky folder that belongs to root, with a file of the owner's.
  private final class Place: TemporaryFolder {
    override init() throws {
      try super.init()
      chmod(path, 0o1777)
      try by(owner) {
        try write("[1]", to: "x")
        try write("[\"secret\"]", to: "secret")
        chmod(self.path("secret"), 0o600)
      }
    }

    func by(_ user: UInt32, _ body: () throws -> Void) throws {
      let former = geteuid()
      func become(_ user: UInt32) {
        // Only root may become anybody.
        seteuid(0)
        seteuid(user)
      }
      become(user)
      defer { become(former) }
      try body()
    }

    func file() throws -> SharedFile {
      try SharedFile(path: path("x"), instance: "me", stateFolder: path("state"))
    }

    /// A name as our files have it, for new contents with a certain inode.
    func name(_ role: SharedFileName.Role, inode: UInt64, base: String = "base", new: String = "new") throws -> String {
      SharedFileName(role: role, inode: inode, base: base, new: new).text(try file().prefix)
    }
  }

  @Test func `what a stranger calls an orphan is none`() async {
    await #expect(processExitsWith: .success) {
      let place = try Place()
      try place.by(HostileFolderTests.stranger) { () throws in
        for role in [SharedFileName.Role.temporary, .spare, .aside] {
          try place.write("[\"forged\"]", to: place.name(role, inode: 1))
          try place.link(place.name(role, inode: 2), to: "secret")
          mkfifo(place.path(try place.name(role, inode: 3)), 0o666)
          try place.makeFolder(place.name(role, inode: 4))
        }
        try place.write("", to: place.name(.temporary, inode: 0))
      }
      // With the file's own owner, where the system lets him.
      let linked = try place.name(.temporary, inode: 5)
      link(place.path("secret"), place.path(linked))
      let before = try place.names

      try place.by(HostileFolderTests.owner) { () throws in
        let file = try place.file()
        #expect(!file.needsRecovery)
        try file.locked {
          #expect(try file.recover() == [])
          #expect(file.unrecovered.isEmpty)
          #expect(try file.replaced("[2]", file.contentsNow()).text == "[2]")
          try file.closeQuietly()
        }
      }
      #expect(try place.names == before)
      #expect(try place.text(of: "secret") == "[\"secret\"]")
    }
  }

  @Test func `an orphan of the owner's is taken over beside those of a stranger`() async {
    await #expect(processExitsWith: .success) {
      let place = try Place()
      try place.by(HostileFolderTests.stranger) { try place.write("[0]", to: place.name(.temporary, inode: 1)) }
      try place.by(HostileFolderTests.owner) { () throws in
        try place.write("[\"saved\"]", to: place.name(.temporary, inode: 2))
        let file = try place.file()
        #expect(file.needsRecovery)
        guard let save = try file.recovered().first else {
          Issue.record("the save was not found")
          return
        }
        #expect(save.text == "[\"saved\"]")
      }
    }
  }

  /// Whoever may replace the file anyway may have left it: its owner, the folder's, root, and this user.
  @Test func `an orphan of who may replace the file is none of a stranger's`() async {
    await #expect(processExitsWith: .success) {
      let (keeper, me): (UInt32, UInt32) = (65_532, 65_531)
      for (maker, isTrusted) in [
        (0, true), (keeper, true), (HostileFolderTests.owner, true), (me, true), (HostileFolderTests.stranger, false),
      ] {
        let place = try Place()
        chown(place.path, keeper, keeper)
        try place.by(maker) { try place.write("[0]", to: place.name(.temporary, inode: 2)) }
        try place.by(me) { () throws in #expect(try place.file().needsRecovery == isTrusted, "\(maker)") }
      }
    }
  }

  @Test func `a second name of the file at the path is removed here, too`() async {
    await #expect(processExitsWith: .success) {
      let place = try Place()
      try place.by(HostileFolderTests.owner) { () throws in
        let name = try place.name(.aside, inode: place.status(of: "x").identity.inode)
        #expect(link(place.path("x"), place.path(name)) == 0)
        #expect(try place.file().recovered() == [])
      }
      #expect(try place.names == ["secret", "x"])
    }
  }

  /// Also a name that can be told in advance.
  @Test func `a name that a stranger has taken is not written through`() async {
    await #expect(processExitsWith: .success) {
      let place = try Place()
      let (base, new) = (ContentHash(Array("[1]".utf8)), ContentHash(Array("[2]".utf8)))
      let name = try place.name(.temporary, inode: 0, base: SharedFileName.short(base), new: SharedFileName.short(new))
      try place.by(HostileFolderTests.stranger) { try place.link(name, to: "secret") }
      try place.by(HostileFolderTests.owner) { () throws in
        let file = try place.file()
        try file.locked {
          #expect(try file.replaced("[2]", file.contentsNow()).text == "[2]")
          try file.closeQuietly()
        }
      }
      #expect(try place.text(of: "secret") == "[\"secret\"]")
      #expect(try place.names == [name, "secret", "x"])
    }
  }

  /// Who comes between the look at a name and its use gets nothing that he may read.
  @Test func `a name that a stranger takes at the last moment is not written to`() async {
    await #expect(processExitsWith: .success) {
      let place = try Place()
      let (base, new) = (ContentHash(Array("[1]".utf8)), ContentHash(Array("[2]".utf8)))
      let name = try place.name(.temporary, inode: 0, base: SharedFileName.short(base), new: SharedFileName.short(new))
      try place.by(HostileFolderTests.owner) { () throws in
        let file = try place.file()
        try file.locked {
          let base = try file.contentsNow()
          file.onStep = { step in
            guard step == .beforeCreation else { return }
            // The test fails by its expectations if this fails.
            try? place.by(HostileFolderTests.stranger) {
              try place.write("", to: name)
              chmod(place.path(name), 0o666)
            }
          }
          let error = #expect(throws: SystemError.self) { try file.replace("[2]", base) }
          #expect(error?.errno == EEXIST)
          #expect(try place.text(of: name) == "")
          file.onStep = { _ in }
          #expect(try file.replaced("[2]", base).text == "[2]")
          try file.closeQuietly()
        }
      }
      #expect(try place.names == [name, "secret", "x"])
    }
  }

  /// Who opens the new file before it has the old one's mode keeps it open.
  @Test func `a new file never has more rights than the file whose place it takes`() async {
    await #expect(processExitsWith: .success) {
      let place = try Place()
      chmod(place.path("x"), 0o600)
      umask(0)
      try place.by(HostileFolderTests.owner) { () throws in
        let file = try place.file()
        try file.locked {
          var modes: [String: UInt32] = [:]
          file.onStep = { step in
            guard step == .beforeAttributes, let names = try? place.names else { return }
            for name in names where name.hasSuffix(".tmp") { modes[name] = (try? place.status(of: name))?.permissions }
          }
          let now = try file.replaced("[2]", file.contentsNow())
          #expect(Array(modes.values) == [0o600])
          _ = try file.replaced("[3]", now)
          #expect(Set(modes.values) == [0o600])
          try file.closeQuietly()
        }
      }
      #expect(try place.status(of: "x").permissions == 0o600)
    }
  }

  @Test func `a link of a stranger's is not followed`() async {
    await #expect(processExitsWith: .success) {
      let place = try Place()
      try place.by(HostileFolderTests.stranger) { try place.link("theirs", to: "secret") }
      try place.by(HostileFolderTests.owner) { try place.link("own", to: "secret") }
      try place.link("root's", to: "secret")
      try place.by(HostileFolderTests.owner) { () throws in
        let error = #expect(throws: SystemError.self) { try PathWalk(place.path("theirs")) }
        #expect(
          error?.description == "cannot open '\(place.path("theirs"))': "
            + "a symbolic link of another user in a folder that everybody may write to")
        #expect(try PathWalk(place.path("own")).target?.name == "secret")
        #expect(try PathWalk(place.path("root's")).target?.name == "secret")
      }
      // Where not everybody may write, whoever made a link had the right to; and where everybody may replace
      // everything, a link is no worse than a file. The kernel follows in the same places.
      for mode: mode_t in [0o755, 0o1755, 0o777] {
        chmod(place.path, mode)
        try place.by(HostileFolderTests.owner) { () throws in
          #expect(try PathWalk(place.path("theirs")).target?.name == "secret")
        }
      }
    }
  }

  /// The folder that the path led to is known, and asked for without a walk. Where it is itself behind the link, nothing
  /// is written that would not have been.
  @Test func `a link of a stranger's that takes a folder's place is not followed elsewhere`() async {
    await #expect(processExitsWith: .success) {
      let place = try Place()
      try place.by(HostileFolderTests.owner) { () throws in
        for name in ["mine", "private"] {
          try place.makeFolder(name)
          try place.write("[\"\(name)\"]", to: "\(name)/x")
        }
        let file = try SharedFile(path: place.path("mine/x"), instance: "me", stateFolder: place.path("state"))
        #expect(try file.contentsNow().text == "[\"mine\"]")
        try place.rename("mine", to: "moved")
        try place.by(HostileFolderTests.stranger) { try place.link("mine", to: "private") }
        #expect((#expect(throws: SystemError.self) { try file.read() })?.errno == EACCES)
        #expect((#expect(throws: SystemError.self) { try file.tryLock() })?.errno == EACCES)
        try place.by(HostileFolderTests.stranger) { () throws in
          try place.remove("mine")
          try place.link("mine", to: "moved")
        }
        #expect(try file.contentsNow().text == "[\"mine\"]")
        try file.locked {
          _ = try file.replaced("[2]", file.contentsNow())
          try file.closeQuietly()
        }
      }
      #expect(try place.text(of: "moved/x") == "[2]")
      #expect(try place.text(of: "private/x") == "[\"private\"]")
    }
  }

  @Test func `a state folder that others can write to is refused`() async {
    await #expect(processExitsWith: .success) {
      let place = try Place()
      try place.by(HostileFolderTests.stranger) { () throws in
        try place.makeFolder("theirs")
        chmod(place.path("theirs"), 0o777)
        try place.link("link", to: "mine")
      }
      try place.link("root's link", to: "mine")
      try place.by(HostileFolderTests.owner) { () throws in
        try place.makeFolder("mine")
        try place.makeFolder("open")
        chmod(place.path("open"), 0o720)
        try place.makeFolder("public")
        chmod(place.path("public"), 0o702)
        try place.link("own link", to: "mine")
        let advice = "; set XDG_STATE_HOME to a folder of yours"
        for (name, reason) in [
          ("theirs", "belongs to another user"), ("open", "other users may write to it"),
          ("public", "other users may write to it"), ("link", "is a symbolic link of another user"),
        ] {
          let path = place.path(name)
          let message = "cannot open '\(path)': \(reason)\(advice)"
          #expect((#expect(throws: SystemError.self) { try StateFolder.open(path) })?.description == message)
          let log = VersionLog(of: "/x", in: path)
          #expect((#expect(throws: SystemError.self) { try log.history() })?.description == message)
          #expect((#expect(throws: SystemError.self) { try log.newest() })?.description == message)
          // Whatever is in it, it is no record of this user's.
          #expect(try RedoRecord(for: "/x", in: path) == nil)
        }
        for name in ["mine", "own link", "root's link"] { _ = try StateFolder.open(place.path(name)) }
        #expect(try StateFolder.open(place.path("new/state")).descriptor.status().permissions == 0o700)
        #expect(try VersionLog(of: "/x", in: place.path("new/state")).newest() == nil)
        let log = try Folder(path: place.path("new/state")).names(startingWith: "").first { $0.hasSuffix(".versions") }
        #expect(try place.status(of: "new/state/\(#require(log))").permissions == 0o600)
      }
    }
  }
}
