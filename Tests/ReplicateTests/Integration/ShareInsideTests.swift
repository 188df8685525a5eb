import HotReload
import StateJSON
import TestSupport
import TestThreads
import Testing

@testable import replicate

/// Devices that share a file which lies in the synced folder itself, beside its journals; the engine is a copy of files, with their times.
@Suite(.ownThreads) struct ShareInsideTests {
  /// A device of these tests.
  private struct Inside {
    let device: TestDevice
    private static let file = "sync/s.json"

    init(_ name: String, _ text: String? = nil) throws {
      device = try TestDevice(name)
      if let text { try device.place.write(text, to: Self.file) }
    }

    @discardableResult
    func run(_ verb: String, _ words: String...) throws -> Binary.Run {
      try device.place.run([verb, Self.file] + words, environment: device.environment)
    }

    func share() throws -> String { try run("share", "--name", device.name).messages }

    func value() throws -> JSONValue { try JSONValue(parsing: run("get").output) }

    func names() throws -> [String] { try device.place.names(in: "sync") }

    /// The file, as it stands there.
    func contents() throws -> JSONValue { try JSONValue(parsing: device.place.bytes(of: Self.file)) }

    /// Somebody saves, where no instance is.
    func save(_ text: String, as name: String = "s.json", later seconds: Int64 = 0) throws {
      try device.place.write(text, to: "sync/.new")
      let now = try device.place.status(of: "sync/.new").modified
      try device.place.setModified(now + seconds * 1_000_000_000, of: "sync/.new")
      try device.place.rename("sync/.new", to: "sync/\(name)")
    }

    /// Brings the file into another's folder, over what stands there, as an engine does for which this one is newer.
    func sendFile(to other: Inside) throws {
      try other.device.place.write(device.place.bytes(of: Self.file), to: "sync/.new")
      try other.device.place.setModified(device.place.status(of: Self.file).modified, of: "sync/.new")
      try other.device.place.rename("sync/.new", to: Self.file)
    }

    func sendJournals(to other: Inside) throws {
      try? other.device.place.makeFolder("\(Self.file).journals")
      for name in try device.place.names(in: "\(Self.file).journals") {
        try other.device.place.write(
          device.place.bytes(of: "\(Self.file).journals/\(name)"), to: "\(Self.file).journals/\(name)")
      }
    }
  }

  /// Two devices that share a file, which the first one had.
  private static func pair(_ text: String = #"{"n": 0, "names": {}}"#) throws -> (Inside, Inside) {
    let (laptop, desk) = (try Inside("laptop", text), try Inside("desk"))
    #expect(try laptop.share() == "replicate: 'sync/s.json' is shared as laptop\n")
    try laptop.sendFile(to: desk)
    try laptop.sendJournals(to: desk)
    #expect(try desk.share() == "replicate: 'sync/s.json' is shared as desk with laptop\n")
    try desk.sendJournals(to: laptop)
    return (laptop, desk)
  }

  private static func meet(_ one: Inside, _ other: Inside) throws {
    for _ in 0..<2 {
      try one.sendJournals(to: other)
      _ = try other.value()
      try other.sendJournals(to: one)
      _ = try one.value()
    }
  }

  @Test func `what others wrote comes over the file, and counters are exact`() throws {
    let (laptop, desk) = try Self.pair()
    try laptop.run("increment", "/n")
    try desk.run("increment", "/n", "10")
    // The file is there before the journals, and takes the place of what was done here.
    try desk.sendFile(to: laptop)
    try laptop.run("increment", "/n")
    try Self.meet(laptop, desk)
    #expect(try laptop.value()["n"] == 12)
    #expect(try desk.value()["n"] == 12)
    #expect(try laptop.contents() == desk.contents())
    #expect(try laptop.names() == ["s.json", "s.json.journals"])
  }

  @Test func `what somebody saves reaches all, where no instance is as well`() throws {
    let (laptop, desk) = try Self.pair()
    try laptop.run("increment", "/n")
    // From a version that is older by now.
    try desk.save(#"{"n": 0, "names": {"x": 1}}"#)
    try desk.sendFile(to: laptop)
    #expect(try laptop.value()["names"] == ["x": 1])
    try Self.meet(laptop, desk)
    #expect(try laptop.contents() == ["n": 1, "names": ["x": 1]])
    #expect(try desk.contents() == ["n": 1, "names": ["x": 1]])
  }

  @Test func `who runs is told what was kept from a save that came from an older version`() throws {
    let (laptop, desk) = try Self.pair()
    try laptop.run("set", "/names/a", "1")
    try Self.meet(laptop, desk)
    let watch = try laptop.device.start("watch", "sync/s.json", "/names")
    _ = try watch.line()
    let old = try laptop.device.place.text(of: "sync/s.json")
    try laptop.run("set", "/names/b", "2")
    _ = try watch.line()
    try laptop.save(old.split(separator: "\"a\":").joined(separator: "\"mine\": 3, \"a\":"))
    #expect(try JSONValue(parsing: Array(watch.line().utf8)) == ["mine": 3, "a": 1, "b": 2])
    let message = try watch.message()
    #expect(
      message.hasPrefix("replicate: 'sync/s.json' was saved from an older version; kept '/names/b', changed since then")
    )
    #expect(message.contains("; to insist: replicate restore sync/s.json "))
    watch.signal(Signals.terminate)
    _ = try watch.end()
  }

  @Test func `what came before its journal is told to be no save`() throws {
    let (laptop, desk) = try Self.pair()
    let old = try laptop.device.place.text(of: "sync/s.json")
    let watch = try laptop.device.start("watch", "sync/s.json", "/names")
    #expect(try watch.line() == "{}")
    try laptop.run("set", "/names/c", "1")
    #expect(try watch.line() == #"{"c":1}"#)
    try desk.run("set", "/names/d", "2")
    try desk.sendFile(to: laptop)
    #expect(try JSONValue(parsing: Array(watch.line().utf8)) == ["c": 1, "d": 2])
    let place = laptop.device.place
    try place.until("it says what it takes for a save", by: watch) {
      try place.names(in: "sync/s.json.journals").contains {
        try place.text(of: "sync/s.json.journals/\($0)").contains(#""kind":"save""#)
      }
    }
    try desk.sendJournals(to: laptop)
    try laptop.save(old.split(separator: "{}").joined(separator: #"{"mine": 3}"#))
    #expect(try JSONValue(parsing: Array(watch.line().utf8)) == ["c": 1, "d": 2, "mine": 3])
    // The first that is told anything of.
    let message = try watch.message()
    #expect(message.contains("kept '/names/c', '/names/d', changed since then"), "\(message)")
    watch.signal(Signals.terminate)
    _ = try watch.end()
  }

  @Test func `what stood there before is an echo, unless it was brought back`() throws {
    let (laptop, desk) = try Self.pair()
    try laptop.run("set", "/names/a", "1")
    try laptop.sendFile(to: desk)
    try laptop.sendJournals(to: desk)
    // So it is known that times come through.
    #expect(try desk.value()["names"] == ["a": 1])
    let old = try desk.device.place.text(of: "sync/s.json")
    try desk.run("set", "/names/b", "2")
    try laptop.sendFile(to: desk)
    #expect(try desk.value()["names"] == ["a": 1, "b": 2])
    try desk.save(old, later: 20)
    #expect(try desk.value()["names"] == ["a": 1])
    try Self.meet(laptop, desk)
    #expect(try laptop.contents()["names"] == ["a": 1])
  }

  @Test func `conflict copies are taken in, and what may be somebody's own stays`() throws {
    let (laptop, desk) = try Self.pair()
    try laptop.run("increment", "/n")
    let copies = [
      "s.sync-conflict-20260101-120000-ABCDEFG.json", "s (conflicted copy 2026-01-01 120000).json",
      "s (desk's conflicted copy 2026-01-01).json", "s (conflict #1_on_2026-01-01).json",
      "s (conflict_on_2026-01-01).json", "s-desk-safeBackup-0001.json", "s.json.conflict1", "s.json..path1",
      "s.sync-conflict-20260101-120000-ABCDEFG.sync-conflict-20260101-120001-ABCDEFG.json",
    ]
    for (number, name) in copies.enumerated() { try laptop.save(#"{"n": 0, "names": {"c\#(number)": 1}}"#, as: name) }
    for name in ["s 2.json", "s-desk.json", "s.txt", "t.sync-conflict-20260101-120000-ABCDEFG.json"] {
      try laptop.save(#"{"n": 0, "names": {"mine": 1}}"#, as: name)
    }
    try laptop.run("increment", "/n")
    let value = try laptop.value()
    #expect(value["n"] == 2)
    #expect(value["names"]?.keys.sorted() == copies.indices.map { "c\($0)" })
    #expect(
      try laptop.names() == [
        "s 2.json", "s-desk.json", "s.json", "s.json.journals", "s.txt",
        "t.sync-conflict-20260101-120000-ABCDEFG.json",
      ])
    let devices = try laptop.run("devices")
    #expect(devices.outcome == .exited(0))
    #expect(
      devices.messages
        == ["s 2.json", "s-desk.json"].map {
          "replicate: '\($0)' may be a copy that an engine made of the file, or somebody's own, and is left alone\n"
        }.joined())
    let doctor = try laptop.run("doctor")
    #expect(
      doctor.output.contains(
        "ok        's 2.json' may be a copy that an engine made of the file, or somebody's own, and is left alone\n"))
    try Self.meet(laptop, desk)
    #expect(try desk.contents() == laptop.contents())
  }

  @Test func `a copy of what was saved before takes nothing away that was saved since`() throws {
    let (laptop, desk) = try Self.pair()
    try desk.run("devices")
    try desk.sendJournals(to: laptop)
    try laptop.run("devices")
    // The engine, of which nobody knows yet whether it keeps times, has moved the first of two saves away before anybody could look.
    try laptop.save(#"{"n": 0, "names": {"a": 1}}"#, as: "s.json..path1")
    try laptop.save(#"{"n": 0, "names": {"a": 1, "b": 1}}"#)
    #expect(try laptop.run("devices").outcome == .exited(0))
    #expect(try laptop.names() == ["s.json", "s.json.journals"])
    #expect(try laptop.contents()["names"] == ["a": 1, "b": 1])
    try Self.meet(laptop, desk)
    #expect(try desk.contents()["names"] == ["a": 1, "b": 1])
  }

  @Test func `a copy that can't be read stays, and devices tells of it`() throws {
    let laptop = try Inside("laptop", #"{"n": 0}"#)
    _ = try laptop.share()
    try laptop.save(#"{"n": "#, as: "s.sync-conflict-20260101-120000-ABCDEFG.json")
    #expect(try laptop.run("increment", "/n").outcome == .exited(0))
    #expect(try laptop.run("devices").messages.contains("the copy 's.sync-conflict-20260101-120000-ABCDEFG.json'"))
    #expect(try laptop.names().contains("s.sync-conflict-20260101-120000-ABCDEFG.json"))
    let doctor = try laptop.run("doctor").output
    #expect(
      doctor.contains(
        "degraded  's.sync-conflict-20260101-120000-ABCDEFG.json' is a copy that an engine made of the file"))
  }

  @Test func `a file that is taken away comes back`() throws {
    let (laptop, _) = try Self.pair()
    try laptop.run("increment", "/n")
    try laptop.device.place.remove("sync/s.json")
    #expect(try laptop.value()["n"] == 1)
  }

  // MARK: Joining

  @Test(arguments: [true, false])
  func `a device takes part by itself once the folder has arrived, and says so once`(isFileThere: Bool) throws {
    let (laptop, desk) = (try Inside("laptop", #"{"n": 0}"#), try Inside("desk"))
    _ = try laptop.share()
    try laptop.run("increment", "/n")
    if isFileThere { try laptop.sendFile(to: desk) }
    try laptop.sendJournals(to: desk)
    let run = try desk.run("increment", "/n", "10")
    #expect(run.output == "11\n")
    #expect(run.messages.hasPrefix("replicate: 'sync/s.json' is shared as "))
    #expect(
      run.messages.hasSuffix(
        " with laptop from now on, whose journals lie beside it; to leave: replicate share --stop sync/s.json\n"))
    #expect(try desk.run("increment", "/n").messages == "")
    try desk.sendJournals(to: laptop)
    #expect(try laptop.value() == ["n": 12])
  }

  @Test func `who runs already takes part once the folder has arrived`() throws {
    let (laptop, desk) = (try Inside("laptop", #"{"n": 0}"#), try Inside("desk"))
    _ = try laptop.share()
    try laptop.run("increment", "/n")
    try laptop.sendFile(to: desk)
    let watch = try desk.device.start("watch", "sync/s.json", "/n")
    #expect(try watch.line() == "1")
    try laptop.sendJournals(to: desk)
    try laptop.run("increment", "/n", "10")
    try laptop.sendJournals(to: desk)
    #expect(try watch.line() == "11")
    watch.signal(Signals.terminate)
    let end = try watch.end()
    #expect(Binary.Run(end).messages.contains("is shared as "))
    #expect(try desk.run("devices").outcome == .exited(0))
  }

  @Test func `a file that was moved is shared as another device's, and what it held counts once`() throws {
    let (laptop, desk) = try Self.pair()
    try laptop.run("increment", "/n")
    try Self.meet(laptop, desk)
    let place = desk.device.place
    #expect(try place.shell("mkdir moved; mv sync/s.json sync/s.json.journals moved").outcome == .exited(0))
    let run = try place.run(["increment", "moved/s.json", "/n", "10"], environment: desk.device.environment)
    #expect(run.messages.hasPrefix("replicate: 'moved/s.json' is shared as "), "\(run.messages)")
    #expect(run.output == "11\n")
    #expect(try place.shell("mv moved/* sync").outcome == .exited(0))
    // There it is shared as it was; what was done elsewhere lies in a journal of its own.
    #expect(try desk.value()["n"] == 11)
    try Self.meet(laptop, desk)
    #expect(try laptop.value()["n"] == 11)
  }

  @Test func `journals that vanish and come back lose nothing`() throws {
    let (laptop, desk) = try Self.pair()
    try laptop.run("increment", "/n")
    try Self.meet(laptop, desk)
    let place = desk.device.place
    #expect(try place.shell("mv sync/s.json.journals away").outcome == .exited(0))
    let run = try desk.run("increment", "/n", "10")
    #expect(run.output == "11\n")
    #expect(run.messages.contains("cannot share 'sync/s.json'"))
    #expect(try place.shell("mv away sync/s.json.journals").outcome == .exited(0))
    try Self.meet(laptop, desk)
    #expect(try laptop.value()["n"] == 11)
    // What this device has said is kept elsewhere, too.
    #expect(try place.shell("rm -r sync/s.json.journals").outcome == .exited(0))
    #expect(
      try desk.run("increment", "/n").messages.contains(
        "no such file or directory; 'replicate share \(place.path("sync/s.json"))' makes it anew"))
    #expect(try desk.share() == "replicate: 'sync/s.json' is shared as desk with laptop\n")
    try desk.sendJournals(to: laptop)
    #expect(try laptop.value()["n"] == 12)
  }

  @Test func `a file with a life of its own stays out until somebody says otherwise`() throws {
    let (laptop, desk) = (try Inside("laptop", #"{"n": 1}"#), try Inside("desk", #"{"m": 2}"#))
    _ = try laptop.share()
    try laptop.sendJournals(to: desk)
    for _ in 0..<2 {
      #expect(
        try desk.run("increment", "/m").messages
          == "replicate: 'sync/s.json' is not shared with laptop, whose journals lie beside it, as it holds what none of "
          + "their journals names; to join: replicate share sync/s.json\n")
    }
    #expect(try desk.device.place.names(in: "sync/s.json.journals").count == 1)
    #expect(try desk.share() == "replicate: 'sync/s.json' is shared as desk with laptop\n")
    #expect(try desk.value() == ["n": 1, "m": 4])
  }

  @Test func `who has left isn't asked again, and a copy of the folder is another's`() throws {
    let (laptop, desk) = try Self.pair()
    try laptop.device.place.makeFolder("copy")
    #expect(try laptop.device.place.shell("cp -R sync/. copy").outcome == .exited(0))
    let copied = try laptop.device.place.run(
      ["increment", "copy/s.json", "/n"], environment: laptop.device.environment)
    #expect(copied.messages.contains("it looks like a copy of '\(laptop.device.place.path("sync/s.json"))'"))
    #expect(copied.messages.hasSuffix("to join: replicate share copy/s.json\n"))
    #expect(try desk.run("share", "--stop").outcome == .exited(0))
    #expect(try desk.run("increment", "/n").messages == "")
    #expect(try desk.run("devices").outcome == .exited(4))
    // Until it is shared anew.
    #expect(try desk.share() == "replicate: 'sync/s.json' is shared as desk with laptop\n")
  }

  // MARK: Engines that are told what to leave here

  private static let told =
    "tells Syncthing now what not to bring to other devices: what is beside the file for an instant stays here"

  @Test func `Syncthing is told to leave here what is there for an instant`() throws {
    let (laptop, desk) = (try Inside("laptop", #"{"n": 0}"#), try Inside("desk"))
    try laptop.device.place.makeFolder("sync/.stfolder")
    try laptop.device.place.write("*.iso", to: "sync/.stignore")
    let path = laptop.device.place.path("sync/.stignore")
    #expect(
      try laptop.share() == "replicate: 'sync/s.json' is shared as laptop\nreplicate: '\(path)' \(Self.told)\n")
    #expect(try laptop.device.place.text(of: "sync/.stignore") == "*.iso\n(?d).*.replicate-*\n")
    // Once is enough.
    #expect(try laptop.share() == "replicate: 'sync/s.json' is shared as laptop\n")
    #expect(try laptop.device.place.text(of: "sync/.stignore") == "*.iso\n(?d).*.replicate-*\n")
    // It brings its lists to nobody: who joins by itself has to tell it as well.
    try desk.device.place.makeFolder("sync/.stfolder")
    try laptop.sendJournals(to: desk)
    #expect(try desk.run("get").messages.hasSuffix("'\(desk.device.place.path("sync/.stignore"))' \(Self.told)\n"))
    #expect(try desk.device.place.text(of: "sync/.stignore") == "(?d).*.replicate-*\n")
  }

  @Test func `git is told to leave the file here`() throws {
    let laptop = try Inside("laptop", #"{"n": 0}"#)
    try laptop.device.place.makeFolder(".git")
    // A mark further away counts for nothing.
    try laptop.device.place.makeFolder("sync/.stfolder")
    #expect(try laptop.share().hasSuffix("\(Self.told)\n"))
    #expect(try laptop.device.place.shell("rmdir sync/.stfolder").outcome == .exited(0))
    #expect(
      try laptop.share().hasSuffix(
        "'\(laptop.device.place.path("sync/.gitignore"))' tells git now what not to bring to other devices: "
          + "the journals say all that the file holds; if git has it already: git rm --cached s.json\n"))
    #expect(try laptop.device.place.text(of: "sync/.gitignore") == "/s.json\n.*.replicate-*\n")
  }

  @Test func `unison is told by its profile`() throws {
    let laptop = try Inside("laptop", #"{"n": 0}"#)
    let place = laptop.device.place
    try place.makeFolder("unison")
    try place.write("root = \(place.path("sync"))\nroot = ssh://desk/sync\n", to: "unison/state.prf")
    try place.write("root = \(place.path("unison"))\n", to: "unison/other.prf")
    let environment = laptop.device.environment.merging(["UNISON": place.path("unison")]) { $1 }
    let run = try place.run(["share", "sync/s.json"], environment: environment)
    #expect(run.messages.contains("'\(place.path("unison/state.prf"))' tells unison now what not to bring"))
    #expect(
      try place.text(of: "unison/state.prf")
        == "root = \(place.path("sync"))\nroot = ssh://desk/sync\nignore = Name .*.replicate-*\n")
    #expect(try !place.text(of: "unison/other.prf").contains("ignore"))
  }

  @Test func `a list that can't be changed is told of, and the file is shared`() throws {
    let laptop = try Inside("laptop", #"{"n": 0}"#)
    try laptop.device.place.makeFolder("sync/.stfolder")
    try laptop.device.place.makeFolder("sync/.stignore")
    let told = try laptop.share()
    #expect(told.hasPrefix("replicate: 'sync/s.json' is shared as laptop\n"))
    #expect(told.contains("sync/.stignore' can't be changed, so Syncthing may stop"))
    #expect(told.hasSuffix("add to it: (?d).*.replicate-*\n"))
  }

  @Test func `no places of it can be excepted`() throws {
    let laptop = try Inside("laptop", #"{"n": 0}"#)
    let run = try laptop.run("share", "--except", "/n")
    #expect(run.outcome == .exited(4))
    #expect(run.messages.contains("lies beside its journals"))
  }
}

extension JSONValue {
  fileprivate subscript(key: String) -> JSONValue? {
    if case .object(let object) = self { object[key] } else { nil }
  }

  fileprivate var keys: [String] {
    if case .object(let object) = self { Array(object.keys) } else { [] }
  }
}
