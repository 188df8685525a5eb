import Glibc
import HotReload
import StateJSON
import TestThreads
import Testing

@testable import replicate

/// `verify`, with real instances.
@Suite(.ownThreads, .timeLimit(.minutes(10))) struct VerifyVerbTests {
  private let place: Workplace
  private let environment: [String: String]

  init() throws {
    place = try Workplace("f", #"{"n": 1.0, "t": "a"}"#)
    environment = ["XDG_STATE_HOME": place.path("state")]
  }

  private var hash: String { get throws { "\(try JSONValue(parsing: place.bytes(of: "f")).canonicalHash)" } }

  /// Starts an instance, and waits until it has joined.
  private func watch(_ words: [String] = ["watch", "f"]) throws -> RunningCommand {
    let command = try place.start(words, environment: environment)
    _ = try command.line()
    return command
  }

  private func attach() throws -> RunningCommand {
    let command = try place.start(["attach", "f"], keepsInputOpen: true, environment: environment)
    command.send(#"{"jsonrpc":"2.0","id":0,"method":"info"}"# + "\n")
    _ = try command.line()
    return command
  }

  private func verify(_ options: String...) throws -> Binary.Run {
    try place.run(["verify", "f"] + options, environment: environment)
  }

  /// The names in the state folder that end so.
  private func names(_ suffix: String) throws -> [String] {
    try Folder(path: place.path("state/replicate")).names(startingWith: "").filter { $0.hasSuffix(suffix) }
  }

  private func subjects(_ run: Binary.Run) -> [Substring] {
    run.output.split(separator: "\n").map { $0.dropFirst(66) }
  }

  private func end(_ command: RunningCommand) throws {
    command.signal(SIGTERM)
    _ = try command.end()
  }

  @Test func `a file that nobody mirrors agrees with itself`() throws {
    #expect(try verify() == .printed("\(try hash)  file\n"))
    #expect(try place.run("verify", "g") == .failed(4, "replicate: there is no file 'g'\n"))
  }

  @Test func `every attached instance is asked, and told by its name and process`() throws {
    let commands = [try watch(), try watch(["exec", "f", "--", "cat"]), try attach()]
    let run = try verify()
    #expect(run.outcome == .exited(0))
    #expect(run.output.split(separator: "\n").allSatisfy { $0.hasPrefix((try? hash) ?? "?") })
    let subjects = subjects(run)
    #expect(subjects.count == 4)
    for command in commands {
      #expect(subjects.contains { $0.hasPrefix("instance ") && $0.contains("(replicate)") })
      try end(command)
    }
    #expect(try verify() == .printed("\(try hash)  file\n"))
    #expect(try names(".lock") == [])
    #expect(try names(".socket") == [])
  }

  @Test func `nobody else may look at the list of instances, or ask one`() throws {
    let command = try watch()
    #expect(try place.status(of: "state/replicate").permissions == 0o700)
    for name in try names(".lock") + names(".socket") {
      #expect(try place.status(of: "state/replicate/\(name)").permissions == 0o600, "\(name)")
    }
    #expect(try names(".socket").count == 1)
    try end(command)
  }

  @Test func `a path that is too long for a socket's address does no harm`() throws {
    let long = place.path(String(repeating: "long/", count: 30))
    let environment = ["XDG_STATE_HOME": long]
    let command = try place.start(["watch", "f"], environment: environment)
    _ = try command.line()
    let run = try place.run("verify", "f", environment: environment)
    #expect(run.outcome == .exited(0))
    #expect(subjects(run).count == 2)
    try end(command)
  }

  @Test func `what a killed instance left is no instance, and is removed`() throws {
    let killed = try watch()
    killed.signal(SIGKILL)
    _ = try killed.end()
    #expect(try names(".socket").count == 1)
    #expect(try verify() == .printed("\(try hash)  file\n"))
    #expect(try names(".socket") == [])
    #expect(try names(".lock") == [])
  }

  @Test func `the next instance of any file removes what a killed one left`() throws {
    try place.write("{}", to: "g")
    let killed = try watch(["watch", "g"])
    killed.signal(SIGKILL)
    _ = try killed.end()
    let left = try names(".socket")
    #expect(left.count == 1)
    let next = try watch()
    #expect(try names(".socket").count == 1)
    #expect(try names(".socket") != left)
    try end(next)
  }

  @Test func `a stopped instance does not answer, and so does not agree`() throws {
    let (stopped, other) = (try watch(), try watch())
    stopped.signal(SIGSTOP)
    let run = try verify("--timeout", "0")
    #expect(run.outcome == .exited(1))
    #expect(run.messages == "replicate: 1 of 2 instances does not agree with the file\n")
    #expect(subjects(run).count { $0.hasSuffix(": does not answer") } == 1)
    #expect(subjects(run).count { $0.hasSuffix(" (replicate)") } == 1)
    stopped.signal(SIGCONT)
    #expect(try verify().outcome == .exited(0))
    try end(stopped)
    try end(other)
  }

  @Test func `a stopped instance that goes on in time agrees`() throws {
    let stopped = try watch()
    stopped.signal(SIGSTOP)
    let verification = try place.start(["verify", "f"], environment: environment)
    // It has joined the queue of those who ask, or is about to: either way it is answered once there is somebody.
    stopped.signal(SIGCONT)
    #expect(try verification.end().outcome == .exited(0))
    try end(stopped)
  }

  @Test func `a save that is not valid JSON is 3, and instances have what they had`() throws {
    let command = try attach()
    let before = try hash
    try place.save("{", to: "f")
    _ = try command.line()
    command.send(#"{"jsonrpc":"2.0","id":1,"method":"increment","params":{"path":"/n"}}"# + "\n")
    command.send(#"{"jsonrpc":"2.0","id":2,"method":"get"}"# + "\n")
    _ = try command.line()
    let problem = "unexpected end of input; expected a key or '}'"
    let run = try verify("--timeout", "0")
    #expect(run.outcome == .exited(3))
    #expect(run.messages == "f:1:2: \(problem)\n")
    let lines = run.output.split(separator: "\n")
    try #require(lines.count == 2)
    #expect(lines[0].hasPrefix("-") && lines[0].hasSuffix("  file: \(problem)"))
    #expect(lines[1].hasPrefix(before))
    #expect(lines[1].hasSuffix(": 1 action is not in the file; f:1:2: \(problem)"))
    try place.save(#"{"n": 1, "t": "b"}"#, to: "f")
    #expect(try verify().outcome == .exited(0))
    #expect(try place.text(of: "f") == #"{"n": 2, "t": "b"}"#)
    try end(command)
  }

  @Test func `the JSON says the same as the text`() throws {
    let command = try watch()
    let report = try JSONValue(parsing: verify("--json").output)
    let hash = try hash
    #expect(report[JSONPointer(["file"])] == "f")
    #expect(report[JSONPointer(["agrees"])] == true)
    #expect(report[JSONPointer(["hash"])] == .string(hash))
    #expect(report[JSONPointer(["instances", "0", "hash"])] == .string(hash))
    #expect(report[JSONPointer(["instances", "0", "program"])] == "replicate")
    #expect(report[JSONPointer(["instances", "0", "uncommitted"])] == 0)
    #expect(report[JSONPointer(["instances", "1"])] == nil)
    try end(command)
  }

  @Test func `while others write, it waits until they agree`() throws {
    let command = try watch()
    let writer = try place.start(
      ["exec", "f", "/t", "--", "sh", "-c", "for i in 1 2 3 4 5 6 7 8 9; do \"$0\" increment f /n; done", Binary.path],
      environment: environment)
    _ = try writer.line()
    #expect(try verify().outcome == .exited(0))
    try end(writer)
    try end(command)
  }
}
