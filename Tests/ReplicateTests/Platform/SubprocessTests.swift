import Testing

@testable import replicate

@Suite struct SubprocessTests {
  init() { Signals.ignoreBrokenPipes() }

  @Test func `a filter is fed and read at the same time`() throws {
    let input = [UInt8]((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0) })
    let (outcome, output) = try Subprocess(command: ["cat"]).run(input: input, output: .collected)
    #expect(outcome == .exited(0))
    #expect(output == input)
  }

  @Test func `output larger than a pipe is read while input is left over`() throws {
    let command = Subprocess(command: ["head", "-c", "300000", "/dev/zero"])
    let (outcome, output) = try command.run(input: [UInt8](repeating: 1, count: 1 << 20), output: .collected)
    #expect(outcome == .exited(0))
    #expect(output == [UInt8](repeating: 0, count: 300_000))
  }

  @Test func `input that is not read is no error`() throws {
    let result = try Subprocess(command: ["true"]).run(input: [UInt8](repeating: 0, count: 1 << 20), output: .collected)
    #expect(result.outcome == .exited(0))
  }

  @Test(arguments: [
    (["false"], Subprocess.Outcome.exited(1)), (["sh", "-c", "exit 7"], .exited(7)),
    (["sh", "-c", "kill -TERM $$"], .signalled(15)),
  ])
  func `it is told how a command ended`(command: [String], outcome: Subprocess.Outcome) throws {
    #expect(try Subprocess(command: command).run(input: [], output: .collected).outcome == outcome)
  }

  @Test(arguments: [
    ("no-such-command-anywhere", "cannot run 'no-such-command-anywhere': no such file or directory"),
    ("/", "cannot run '/': permission denied"),
  ])
  func `a command that can't be started is told from one that fails`(name: String, message: String) throws {
    let error = try #require(throws: (any Error).self) {
      try Subprocess(command: [name]).run(input: [1], output: .collected)
    }
    let failure = Failure(describing: error)
    #expect(failure.text == "replicate: \(message)")
    #expect(failure.code == .system)
    #expect(failure.errno != nil)
  }

  @Test func `no shell comes between`() throws {
    let command = Subprocess(command: ["printf", "%s|", "a b", "$HOME", "*"])
    let result = try command.run(input: [], output: .collected)
    #expect(String(decoding: result.output, as: UTF8.self) == "a b|$HOME|*|")
  }

  @Test func `variables are added and replaced`() throws {
    let result = try Subprocess(
      command: ["printenv", "REPLICATE_FILE", "PATH"], environment: ["REPLICATE_FILE": "a b", "PATH": "/usr/bin:/bin"]
    ).run(input: [], output: .collected)
    #expect(String(decoding: result.output, as: UTF8.self) == "a b\n/usr/bin:/bin\n")
  }

  @Test func `a command gets SIGPIPE although we ignore it`() throws {
    // With the signal ignored, `yes` would complain about EPIPE and end with 1.
    let script = "yes 2>/dev/null | true; exit ${PIPESTATUS[0]}"
    #expect(try Subprocess(command: ["bash", "-c", script]).run(input: [], output: .collected).outcome == .exited(141))
  }

  @Test func `an interruption ends the command`() throws {
    let pipe = try Pipe()
    let readEnd = pipe.keepingReadEnd()
    // The other end is closed, which makes this one readable.
    let command = Subprocess(command: ["sleep", "60"])
    let result = try command.run(input: [], output: .collected, interruption: readEnd.rawValue)
    #expect(result.outcome == .signalled(15))
  }
}
