import Testing

@testable import replicate

@Suite struct ProgramTests {
  init() { Signals.ignoreBrokenPipes() }

  @Test func `without arguments the short help goes to standard error`() throws {
    #expect(try Binary.run([]) == Binary.Run(output: "", messages: Help.short, outcome: .exited(2)))
  }

  @Test(arguments: [
    (["--help"], Help.text(for: nil)), (["watch", "-h"], Help.text(for: .watch)),
    (["--version"], "replicate \(CommandTable.version)\n"), (["--generate", "man"], ManPage.text),
    (["--generate", "bash"], BashCompletion.text),
  ])
  func `what is asked for goes to standard output`(words: [String], output: String) throws {
    #expect(try Binary.run(words) == Binary.Run(output: output, messages: "", outcome: .exited(0)))
  }

  @Test(arguments: [
    (["gte", "f"], "replicate: unknown verb 'gte'; did you mean 'get'?\n"),
    (["set", "f", "/a", "{\n  \"é\" 1}"], "<VALUE>:2:7: expected ':' after key; '-s' takes it as text\n"),
    (["merge", "f", "{"], "<DOCUMENT>:1:2: unexpected end of input; expected a key or '}'\n"),
    (["get", "f", "a"], "replicate: 'a' is not a JSON pointer: it must be empty or start with '/'\n"),
    (["patch", "f", "[{}]"], "replicate: PATCH: operation 0: 'op' is missing\n"),
  ])
  func `misuse ends with 2`(words: [String], messages: String) throws {
    #expect(try Binary.run(words) == Binary.Run(output: "", messages: messages, outcome: .exited(2)))
  }

  @Test(arguments: [
    (["set", "f", "/a", "-"], "[1,\n 2", "<stdin>:2:3: unexpected end of input; expected ',' or ']' after value\n"),
    (["merge", "f"], "", "<stdin>:1:1: the text is empty; expected a value\n"),
    (["patch", "f"], "[\n  {\"op\": \"test\"}]", "<stdin>:2:3: operation 0: 'path' is missing\n"),
    (["patch", "f", "-"], "{}", "<stdin>:1:1: a patch must be an array of operations\n"),
  ])
  func `bad input ends with 3`(words: [String], input: String, messages: String) throws {
    #expect(
      try Binary.run(words, input: input) == Binary.Run(output: "", messages: messages, outcome: .exited(3)))
  }

  @Test func `nobody reading is a quiet end`() throws {
    // Writes until nobody reads any more, so that the command surely finds it so, with the usual effect of SIGPIPE.
    let script = """
      ( trap '' PIPE; while echo x; do :; done 2>/dev/null; trap - PIPE; exec "$0" --generate man ) 2>&3 | true
      exit ${PIPESTATUS[0]}
      """
    let run = try Subprocess(command: ["bash", "-c", "{ \(script)\n} 3>&1", Binary.path]).run(
      input: [], output: .collected)
    #expect(run.outcome == .exited(0))
    #expect(run.output == [])
  }

  @Test(arguments: [
    (">/dev/full", "replicate: cannot write '<stdout>': no space left on device\n"),
    (">&-", "replicate: cannot write '<stdout>': bad file descriptor\n"),
  ])
  func `output that can't be written ends with 4`(redirection: String, message: String) throws {
    let script = #"exec 3>&1; "$0" --help 2>&3 3>&- "# + redirection
    let run = try Subprocess(command: ["bash", "-c", script, Binary.path]).run(input: [], output: .collected)
    #expect(String(decoding: run.output, as: UTF8.self) == message)
    #expect(run.outcome == .exited(4))
  }

  @Test func `an argument that is not UTF-8 is refused rather than repaired`() throws {
    let script = #""$0" get $'a\xff.json' 2>&1"#
    let run = try Subprocess(command: ["bash", "-c", script, Binary.path]).run(input: [], output: .collected)
    let message = "replicate: argument 2 is not valid UTF-8: 'a\u{fffd}.json'\n"
    #expect(String(decoding: run.output, as: UTF8.self) == message)
    #expect(run.outcome == .exited(2))
  }
}
