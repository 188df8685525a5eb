import HotReload
import TestSupport
import TestThreads
import Testing

@testable import replicate

/// What stands at FILE need not be a sound JSON document, nor a file at all.
@Suite(.ownThreads) struct OddFileTests {
  /// Verbs that must end by themselves, whatever FILE is.
  private static let verbs = [["get"], ["set", "/n", "2"], ["watch"], ["wait", "/n"], ["update", "--", "cat"]]

  /// The words that use `verb` on `file`.
  private static func words(_ verb: [String], _ file: String) -> [String] { [verb[0], file] + verb.dropFirst() }

  @Test(arguments: [
    ("mkdir f", "cannot open 'HERE/f': is a directory"),
    ("mkdir d; ln -s d f", "cannot open 'HERE/f': is a directory"),
    ("mkfifo f", "cannot open 'HERE/f': is a FIFO, not a regular file"),
    ("ln -s /dev/zero f", "cannot open 'HERE/f': is a device, not a regular file"),
    (
      "python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind(\"f\")'",
      "cannot open 'HERE/f': is a socket, not a regular file"
    ),
    ("ln -s f f", "cannot open 'HERE/f': too many levels of symbolic links"),
    ("ln -s missing/g f", "cannot open 'HERE/f': no such folder: 'HERE/missing'"),
    ("ln -s missing f", "there is no file 'f'"),
    (":", "there is no file 'f'"),
  ])
  func `what is no file is refused by every verb`(preparation: String, reason: String) throws {
    let place = try Workplace()
    #expect(try place.shell(preparation) == .silent)
    let before = try place.names
    let message = "replicate: " + reason.replacing("HERE", with: place.path) + "\n"
    for verb in Self.verbs {
      #expect(try place.run(Self.words(verb, "f")) == .failed(4, message), "\(verb)")
    }
    #expect(try place.names == before)
  }

  @Test(arguments: [
    ("no/f", "cannot open 'HERE/no/f': no such folder: 'HERE/no'"),
    ("g/f", "cannot open 'HERE/g': not a directory"),
    ("d/", "cannot open 'HERE/d/': is a directory"),
    (".", "cannot open 'HERE/.': is a directory"),
  ])
  func `a path that leads to no file is refused by every verb`(file: String, reason: String) throws {
    let place = try Workplace("g", "{}")
    try place.makeFolder("d")
    let message = "replicate: " + reason.replacing("HERE", with: place.path) + "\n"
    for verb in Self.verbs + [["set", "--create", "/n", "2"]] {
      #expect(try place.run(Self.words(verb, file)) == .failed(4, message), "\(verb)")
    }
    #expect(try place.names == ["d", "g"])
  }

  @Test(
    .enabled(if: Workplace.canRunAsNobody),
    arguments: [
      ("chmod 0 f", "get f", "cannot open 'HERE/f': permission denied"),
      ("chmod 0 f", "set f /n 2", "cannot open 'HERE/f': permission denied"),
      ("chmod 0 f", "watch f", "cannot open 'HERE/f': permission denied"),
      ("chmod 4 f", "set f /n 2", "cannot open 'HERE/f': permission denied"),
      ("mkdir -m 0 d; mv f d", "get d/f", "cannot examine 'HERE/d/f': permission denied"),
      ("mkdir -m 0 d; mv f d", "set d/f /n 2", "cannot examine 'HERE/d/f': permission denied"),
    ])
  func `rights that are lacking are named`(preparation: String, words: String, reason: String) throws {
    let place = try Workplace("f", #"{"n": 1}"#)
    let run = try place.shell("chmod 777 . && \(preparation) && \(Workplace.asNobody) \"$0\" \(words)")
    #expect(run == .failed(4, "replicate: " + reason.replacing("HERE", with: place.path) + "\n"))
  }

  @Test(.enabled(if: Workplace.canRunAsNobody))
  func `who may only read can get and watch`() throws {
    let place = try Workplace("f", #"{"n": 1}"#)
    let run = try place.shell(
      "chmod 644 f; \(Workplace.asNobody) \"$0\" get -c f; \(Workplace.asNobody) \"$0\" watch -n1 f")
    #expect(run == .printed("{\"n\":1}\n{\"n\":1}\n"))
  }

  @Test(.enabled(if: Workplace.canRunAsNobody))
  func `a home that can't be entered keeps nobody from writing`() throws {
    let place = try Workplace("f", #"{"n": 1}"#)
    try place.makeFolder("home")
    let run = try place.shell(
      "chmod 700 home; chown 65534:65534 . f; HOME=$PWD/home \(Workplace.asNobody) \"$0\" increment f /n")
    #expect(run == .printed("2\n"))
  }

  // MARK: Contents

  /// Texts that are no JSON document, each with the place and the reason.
  static let unsound: [(String, [UInt8], String)] = [
    ("empty", [], "1:1: the text is empty; expected a value"),
    ("white space", Array(" \n ".utf8), "2:2: the text is empty; expected a value"),
    ("a byte-order mark", [0xef, 0xbb, 0xbf], "1:1: the text is empty; expected a value"),
    ("not UTF-8", Array(#"{"a":"é"#.utf8) + [0xff], "1:8: invalid UTF-8: unexpected byte 0xFF"),
    ("UTF-16", [0xff, 0xfe, 0x7b, 0, 0x7d, 0], "1:1: invalid UTF-8: unexpected byte 0xFF"),
    ("100,000 arrays", Array(repeating: UInt8(ascii: "["), count: 100_000), "1:513: nested deeper than 512 levels"),
    ("a key twice", Array("{\n\"a\":1,\n\"a\":2}".utf8), "3:1: duplicate key \"a\"; first at line 2"),
    (
      "a lone surrogate", Array(#"["\ud800"]"#.utf8),
      #"1:3: lone surrogate \ud800; expected \uDC00 to \uDFFF after it"#
    ),
    ("half a document", Array("{\"a\": [1,\n".utf8), "2:1: unexpected end of input; expected a value after ','"),
    ("two documents", Array("{} {}".utf8), "1:4: expected the end of the text after the value"),
  ]

  @Test(arguments: unsound.indices)
  func `an unsound document is refused and stays as it is`(index: Int) throws {
    let (_, bytes, reason) = Self.unsound[index]
    let place = try Workplace()
    try place.write(bytes, to: "f")
    let before = try place.status(of: "f")
    for verb in [["get"], ["set", "/n", "2"], ["update", "--", "cat"]] {
      #expect(try place.run(Self.words(verb, "f")) == .failed(3, "f:\(reason)\n"), "\(verb)")
    }
    let watch = try place.start("watch", "f")
    #expect(try watch.message() == "f:\(reason)")
    watch.signal(Signals.terminate)
    #expect(try watch.end().messages == [])
    #expect(try place.status(of: "f") == before)
    #expect(try place.names == ["f"])
  }

  @Test func `a text that may still be being written is not waited for beyond the time`() throws {
    let place = try Workplace("f", "{")
    let message = "replicate: 'f' did not come to rest in time to be read\n"
    #expect(try place.run("get", "--timeout", "0", "f") == .failed(4, message))
  }

  @Test(arguments: [
    ("\u{feff}{\"n\": 1}\n", "\u{feff}{\"n\": 2}\n"),
    ("{\r\n  \"n\": 1\r\n}\r\n", "{\r\n  \"n\": 2\r\n}\r\n"),
    ("{\"n\": 1}", "{\"n\": 2}"),
    ("  {\t\"n\"  :\n\n1.0 }\n\n\n", "  {\t\"n\"  :\n\n2 }\n\n\n"),
  ])
  func `the form of a text is kept`(before: String, after: String) throws {
    let place = try Workplace("f", before)
    #expect(try place.run("set", "f", "/n", "2") == .silent)
    #expect(try place.bytes(of: "f") == Array(after.utf8))
  }

  @Test func `a new line takes the ending of the others`() throws {
    let place = try Workplace("f", "{\r\n  \"n\": 1\r\n}")
    #expect(try place.run("set", "f", "/m", "2") == .silent)
    #expect(try place.bytes(of: "f") == Array("{\r\n  \"n\": 1,\r\n  \"m\": 2\r\n}".utf8))
  }

  @Test func `a scalar is a document, too`() throws {
    let place = try Workplace("f", "41")
    #expect(try place.run("increment", "f", "") == .printed("42\n"))
    #expect(try place.text(of: "f") == "42")
  }

  @Test func `a large document is read, changed and watched`() throws {
    let place = try Workplace()
    let items = (0..<20_000).map { "    {\"id\": \($0), \"title\": \"\(String(repeating: "x", count: 60))\"}" }
    try place.write("{\n  \"n\": 1,\n  \"items\": [\n\(items.joined(separator: ",\n"))\n  ]\n}\n", to: "f")
    #expect(try place.run("set", "f", "/items/19999/title", "2") == .silent)
    #expect(try place.run("watch", "-n", "1", "f", "/items/19999") == .printed("{\"id\":19999,\"title\":2}\n"))
    #expect(try place.run("increment", "f", "/n") == .printed("2\n"))
    #expect(try place.bytes(of: "f").count > 1_800_000)
  }

  // MARK: What stands beside and behind the file

  @Test func `mode, links and owner survive a write`() throws {
    let place = try Workplace("real", #"{"n": 1}"#)
    #expect(try place.shell("chmod 640 real; ln -s real one; ln -s one two") == .silent)
    let before = try place.status(of: "real")
    #expect(try place.run("set", "two", "/n", "2") == .silent)
    let after = try place.status(of: "real")
    #expect(try place.text(of: "real") == #"{"n": 2}"#)
    #expect(after.mode == before.mode)
    #expect((after.owner, after.group) == (before.owner, before.group))
    #expect(try place.status(of: "one").isSymbolicLink)
    #expect(try place.status(of: "two").isSymbolicLink)
    #expect(try place.names == ["one", "real", "two"])
  }

  @Test func `a file of two names stays whole under both`() throws {
    let place = try Workplace("f", #"{"n": 1}"#)
    #expect(try place.shell("ln f g") == .silent)
    let message = "replicate: 'f' had another name, a hard link, which keeps what it had before\n"
    #expect(
      try place.run("set", "f", "/n", "2") == Binary.Run(output: "", messages: message, outcome: .exited(0)))
    #expect(try place.text(of: "f") == #"{"n": 2}"#)
    #expect([#"{"n": 1}"#, #"{"n": 2}"#].contains(try place.text(of: "g")))
    #expect(try place.names == ["f", "g"])
  }
}
