import StateJSON
import Testing

@testable import replicate

@Suite struct CommandLineParserTests {
  @Test(
    arguments: [
      (["f"], "f", .view(pointer: root, isPlain: false)),
      (["./get"], "./get", .view(pointer: root, isPlain: false)),
      (["f", "/a"], "f", .view(pointer: a, isPlain: false)),
      (["f", "--plain", "/a"], "f", .view(pointer: a, isPlain: true)),
      (["f", ""], "f", .view(pointer: root, isPlain: false)),
      (["--", "f"], "f", .view(pointer: root, isPlain: false)),
      (["--", "-f"], "-f", .view(pointer: root, isPlain: false)),
      (["watch", "f"], "f", .watch(.init(pointer: root))),
      (
        ["watch", "-n3", "f", "/a", "--only-changes", "-f", "patch"], "f",
        .watch(.init(pointer: a, format: .patch, count: 3, onlyChanges: true))
      ),
      (["watch", "f", "--also", "g", "--also=h"], "f", .watch(.init(pointer: root, also: ["g", "h"]))),
      (["get", "f"], "f", .get(pointers: [root], version: nil, style: .init())),
      (["--", "get", "f"], "f", .get(pointers: [root], version: nil, style: .init())),
      (["get", "get"], "get", .get(pointers: [root], version: nil, style: .init())),
      (["get", "f", "/a", "-cr"], "f", .get(pointers: [a], version: nil, style: .init(isCompact: true, isRaw: true))),
      (
        ["set", "f", "/a", "{\"b\": [1.0]}"], "f",
        .write(.set(pointer: a, value: .value(object), makingParents: false), creates: false)
      ),
      (
        ["set", "f", "/a", "-1", "-p", "--create"], "f",
        .write(.set(pointer: a, value: .value(number("-1")), makingParents: true), creates: true)
      ),
      (
        ["set", "-s", "f", "/a", "{"], "f",
        .write(.set(pointer: a, value: .value(.string("{")), makingParents: false), creates: false)
      ),
      (
        ["set", "f", "/a", "-"], "f",
        .write(.set(pointer: a, value: .standardInput, makingParents: false), creates: false)
      ),
      (
        ["set", "f", "/a", "-", "-s"], "f",
        .write(.set(pointer: a, value: .standardInputText, makingParents: false), creates: false)
      ),
      (["set", "f", "/a", "--", "-s"], nil, nil),
      (["remove", "f", "/a"], "f", .write(.remove(pointer: a), creates: false)),
      (
        ["increment", "f", "/a"], "f",
        .write(.increment(pointer: a, by: JSONNumber(1), makingParents: false), creates: false)
      ),
      (
        ["increment", "f", "/a", "-5", "-p"], "f",
        .write(.increment(pointer: a, by: JSONNumber(-5), makingParents: true), creates: false)
      ),
      (["patch", "f", "[]"], "f", .write(.patch(.value(.array([]))), creates: false)),
      (["patch", "f"], "f", .write(.patch(.absent), creates: false)),
      (["merge", "f", "-"], "f", .write(.merge(.standardInput), creates: false)),
      (
        ["update", "f", "/a", "--", "jq", "-r", "."], "f",
        .update(pointer: a, command: ["jq", "-r", "."], creates: false)
      ),
      (["exec", "f", "--", "get"], "f", .exec(pointer: root, command: ["get"])),
      (["wait", "f", "/a"], "f", .wait(pointer: a, value: nil)),
      (["wait", "f", "/a", "1"], "f", .wait(pointer: a, value: .value(number("1")))),
      (["wait", "f", "/a", "-s", "done"], "f", .wait(pointer: a, value: .value(.string("done")))),
      (["attach", "f"], "f", .attach(creates: false)),
      (["get", "f", "/a", ""], "f", .get(pointers: [a, root], version: nil, style: .init())),
      (["get", "f", "--version", "3F9A", "/a"], "f", .get(pointers: [a], version: "3f9a", style: .init())),
      (["get", "f", "--version=3f"], "f", .get(pointers: [root], version: "3f", style: .init())),
      (["get", "f", "--version", "x"], nil, nil),
      (["history", "f"], "f", .history(.init())),
      (["history", "-n3", "f", "--json"], "f", .history(.init(count: 3, json: true))),
      (["history", "-p", "f", "/a"], "f", .history(.init(pointer: a, patch: true))),
      (["history", "f", "-p", "/a"], "f", .history(.init(pointer: a, patch: true))),
      (["history", "f", "--patch"], "f", .history(.init(patch: true))),
      (["diff", "f", "3f"], "f", .diff(.versions("3f", newer: nil), json: false)),
      (["diff", "f", "3f", "4A"], "f", .diff(.versions("3f", newer: "4a"), json: false)),
      (["diff", "f", "--with", "g", "--json"], "f", .diff(.otherFile("g"), json: true)),
      (["blame", "f"], "f", .blame(pointer: root, json: false)),
      (["blame", "f", "/a", "--json"], "f", .blame(pointer: a, json: true)),
      (["history", "-n0", "f"], nil, nil),
      (["restore", "f", "3F9A"], "f", .restore(version: "3f9a")),
      (["restore", "f", "xyz"], nil, nil),
      (["restore", "f"], nil, nil),
      (["undo", "f"], "f", .undo(isMine: false)),
      (["undo", "--mine", "f"], "f", .undo(isMine: true)),
      (["doctor", "f", "--json"], "f", .doctor(json: true)),
      (["record", "f", "o"], "f", .record(into: "o")),
      (["record", "f"], nil, nil),
      (["replay", "o", "f"], "f", .replay(.init(recording: "o"))),
      (
        ["replay", "--speed=0.5", "o", "f", "--from", "12", "--until", "20.5s", "--create"], "f",
        .replay(
          .init(
            recording: "o", pace: .speed(0.5), from: .step(12), until: .time(.milliseconds(20_500)), creates: true))
      ),
      (["replay", "o", "f", "--step", "--from=0"], "f", .replay(.init(recording: "o", pace: .lines, from: .step(0)))),
      (["show", "-n", "3", "o"], "o", .show(count: 3, json: false)),
      (["show", "--json", "o"], "o", .show(count: nil, json: true)),
    ] as [([String], String?, Request.Action?)])
  func `a command line becomes a request`(words: [String], file: String?, action: Request.Action?) throws {
    guard let file, let action else {
      #expect(throws: Failure.self) { try CommandLineParser.parse(words) }
      return
    }
    #expect(try CommandLineParser.parse(words) == .run(Request(file: file, action: action), CommonOptions()))
  }

  @Test(arguments: [
    (".", []), (".a", ["a"]), (".a.b[0]", ["a", "b", "0"]), (#".["a b"][1].c"#, ["a b", "1", "c"]), ("[0]", ["0"]),
    (#"["a\"]b"].c"#, ["a\"]b", "c"]), (".a[-]", ["a", "-"]), (".ä-b", ["ä-b"]),
  ])
  func `a place may be a dotted path, which is said back as one`(path: String, tokens: [String]) throws {
    #expect(try JSONPointer(typed: path).tokens == tokens)
    #expect(try JSONPointer(typed: JSONPointer(tokens).dotted).tokens == tokens)
    guard
      case .run(let request, let options) = try CommandLineParser.parse([
        "remove", "f", path == "." ? ".x" : path + ".x",
      ])
    else {
      throw Failure(.no, "")
    }
    #expect(request.action == .write(.remove(pointer: JSONPointer(tokens + ["x"])), creates: false))
    let failure = Failure(.no, "'\(JSONPointer(tokens + ["x"]))' leads nowhere: '\(JSONPointer(tokens))' is null")
      .saying(options.dotted)
    let place = JSONPointer(tokens).dotted
    #expect(
      failure.message
        == "'\(JSONPointer(tokens + ["x"]).dotted)' leads nowhere: '\(tokens.isEmpty ? "" : place)' is null")
  }

  @Test(arguments: ["..", ".a.", ".a[", ".a[x]", ".a[\"b]", "[]", ".a[1]b[", ".a[\"b\"x]"])
  func `what is no path is refused`(path: String) {
    #expect(throws: JSONPointerError.self) { try JSONPointer(typed: path) }
  }

  @Test func `help may be a verb, and completions ask for a file`() throws {
    #expect(try CommandLineParser.parse(["help"]) == .help(nil))
    #expect(try CommandLineParser.parse(["help", "get"]) == .help(.get))
    #expect(throws: Failure.self) { try CommandLineParser.parse(["help", "nothing"]) }
    #expect(try CommandLineParser.parse(["--generate", "zsh"]) == .generate(.zsh))
    #expect(try CommandLineParser.parse(["--generate", "pointers", "f", "/a"]) == .complete(file: "f", pointer: "/a"))
    #expect(try CommandLineParser.parse(["--generate", "versions", "f"]) == .complete(file: "f", pointer: nil))
    #expect(throws: Failure.usage("'--generate versions' needs FILE")) {
      try CommandLineParser.parse(["--generate", "versions"])
    }
  }

  @Test func `common options are read wherever they stand`() throws {
    let words = ["--timeout", "0.5", "get", "--color=never", "f", "-q", "--durability", "power"]
    let common = CommonOptions(
      isQuiet: true, color: .never, timeout: .milliseconds(500), durability: .power)
    let action = Request.Action.get(pointers: [root], version: nil, style: .init())
    #expect(try CommandLineParser.parse(words) == .run(Request(file: "f", action: action), common))
  }

  /// The words of every verb that judges a save.
  private static let judges: [[String]] = [
    ["f"], ["watch", "f"], ["set", "f", "/a", "1"], ["remove", "f", "/a"], ["increment", "f", "/a"], ["patch", "f"],
    ["merge", "f"], ["update", "f", "--", "cat"], ["exec", "f", "--", "cat"], ["wait", "f", "/a"], ["attach", "f"],
    ["restore", "f", "3f"], ["undo", "f"], ["record", "f", "o"], ["replay", "o", "f"],
  ]

  private static let onlookers: [[String]] = [
    ["get", "f"], ["history", "f"], ["show", "o"], ["verify", "f"], ["doctor", "f"],
  ]

  private func externalEdits(_ words: [String], variable: String? = nil) throws -> ExternalEditsChoice? {
    guard case .run(_, let common) = try CommandLineParser.parse(words, externalEdits: variable) else { return nil }
    return common.externalEdits
  }

  @Test(arguments: judges) func `what a save means is an option of every verb that judges one`(words: [String]) throws {
    #expect(try externalEdits(words) == .merge)
    #expect(try externalEdits(["--external-edits", "replace"] + words) == .replace)
    #expect(try externalEdits(["--external-edits=replace", "--external-edits", "merge"] + words) == .merge)
    let message = "option '--external-edits' takes merge, replace, not 'merg'; did you mean 'merge'?"
    #expect(throws: Failure.usage(message)) { try externalEdits(["--external-edits", "merg"] + words) }
  }

  @Test(arguments: onlookers) func `who judges no save has no option for it`(words: [String]) throws {
    let error = #expect(throws: Failure.self) { try externalEdits(["--external-edits", "replace"] + words) }
    #expect(error?.code == .usage)
    let message = try #require(error?.message)
    #expect(message.hasPrefix("option '--external-edits' belongs to 'watch', 'set', "))
    #expect(message.hasSuffix("'replay', 'share', not to '\(words[0])'"))
  }

  @Test(arguments: judges + [["doctor", "f"]])
  func `a variable stands in for the option`(words: [String]) throws {
    #expect(try externalEdits(words, variable: "replace") == .replace)
    #expect(try externalEdits(words, variable: "merge") == .merge)
    #expect(try externalEdits(words, variable: "") == .merge)
    let message = "variable 'REPLICATE_EXTERNAL_EDITS' takes merge, replace, not 'Replace'; did you mean 'replace'?"
    #expect(throws: Failure.usage(message)) { try externalEdits(words, variable: "Replace") }
  }

  @Test(arguments: judges) func `the option wins over the variable, whatever that says`(words: [String]) throws {
    for variable in ["replace", "nonsense"] {
      #expect(try externalEdits(["--external-edits", "merge"] + words, variable: variable) == .merge)
    }
  }

  @Test(arguments: onlookers.filter { $0[0] != "doctor" })
  func `who judges no save doesn't look at the variable`(words: [String]) throws {
    for variable in ["replace", "nonsense"] { #expect(try externalEdits(words, variable: variable) == .merge) }
  }

  @Test(
    arguments: [
      (["--help"], .help(nil)), (["-h"], .help(nil)), (["get", "--help"], .help(.get)), (["-h", "set"], .help(.set)),
      (["f", "--help"], .help(nil)), (["--version"], .version), (["-V"], .version), (["-hV"], .help(nil)),
      (["--generate", "man"], .generate(.man)), (["--generate=bash"], .generate(.bash)),
    ] as [([String], Invocation)])
  func `help, version and generated texts need no file`(words: [String], invocation: Invocation) throws {
    #expect(try CommandLineParser.parse(words) == invocation)
  }

  @Test(
    arguments: [
      ([], "FILE is missing; see 'replicate --help'"),
      (["-"], "FILE can't be '-': a stream has no path that others could change"),
      (["get", "-"], "FILE can't be '-': a stream has no path that others could change"),
      (["get", ""], "FILE is empty; give the path of a JSON file"),
      (["get"], "'get' needs FILE: replicate get FILE [POINTER…]; a file called 'get' is './get'"),
      (["set", "f", "/a"], "'set' needs VALUE: replicate set FILE POINTER VALUE"),
      (["remove", "f"], "'remove' needs POINTER: replicate remove FILE POINTER"),
      (["update", "f"], "'update' needs COMMAND: replicate update FILE [POINTER] -- COMMAND…"),
      (["exec", "f", "--"], "'exec' needs COMMAND: replicate exec FILE [POINTER] -- COMMAND…"),
      (
        ["update", "f", "/a", "jq", "."],
        "unexpected operand 'jq': replicate update FILE [POINTER] -- COMMAND…"
      ),
      (["wait", "f", "/a", "1", "2"], "unexpected operand '2': replicate wait FILE POINTER [VALUE]"),
      (["rm", "f", "/a"], "unknown verb 'rm'; did you mean 'remove'?"),
      (["ls", "f"], "unknown verb 'ls'; did you mean 'get'?"),
      (["append", "f", "/a"], "unknown verb 'append'; did you mean 'set'?"),
      (
        ["get", "f", ".a["],
        "'.a[' is neither a JSON pointer, such as /a/0, nor a path, such as .a[0] or .a[\"b c\"]"
      ),
      (["f", "get"], "the verb stands before FILE: replicate get f"),
      (["gte", "f"], "unknown verb 'gte'; did you mean 'get'?"),
      (["frobnicate", "f"], "unknown verb 'frobnicate'; 'replicate --help' lists the verbs"),
      (["redo", "f"], "unknown verb 'redo'; 'replicate --help' lists the verbs"),
      (["remove", "f", ""], "the root can't be removed; 'set' replaces it"),
      (["increment", "f", "/n", "+1"], "BY is a JSON number, not '+1'"),
      (["watch", "f", "-n", "0"], "option '--count' takes a number from 1, not '0'"),
      (["watch", "f", "-n", "-1"], "option '--count' takes a number from 1, not '-1'"),
      (["get", "f", "--timeout", "-1"], "option '--timeout' takes seconds, such as 10 or 0.5, not '-1'"),
      (["get", "f", "--timeout", "inf"], "option '--timeout' takes seconds, such as 10 or 0.5, not 'inf'"),
      (["get", "f", "--timeout", "1.2.3"], "option '--timeout' takes seconds, such as 10 or 0.5, not '1.2.3'"),
      (
        ["get", "f", "--color", "alwys"],
        "option '--color' takes auto, always, never, not 'alwys'; did you mean 'always'?"
      ),
      (["watch", "f", "-f", "xml"], "option '--format' takes json, pretty, patch, not 'xml'"),
      (["diff", "f"], "'diff' needs VERSION, or '--with OTHER': replicate diff FILE [VERSION] [NEWER]"),
      (["diff", "f", "3f", "--with", "g"], "'--with' compares with another file, and takes no VERSION"),
      (["diff", "f", "--with", "-"], "OTHER is the path of a JSON file, not '-'"),
      (
        ["history", "f", "--since", "soon"],
        "option '--since' takes a time, such as 10m, 2h, 14:03 or 2026-11-28, not 'soon'"
      ),
      (["get", "f", "-p"], "option '--parents' belongs to 'set', 'increment', not to 'get'"),
      (["f", "--only-changes"], "option '--only-changes' belongs to 'watch'"),
      (["record"], "'record' needs FILE: replicate record FILE OUT; a file called 'record' is './record'"),
      (["record", "f"], "'record' needs OUT: replicate record FILE OUT"),
      (["record", "f", "-"], "OUT can't be '-'; give the path of a recording"),
      (["replay"], "'replay' needs OUT: replicate replay OUT FILE; a file called 'replay' is './replay'"),
      (["replay", "o"], "'replay' needs FILE: replicate replay OUT FILE"),
      (["show", ""], "OUT is empty; give the path of a recording"),
      (["show", "o", "f"], "unexpected operand 'f': replicate show OUT"),
      (
        ["replay", "o", "f", "--speed", "0"],
        "option '--speed' takes a number greater than 0, such as 10 or 0.5, not '0'"
      ),
      (
        ["replay", "o", "f", "--speed", "-1"],
        "option '--speed' takes a number greater than 0, such as 10 or 0.5, not '-1'"
      ),
      (
        ["replay", "o", "f", "--speed", "2", "--step"],
        "'--step' goes at the pace of its input, and takes no '--speed'"
      ),
      (
        ["replay", "o", "f", "--from", "3.5"],
        "option '--from' takes the number of a step, such as 12, or seconds, such as 3.5s, not '3.5'"
      ),
      (
        ["replay", "o", "f", "--until", "s"],
        "option '--until' takes the number of a step, such as 12, or seconds, such as 3.5s, not 's'"
      ),
      (["replay", "o", "f", "--from", "2", "--until", "1"], "'--until' comes before '--from'"),
      (["replay", "o", "f", "--from", "2.5s", "--until", "2s"], "'--until' comes before '--from'"),
      (["watch", "f", "--step"], "option '--step' belongs to 'replay', not to 'watch'"),
      (["--generate", "man", "f"], "'--generate' takes no operand, not 'f'"),
    ] as [([String], String)])
  func `misuse is told in one line`(words: [String], message: String) {
    #expect(throws: Failure.usage(message)) { try CommandLineParser.parse(words) }
  }
}

private let root = pointer("")
private let a = pointer("/a")

private func pointer(_ text: String) -> JSONPointer {
  do { return try JSONPointer(parsing: text) } catch { preconditionFailure("\(error)") }
}

private func number(_ literal: String) -> JSONValue {
  guard let number = JSONNumber(literal) else { preconditionFailure(literal) }
  return .number(number)
}

private let object: JSONValue = {
  var object = JSONObject()
  object["b"] = .array([number("1.0")])
  return .object(object)
}()
