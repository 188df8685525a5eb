import StateJSON
import TestThreads
import Testing

@testable import replicate

/// What a save means that was made from an older version, as the command is told.
@Suite(.ownThreads, .timeLimit(.minutes(10))) struct ExternalEditsTests {
  private static let variable = CommandTable.externalEditsVariable

  private let place: Workplace
  private let state: [String: String]

  init() throws {
    place = try Workplace("f", #"{"n": 0, "t": "a"}"#)
    state = ["XDG_STATE_HOME": place.path("state")]
  }

  private func run(_ words: [String], variable: String? = nil) throws -> Binary.Run {
    try place.run(words, environment: environment(variable))
  }

  /// Without a variable it is empty, whatever the tests were started with.
  private func environment(_ variable: String?) -> [String: String] {
    state.merging([Self.variable: variable ?? ""]) { $1 }
  }

  // MARK: Saves

  @Test(
    arguments: [
      ([], nil, #"{"n": 2, "t": "b", "u": 1}"#),
      (["--external-edits", "merge"], nil, #"{"n": 2, "t": "b", "u": 1}"#),
      (["--external-edits", "replace"], nil, #"{"n": 0, "t": "b", "u": 1}"#),
      ([], "merge", #"{"n": 2, "t": "b", "u": 1}"#),
      ([], "replace", #"{"n": 0, "t": "b", "u": 1}"#),
      (["--external-edits", "merge"], "replace", #"{"n": 2, "t": "b", "u": 1}"#),
      (["--external-edits", "replace"], "merge", #"{"n": 0, "t": "b", "u": 1}"#),
    ] as [([String], String?, String)])
  func `a save from an older version means what the next writer says`(
    options: [String], variable: String?, result: String
  ) throws {
    for _ in 1...2 { #expect(try run(["increment", "f", "/n"]).outcome == .exited(0)) }
    try place.save(#"{"n": 0, "t": "b"}"#, to: "f")
    let setting = try run(["set", "f", "/u", "1"] + options, variable: variable)
    #expect(setting.outcome == .exited(0))
    #expect(try place.text(of: "f") == result)
    #expect(setting.messages.contains("kept '/n'") == (result == #"{"n": 2, "t": "b", "u": 1}"#))
  }

  @Test func `an instance that stays judges saves as it was told`() throws {
    let command = try attach(variable: "replace")
    command.send(#"{"jsonrpc":"2.0","id":1,"method":"increment","params":{"path":"/n"}}"# + "\n")
    _ = try command.line()
    command.send(#"{"jsonrpc":"2.0","id":2,"method":"increment","params":{"path":"/n"}}"# + "\n")
    _ = try command.line()
    try place.save(#"{"n": 0, "t": "b"}"#, to: "f")
    command.send(#"{"jsonrpc":"2.0","id":3,"method":"set","params":{"path":"/u","value":1}}"# + "\n")
    _ = try command.line()
    #expect(try place.text(of: "f") == #"{"n": 0, "t": "b", "u": 1}"#)
    try end(command)
  }

  @Test(arguments: [["undo", "f"], ["f"], ["doctor", "f"]])
  func `a variable that makes no sense is misuse`(words: [String]) throws {
    let message = "replicate: variable '\(Self.variable)' takes merge, replace, not 'both'\n"
    #expect(try run(words, variable: "both") == .failed(2, message))
    #expect(try place.text(of: "f") == #"{"n": 0, "t": "a"}"#)
  }

  @Test func `who judges no save doesn't mind the variable`() throws {
    #expect(try run(["get", "-c", "f"], variable: "both") == .printed(#"{"n":0,"t":"a"}"# + "\n"))
  }

  // MARK: The doctor

  private func attach(_ options: String..., variable: String? = nil) throws -> RunningCommand {
    let command = try place.start(
      ["attach", "f"] + options, keepsInputOpen: true, environment: environment(variable))
    command.send(#"{"jsonrpc":"2.0","id":0,"method":"info"}"# + "\n")
    _ = try command.line()
    return command
  }

  private func end(_ command: RunningCommand) throws { #expect(try command.end().outcome == .exited(0)) }

  /// What the doctor says of the instances' policies; the text is that of the JSON too.
  private func finding(variable: String? = nil) throws -> (isWell: Bool, text: String)? {
    let (text, json) = (
      try run(["doctor", "f"], variable: variable), try run(["doctor", "--json", "f"], variable: variable)
    )
    guard case .array(let findings) = try JSONValue(parsing: json.output)[JSONPointer(["findings"])] else { return nil }
    // Where the tests run may be degraded itself.
    let isWell = findings.allSatisfy { $0[JSONPointer(["ok"])] == true }
    #expect(text.outcome == .exited(isWell ? 0 : 1))
    #expect(json.outcome == text.outcome)
    guard let finding = findings.first(where: { $0[JSONPointer(["name"])] == "external-edits" }),
      case .string(let meaning) = finding[JSONPointer(["text"])]
    else { return nil }
    let ok = finding[JSONPointer(["ok"])] == true
    #expect(text.output.contains("\(ok ? "ok      " : "degraded")  \(meaning)\n"))
    return (ok, meaning)
  }

  @Test func `the doctor names the instances that judge saves differently`() throws {
    let (merging, replacing) = (try attach(), try attach("--external-edits", "replace"))
    let found = try #require(try finding())
    #expect(!found.isWell)
    let parts = found.text.split(separator: ": ", maxSplits: 1)
    try #require(parts.count == 2)
    #expect(
      parts[0] == "whoever comes first decides what a save made from an older version means, and they differ")
    let policies = parts[1].split(separator: "; ").map { $0.hasPrefix("instance ") ? $0.drop { $0 != "," } : $0 }
    #expect(
      Set(policies) == [
        ", process \(merging.child) (replicate): merge", ", process \(replacing.child) (replicate): replace",
        "this command: merge",
      ])
    let names = try JSONValue(parsing: run(["verify", "--json", "f"]).output)
    for index in ["0", "1"] {
      guard case .string(let name) = names[JSONPointer(["instances", index, "instance"])] else {
        Issue.record("no instance")
        continue
      }
      #expect(parts[1].contains("instance \(name), process "))
    }
    try end(replacing)
    #expect(try finding()?.isWell == true)
    try end(merging)
  }

  @Test func `the doctor is content with instances that judge saves alike, and as the variable has it`() throws {
    let merges = "a save made from an older version is merged with what came since"
    let replaces = "a save made from an older version replaces what came since"
    #expect(try #require(try finding()) == (true, merges))
    #expect(try #require(try finding(variable: "replace")) == (true, replaces))
    let commands = [try attach("--external-edits", "replace"), try attach(variable: "replace")]
    #expect(try #require(try finding(variable: "replace")) == (true, replaces))
    let found = try #require(try finding())
    #expect(!found.isWell)
    #expect(found.text.hasSuffix("; this command: merge"))
    for command in commands { try end(command) }
    #expect(try #require(try finding()) == (true, merges))
  }

  @Test func `without a list of instances the doctor says the rest`() throws {
    let names = { (run: Binary.Run) in
      run.output.split(separator: "\n").filter { !$0.contains("a save made from") }
    }
    let with = try run(["doctor", "f"])
    try place.write("", to: "occupied")
    let without = try place.run("doctor", "f", environment: ["XDG_STATE_HOME": place.path("occupied")])
    #expect(try #require(try finding()).isWell)
    #expect(without.output.split(separator: "\n") == names(with))
    #expect(without.outcome == with.outcome)
    #expect(without.messages == "")
  }
}
