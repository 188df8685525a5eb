import Foundation
import HotReload
import Replication
import StateJSON
import TestSupport
import TestThreads
import Testing

@testable import replicate

/// Devices that share a file, each with processes and a state folder of its own; the engine is a copy of files.
@Suite(.ownThreads) struct ShareVerbTests {
  /// Two devices that share a file, which the first one had.
  private static func pair(_ text: String = #"{"n": 0, "name": "x"}"#) throws -> (TestDevice, TestDevice) {
    let (laptop, desk) = (try TestDevice("laptop", text), try TestDevice("desk"))
    #expect(
      try laptop.share() == .init(output: "", messages: "replicate: 'f' is shared as laptop\n", outcome: .exited(0)))
    try laptop.send(to: desk)
    let joined = try desk.share()
    #expect(
      joined == .init(output: "", messages: "replicate: 'f' is shared as desk with laptop\n", outcome: .exited(0)))
    try desk.send(to: laptop)
    return (laptop, desk)
  }

  @Test func `a device that joins has what the others have, and counters are exact`() throws {
    let (laptop, desk) = try Self.pair()
    #expect(try desk.value() == ["n": 0, "name": "x"])
    for _ in 1...3 { try laptop.run("increment", "f", "/n") }
    try desk.run("increment", "f", "/n", "10")
    try desk.run("set", "f", "/name", #""y""#)
    try TestDevice.meet(laptop, desk)
    #expect(try laptop.value() == ["n": 13, "name": "y"])
    #expect(try desk.value() == ["n": 13, "name": "y"])
    // Each wrote its own journal, and nothing else.
    #expect(try laptop.place.names(in: "sync").count == 2)
    #expect(try laptop.place.names(in: ".") == ["f", "state", "sync"])
  }

  @Test func `formatting is each device's own`() throws {
    let (laptop, desk) = try Self.pair("{\"n\":0,\n\n \"list\":[1,2] }\n")
    try desk.run("set", "f", "/n", "7")
    try TestDevice.meet(laptop, desk)
    try laptop.run("get", "f")
    #expect(try laptop.place.text(of: "f") == "{\"n\":7,\n\n \"list\":[1,2] }\n")
  }

  @Test func `what others did has their name in the history`() throws {
    let (laptop, desk) = try Self.pair()
    try laptop.run("increment", "f", "/n")
    try TestDevice.meet(laptop, desk)
    try desk.run("get", "f")
    let lines = try desk.run("history", "f").output.split(separator: "\n")
    #expect(lines.first?.contains("  device   laptop    /n") == true, "\(lines)")
    #expect(lines.count == 2)
    let report = try JSONValue(parsing: desk.run("history", "--json", "f").output)
    #expect(report[JSONPointer(["0", "cause"])] == "device")
    #expect(report[JSONPointer(["0", "instance"])] == "laptop")
  }

  @Test func `an instance that stays shows what arrives, and says what is committed`() throws {
    let (laptop, desk) = (try TestDevice("laptop", #"{"n":0}"#), try TestDevice("desk"))
    // It is there before the file is shared.
    let watch = try laptop.start("watch", "f")
    #expect(try watch.line() == #"{"n":0}"#)
    try laptop.share()
    try laptop.send(to: desk)
    try desk.share()
    try desk.run("increment", "f", "/n", "5")
    try desk.send(to: laptop)
    #expect(try watch.line() == #"{"n":5}"#)

    let before = try laptop.place.bytes(of: "sync/\(try Self.journal(of: laptop))").count
    let attach = try laptop.place.start(["attach", "f"], keepsInputOpen: true, environment: laptop.environment)
    attach.send(#"{"jsonrpc":"2.0","id":1,"method":"increment","params":{"path":"/n"}}"# + "\n")
    _ = try attach.line()
    // Whoever of the two looks after the share says it, although neither ends.
    let deadline = TestPatience.deadline
    while try laptop.place.bytes(of: "sync/\(try Self.journal(of: laptop))").count == before {
      try #require(MonotonicClock.now() < deadline)
    }
    try laptop.send(to: desk)
    #expect(try desk.value() == ["n": 6])
    watch.signal(Signals.terminate)
    _ = try watch.end()
  }

  /// The device's own journal: the longest is that of the one that has said most.
  private static func journal(of device: TestDevice) throws -> String {
    let report = try JSONValue(parsing: device.run("devices", "--json", "f").output)
    guard case .string(let identifier) = report[JSONPointer(["devices", "0", "device"])] else { return "" }
    return try device.journals().first { $0.hasPrefix(identifier) } ?? ""
  }

  @Test func `the doctor tells with whom the file is shared, or why it can't be`() throws {
    let (laptop, _) = try Self.pair()
    try laptop.run("get", "f")
    #expect(
      try laptop.run("doctor", "f").output
        .contains("ok        shared as laptop with desk, through '\(laptop.place.path("sync"))'\n"))
    try laptop.place.rename("sync", to: "away")
    let run = try laptop.run("doctor", "f")
    #expect(run.outcome == .exited(1))
    #expect(run.output.contains("degraded  cannot share 'f': cannot "), "\(run.output)")
    #expect(try !TestDevice("phone", "{}").run("doctor", "f").output.contains("share"))
  }

  @Test func `what an editor saved is told by the next verb, also if that only reads`() throws {
    let (laptop, desk) = try Self.pair()
    try laptop.place.save(#"{"n": 0, "name": "edited"}"#, to: "f")
    try laptop.run("get", "f")
    try TestDevice.meet(laptop, desk)
    #expect(try desk.value() == ["n": 0, "name": "edited"])
  }

  // MARK: Joining

  @Test(arguments: [
    ("merge", #"{"n":1,"list":["mine","theirs"],"own":true,"theirs":1}"#),
    ("adopt", #"{"n":1,"list":["theirs"],"theirs":1}"#),
    ("overwrite", #"{"n":9,"list":["mine"],"own":true,"theirs":1}"#),
  ])
  func `what a file had that joins is merged, replaced, or the newest change`(policy: String, outcome: String) throws {
    let laptop = try TestDevice("laptop", #"{"n":1,"list":["theirs"],"theirs":1}"#)
    let desk = try TestDevice("desk", #"{"n":9,"list":["mine"],"own":true}"#)
    try laptop.share()
    try laptop.send(to: desk)
    try desk.share("--join", policy)
    try TestDevice.meet(laptop, desk)
    let value = try desk.value()
    #expect(try laptop.value() == value)
    if policy == "adopt" { #expect(try value == JSONValue(parsing: outcome)) }
    #expect(value[JSONPointer(["n"])] == (policy == "overwrite" ? 9 : 1))
    #expect((value[JSONPointer(["own"])] == true) == (policy != "adopt"))
    // What it had is in its history.
    guard case .array(let versions) = try JSONValue(parsing: desk.run("history", "--json", "f").output),
      case .string(let version)? = versions.last?[JSONPointer(["version"])]
    else { throw Absent() }
    try desk.run("restore", "f", version)
    #expect(try desk.value() == (try JSONValue(parsing: #"{"n":9,"list":["mine"],"own":true}"#)))
  }

  struct Absent: Error {}

  @Test func `two that hold the same share it`() throws {
    let (laptop, desk) = (try TestDevice("laptop", #"{"n":1}"#), try TestDevice("desk", #"{ "n": 1 }"#))
    try laptop.share()
    try laptop.send(to: desk)
    try desk.share()
    #expect(try desk.place.text(of: "f") == #"{ "n": 1 }"#)
    try desk.run("increment", "f", "/n")
    try TestDevice.meet(laptop, desk)
    #expect(try laptop.value() == ["n": 2])
  }

  // MARK: Agreement

  @Test func `nothing is shared that this user has not said`() throws {
    let (laptop, _) = try Self.pair()
    // The same folder and the same file, by another path and in another user's state.
    try laptop.place.makeFolder("copy")
    try laptop.place.write(laptop.place.bytes(of: "f"), to: "copy/f")
    let sync = try laptop.place.names(in: "sync").map { try laptop.place.bytes(of: "sync/\($0)") }
    try laptop.run("increment", "copy/f", "/n")
    _ = try laptop.place.run(["increment", "f", "/n"], environment: ["XDG_STATE_HOME": laptop.place.path("other")])
    #expect(try laptop.place.names(in: "sync").map { try laptop.place.bytes(of: "sync/\($0)") } == sync)
    #expect(
      try laptop.run("devices", "copy/f")
        == .failed(4, "replicate: 'copy/f' is not shared; 'replicate share copy/f' shares it\n"))
  }

  @Test func `without sharing there is nothing of it`() throws {
    let device = try TestDevice("laptop", #"{"n":0}"#)
    try device.run("increment", "f", "/n")
    let names = try device.place.names(in: "state/replicate")
    #expect(names.count == 1 && names[0].hasSuffix(".versions"), "\(names)")
    #expect(try !device.place.text(of: "state/replicate/\(names[0])").contains(" actions "))
  }

  @Test func `where a file can't be shared, the reason is said and nothing has changed`() throws {
    let device = try TestDevice("laptop", #"{"n":0}"#)
    func refusal(_ words: String...) throws -> String {
      let run = try device.place.run(["share"] + words, environment: device.environment)
      #expect(run.outcome == .exited(4) && run.output.isEmpty)
      return run.messages
    }
    let path = device.place.path
    #expect(try refusal("f", "none") == "replicate: cannot share 'f': cannot open 'none': no such file or directory\n")
    #expect(try refusal("f", "f") == "replicate: cannot share 'f': cannot open '\(path)/f': not a directory\n")
    #expect(
      try refusal("f", ".")
        == "replicate: cannot share 'f': lies in '\(path)' itself, where what keeps that in "
        + "sync would overwrite it; give it a place outside, or no FOLDER\n")
    #expect(try refusal("--stop", "f").hasPrefix("replicate: 'f' is not shared; "))
    #expect(try refusal("--except", "/n", "f").contains("lies beside its journals"))
    #expect(try device.place.names(in: ".") == ["f", "sync"])
    #expect(try device.place.run("share", "--name", "a b", "f", "sync").outcome == .exited(2))
    #expect(try device.place.run("share", "--stop", "f", "sync").outcome == .exited(2))
  }

  @Test func `who leaves goes on alone, and the others without him`() throws {
    let (laptop, desk) = try Self.pair()
    try desk.run("increment", "f", "/n")
    #expect(try desk.run("share", "--stop", "f") == .silent)
    #expect(try desk.place.names(in: "state/replicate").allSatisfy { $0.hasSuffix(".versions") })
    try desk.run("increment", "f", "/n", "100")
    try TestDevice.meet(laptop, desk)
    #expect(try laptop.value() == ["n": 1, "name": "x"])
    #expect(try desk.value() == ["n": 101, "name": "x"])
    let line = try laptop.run("devices", "f").output.split(separator: "\n").last
    #expect(line?.hasPrefix("desk  heard of ") == true && line?.hasSuffix("  has left") == true)
  }

  @Test func `nothing is said by whoever is there once the device has left`() throws {
    let (laptop, _) = try Self.pair(#"{"n":0}"#)
    let attach = try laptop.place.start(["attach", "f"], keepsInputOpen: true, environment: laptop.environment)
    let requests = (1...200).map {
      #"{"jsonrpc":"2.0","id":\#($0),"method":"increment","params":{"path":"/n"}}"# + "\n"
    }
    attach.send(requests.joined())
    _ = try attach.line()
    #expect(try laptop.run("share", "--stop", "f").outcome == .exited(0))
    attach.send(requests.joined())
    for _ in 1..<requests.count * 2 { _ = try attach.line() }
    attach.signal(Signals.terminate)
    _ = try attach.end()
    let names = try laptop.place.names(in: "state/replicate")
    #expect(!names.contains { $0.hasSuffix(".journals") || $0.contains(".share") }, "\(names)")
    let lines = try laptop.journals().flatMap { try laptop.place.text(of: "sync/\($0)").split(separator: "\n") }
    #expect(lines.filter { $0.contains(#""kind":"left""#) }.count == 1)
    #expect(lines.last { $0.contains("increment") || $0.contains("left") }?.contains("left") == true)
  }

  @Test func `a device is renamed`() throws {
    let (laptop, desk) = try Self.pair()
    #expect(try desk.run("share", "--name", "tower", "f").messages == "replicate: 'f' is shared as tower with laptop\n")
    try TestDevice.meet(laptop, desk)
    #expect(try laptop.run("devices", "f").output.contains("\ntower  heard of"))
    #expect(try desk.run("devices", "f").output.hasPrefix("tower  this device\n"))
  }

  // MARK: Places that stay at home

  @Test func `what is excepted stays on its device, whoever changes it and wherever it is`() throws {
    let laptop = try TestDevice("laptop", #"{"token":"secret-1","n":0,"window":{"x":1,"y":2}}"#)
    let desk = try TestDevice("desk", #"{"token":"secret-2","n":0}"#)
    try laptop.share("--except", "/token", "--except", "/window/x")
    try laptop.send(to: desk)
    try desk.share("--except", "/token")
    try laptop.run("set", "f", "/token", #""secret-3""#)
    try laptop.run("increment", "f", "/n")
    try laptop.run("set", "f", "/window/x", "100")
    try laptop.place.save(#"{"token":"secret-4","n":1,"window":{"x":7,"y":5}}"#, to: "f")
    try desk.run("increment", "f", "/n")
    try desk.run("merge", "f", #"{"token":"secret-5","n":9}"#)
    for _ in 1...2 {
      try laptop.run("get", "f")
      try TestDevice.meet(laptop, desk)
      try desk.run("get", "f")
    }
    // The merge patch sets the number, after both had added to it.
    #expect(try laptop.place.text(of: "f") == #"{"token":"secret-4","n":9,"window":{"x":7,"y":5}}"#)
    #expect(try desk.value() == ["token": "secret-5", "n": 9, "window": ["y": 5]])
    for name in try laptop.journals() {
      #expect(try !laptop.place.text(of: "sync/\(name)").contains("secret"))
    }
  }

  @Test func `what is excepted later is told no longer, by those either who are there already`() throws {
    let (laptop, desk) = try Self.pair(#"{"n":0,"token":"public"}"#)
    let watch = try laptop.start("watch", "f")
    _ = try watch.line()
    try laptop.run("share", "--except", "/token", "f")
    try laptop.run("set", "f", "/token", #""secret""#)
    _ = try watch.line()
    try laptop.run("increment", "f", "/n")
    _ = try watch.line()
    watch.signal(Signals.terminate)
    _ = try watch.end()
    try TestDevice.meet(laptop, desk)
    #expect(try desk.value() == ["n": 1, "token": "public"])
    #expect(try laptop.value() == ["n": 1, "token": "secret"])
    // Nothing is excepted any more: what it holds is the newest change.
    try laptop.run("share", "--except", "", "f")
    try TestDevice.meet(laptop, desk)
    try laptop.run("set", "f", "/token", #""told""#)
    try TestDevice.meet(laptop, desk)
    #expect(try desk.value() == ["n": 1, "token": "told"])
  }

  @Test func `what stood at an excepted place for a moment is told by no action`() throws {
    let laptop = try TestDevice("laptop", #"{"auth":{"u":1}}"#)
    try laptop.share("--except", "/auth/token")
    try laptop.place.rename("sync", to: "away")
    try laptop.run("set", "f", "/auth", #"{"token":"secret","u":1}"#)
    try laptop.run("set", "f", "/auth", #"{"u":1}"#)
    try laptop.run("set", "f", "", #"{"auth":{"token":"secret","u":2}}"#)
    try laptop.place.rename("away", to: "sync")
    #expect(try laptop.value() == ["auth": ["token": "secret", "u": 2]])
    let text = try laptop.place.text(of: "sync/\(laptop.journals()[0])")
    #expect(!text.contains("secret") && text.contains(#""is":2"#))
  }

  @Test func `what is excepted here stays what it is for those who share it`() throws {
    let laptop = try TestDevice("laptop", #"{"token":"shared","n":0}"#)
    let desk = try TestDevice("desk", #"{"token":"own","n":5}"#)
    try laptop.share()
    try laptop.send(to: desk)
    try desk.share("--except", "/token", "--join", "overwrite")
    try TestDevice.meet(laptop, desk)
    #expect(try laptop.value() == ["token": "shared", "n": 5])
    #expect(try desk.value() == ["token": "own", "n": 5])
  }

  @Test func `a place in a list can't be excepted, and nothing is told then`() throws {
    let laptop = try TestDevice("laptop", #"{"list":[{"token":"secret"}]}"#)
    let run = try laptop.share("--except", "/list/0/token")
    #expect(
      run
        == .failed(
          4,
          "replicate: cannot share 'f': '/list/0/token' leads through a list, whose elements have no place of their own; "
            + "except the list, or a member of an object\n"))
    #expect(try laptop.place.names(in: "sync") == [])
    #expect(try laptop.run("devices", "f").messages.hasPrefix("replicate: 'f' is not shared"))
  }

  // MARK: Trouble

  @Test func `changes that were made offline come together once`() throws {
    let (laptop, desk) = try Self.pair(#"{"n":0,"rows":[{"id":1,"t":"a"},{"id":2,"t":"b"}]}"#)
    for _ in 1...5 { try laptop.run("increment", "f", "/n") }
    try laptop.place.save(#"{"n":5,"rows":[{"id":1,"t":"a"},{"id":3,"t":"c"},{"id":2,"t":"b"}]}"#, to: "f")
    for _ in 1...7 { try desk.run("increment", "f", "/n") }
    try desk.place.save(#"{"n":7,"rows":[{"id":1,"t":"A"},{"id":2,"t":"b"}]}"#, to: "f")
    try laptop.run("get", "f")
    try desk.run("get", "f")
    for _ in 1...3 { try TestDevice.meet(laptop, desk) }
    let outcome: JSONValue = [
      "n": 12, "rows": [["id": 1, "t": "A"], ["id": 3, "t": "c"], ["id": 2, "t": "b"]],
    ]
    #expect(try laptop.value() == outcome)
    #expect(try desk.value() == outcome)
  }

  @Test func `a save that what others did has displaced is told, and that is not`() throws {
    let (laptop, desk) = try Self.pair(#"{"n":0}"#)
    let editor = try FileHandle(forUpdating: URL(filePath: laptop.place.path("f")))
    try desk.run("increment", "f", "/n", "5")
    try desk.send(to: laptop)
    #expect(try laptop.value() == ["n": 5])
    // The editor writes into the file that it has had open.
    try editor.write(contentsOf: Array(#"{"n":0,"e":1}"#.utf8))
    try editor.close()
    try desk.run("increment", "f", "/n", "7")
    try desk.send(to: laptop)
    #expect(try laptop.value() == ["n": 12, "e": 1])

    let journal = try String(decoding: laptop.place.bytes(of: "sync/\(Self.journal(of: laptop))"), as: UTF8.self)
    #expect(journal.split(separator: "\n").filter { $0.contains(#""e""#) }.count == 1)
    #expect(!journal.split(separator: "\n").contains { $0.contains(#""e""#) && $0.contains(#""n""#) }, "\(journal)")
    try desk.run("increment", "f", "/n")
    try TestDevice.meet(laptop, desk)
    #expect(try laptop.value() == ["n": 13, "e": 1])
    #expect(try desk.value() == ["n": 13, "e": 1])
  }

  @Test func `what was said before a power cut set back what the device keeps counts once`() throws {
    let (laptop, desk) = try Self.pair(#"{"n":0}"#)
    try laptop.run("increment", "f", "/n")
    let state = try laptop.place.names(in: "state/replicate")
    let own = "state/replicate/\(try #require(state.first { $0.hasSuffix(".journals") }))/own-0001"
    let before = try laptop.place.bytes(of: own)
    try laptop.run("increment", "f", "/n", "10")
    try laptop.run("set", "f", "/s", "1")
    try laptop.place.write(before, to: own)
    try laptop.run("increment", "f", "/n", "100")
    for _ in 1...2 {
      try TestDevice.meet(laptop, desk)
      #expect(try laptop.value() == ["n": 111, "s": 1])
      #expect(try desk.value() == ["n": 111, "s": 1])
    }
    try desk.run("increment", "f", "/n", "1000")
    try TestDevice.meet(laptop, desk)
    #expect(try laptop.value() == ["n": 1111, "s": 1])
  }

  @Test func `a folder that is missing keeps nobody from working`() throws {
    let (laptop, desk) = try Self.pair()
    try laptop.place.rename("sync", to: "away")
    let run = try laptop.run("increment", "f", "/n")
    #expect(run.output == "1\n" && run.outcome == .exited(0))
    #expect(run.messages.hasPrefix("replicate: cannot share 'f': cannot open '"))
    try laptop.place.rename("away", to: "sync")
    #expect(try laptop.run("increment", "f", "/n") == .printed("2\n"))
    try TestDevice.meet(laptop, desk)
    #expect(try desk.value() == ["n": 2, "name": "x"])
  }

  @Test func `whatever becomes of the folder, nothing that was known is lost`() throws {
    let (laptop, desk) = try Self.pair()
    try laptop.run("increment", "f", "/n")
    try desk.run("increment", "f", "/n", "10")
    try TestDevice.meet(laptop, desk)
    #expect(try laptop.value() == ["n": 11, "name": "x"])
    let own = try Self.journal(of: laptop)
    // An old state, a torn end, and nothing at all.
    for length in [90, 250] {
      for name in try laptop.journals() {
        let bytes = try laptop.place.bytes(of: "sync/\(name)")
        try laptop.place.write(Array(bytes.prefix(length)), to: "sync/\(name)")
      }
      #expect(try laptop.run("increment", "f", "/n").outcome == .exited(0))
    }
    for name in try laptop.journals() { try laptop.place.remove("sync/\(name)") }
    #expect(try laptop.value() == ["n": 13, "name": "x"])
    #expect(try laptop.journals() == [own], "its own is there again")
    try laptop.send(to: desk)
    #expect(try desk.value() == ["n": 13, "name": "x"])
  }

  @Test func `a journal in whose place another of the same length has come is read`() throws {
    let (laptop, desk) = try Self.pair()
    _ = try desk.place.shell(
      "cp -a state f . 2>/dev/null; mkdir clone; cp -a state clone/; cp f clone/f; cp -a sync clone/sync")
    try desk.run("set", "f", "/a", "1")
    try desk.send(to: laptop)
    #expect(try laptop.value() == ["n": 0, "name": "x", "a": 1])
    // Somebody else goes on from the same state, and says as much.
    let name = try Self.journal(of: desk)
    var file = try desk.place.bytes(of: "clone/sync/\(name)")
    let body = try #require(Journal(desk.place.bytes(of: "sync/\(name)"), name: name).lines.last?.body)
    let other = String(decoding: body, as: UTF8.self).replacing(#""a""#, with: #""b""#).replacing("/a", with: "/b")
    try JournalLine(body: Array(other.utf8), after: Journal(file, name: name).last).write(to: &file)
    #expect(try file.count == laptop.place.bytes(of: "sync/\(name)").count)
    try laptop.place.save(String(decoding: file, as: UTF8.self), to: "sync/\(name)")
    // As long as before, and later.
    try laptop.run("set", "f", "/c", "1")
    #expect(try laptop.value() == ["n": 0, "name": "x", "a": 1, "b": 1, "c": 1])
  }

  /// Removes the log of versions, as if nobody had opened the file for days.
  private static func forget(_ device: TestDevice) throws {
    for name in try device.place.names(in: "state/replicate") where name.hasSuffix(".versions") {
      try device.place.remove("state/replicate/\(name)")
    }
  }

  @Test func `a log that is lost takes nothing with it that was not told yet`() throws {
    let (laptop, desk) = try Self.pair()
    try desk.place.rename("sync", to: "away")
    try desk.run("set", "f", "/work", #""two days of it""#)
    try Self.forget(desk)
    try desk.place.rename("away", to: "sync")
    try laptop.run("set", "f", "/x", "5")
    try TestDevice.meet(laptop, desk)
    try desk.run("get", "f")
    try TestDevice.meet(laptop, desk)
    for device in [laptop, desk] {
      #expect(try device.value() == ["n": 0, "name": "x", "work": "two days of it", "x": 5])
    }
  }

  @Test func `a log that was begun anew goes on from what was told`() throws {
    let (laptop, desk) = try Self.pair(#"{"n":1,"gone":1}"#)
    // It has said nothing yet, and has no log.
    try Self.forget(desk)
    try laptop.run("remove", "f", "/gone")
    try laptop.run("increment", "f", "/n", "10")
    try desk.run("increment", "f", "/n")
    for _ in 1...2 { try TestDevice.meet(laptop, desk); try desk.run("get", "f"); try laptop.run("get", "f") }
    #expect(try laptop.value() == ["n": 12])
    #expect(try desk.value() == ["n": 12])
    // The same for an editor's save.
    try Self.forget(desk)
    try laptop.run("increment", "f", "/n", "10")
    try desk.place.save(#"{"n":12,"new":1}"#, to: "f")
    for _ in 1...2 { try desk.run("get", "f"); try TestDevice.meet(laptop, desk); try laptop.run("get", "f") }
    #expect(try laptop.value() == ["n": 22, "new": 1])
    #expect(try desk.value() == ["n": 22, "new": 1])
  }

  @Test func `hostile numbers and depths in a journal are refused, or shown as they are`() throws {
    let (laptop, desk) = try Self.pair()
    let deep = String(repeating: "[", count: 600) + String(repeating: "]", count: 600)
    let name = try Self.journal(of: desk)
    let journal = Journal(try desk.place.bytes(of: "sync/\(name)"), name: name)
    var file = try desk.place.bytes(of: "sync/\(name)")
    for body in [
      #"{"kind":"entry","time":-9223372036854775808,"change":{"in":{"y":{"is":1}}}}"#,
      #"{"kind":"entry","time":9223372036854775807,"change":{"in":{"x":{"is":\#(deep)}}}}"#,
    ] {
      let last = Journal(file, name: name).last ?? journal.last
      try JournalLine(body: Array(body.utf8), after: last).write(to: &file)
    }
    try laptop.place.write(file, to: "sync/\(name)")
    let run = try laptop.run("get", "-c", "f")
    #expect(try JSONValue(parsing: run.output) == ["n": 0, "name": "x"])
    #expect(try laptop.run("increment", "f", "/n").output == "1\n")
    let devices = try laptop.run("devices", "f")
    #expect(devices.outcome == .exited(4))
    #expect(devices.messages.contains("nested it deeper than 512 levels"), "\(devices.messages)")
  }

  @Test func `a damaged journal is named, and the others count`() throws {
    let (laptop, desk) = try Self.pair()
    try desk.run("increment", "f", "/n", "10")
    let name = try Self.journal(of: desk)
    var lines = try desk.place.text(of: "sync/\(name)").split(separator: "\n")
    lines[lines.count - 1] = "damaged"
    try desk.send(to: laptop)
    try laptop.place.write(lines.joined(separator: "\n") + "\n", to: "sync/\(name)")
    let run = try laptop.run("devices", "f")
    #expect(run.outcome == .exited(1))
    #expect(run.messages.hasPrefix("replicate: line \(lines.count) of the journal of "), "\(run.messages)")
    #expect(try laptop.run("increment", "f", "/n") == .printed("1\n"))
    try desk.place.write(desk.place.bytes(of: "sync/\(name)"), to: "copy")
    try laptop.place.write(desk.place.bytes(of: "copy"), to: "sync/\(name)")
    #expect(try laptop.run("devices", "f").outcome == .exited(0))
    #expect(try laptop.value() == ["n": 11, "name": "x"])
  }

  @Test func `copies of its own journal that say nothing else are removed`() throws {
    let (laptop, _) = try Self.pair()
    let name = try Self.journal(of: laptop)
    let text = try laptop.place.text(of: "sync/\(name)")
    let rest = name.dropLast("journal".count)
    try laptop.place.write(text, to: "sync/\(name)..path1")
    try laptop.place.write(String(text.prefix(100)), to: "sync/\(rest)sync-conflict-20260101-120000-ABCDEFG.journal")
    try laptop.place.write("\(text.prefix(100))else", to: "sync/\(name).conflict1")
    try laptop.run("increment", "f", "/n")
    let copies = try laptop.place.names(in: "sync").filter { $0.hasPrefix(rest) && $0 != name }
    #expect(copies == ["\(name).conflict1"])
    #expect(try laptop.value() == ["n": 1, "name": "x"])
  }

  @Test func `a device whose state was copied goes on as two, and both count`() throws {
    let (laptop, desk) = try Self.pair()
    _ = try laptop.place.shell("cp -a state f \(laptop.place.path)/.. 2>/dev/null; mkdir clone; cp -a state clone/")
    try laptop.run("increment", "f", "/n")
    try TestDevice.meet(laptop, desk)
    // The clone knows nothing of that, and its file is where the other's was, a moment ago.
    let there = try laptop.place.bytes(of: "f")
    try laptop.place.write(#"{"n": 0, "name": "x"}"#, to: "f")
    _ = try laptop.place.run(
      ["increment", "f", "/n", "100"], environment: ["XDG_STATE_HOME": laptop.place.path("clone/state")])
    #expect(try laptop.journals().count == 3)
    try laptop.place.write(there, to: "f")
    try TestDevice.meet(laptop, desk)
    #expect(try desk.value()[JSONPointer(["n"])] == 101)
  }
}
