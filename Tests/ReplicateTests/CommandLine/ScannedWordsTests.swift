import Testing

@testable import replicate

@Suite struct ScannedWordsTests {
  @Test(
    arguments: [
      (["get", "f"], ["get", "f"], [:]),
      (["-q", "get", "--compact", "f"], ["get", "f"], [Option.quiet: "", .compact: ""]),
      (["--timeout=5", "f"], ["f"], [.timeout: "5"]),
      (["--timeout", "5", "f"], ["f"], [.timeout: "5"]),
      (["--timeout=", "f"], ["f"], [.timeout: ""]),
      (["--timeout", "-5"], [], [.timeout: "-5"]),
      (["--color=a=b"], [], [.color: "a=b"]),
      (["--timeout=1", "--timeout", "2"], [], [.timeout: "2"]),
      (["-cr", "f"], ["f"], [.compact: "", .raw: ""]),
      (["-qn5", "f"], ["f"], [.quiet: "", .count: "5"]),
      (["-n", "5", "f"], ["f"], [.count: "5"]),
      (["-qf", "pretty"], [], [.quiet: "", .format: "pretty"]),
      (["increment", "f", "/n", "-5"], ["increment", "f", "/n", "-5"], [:]),
      (["increment", "f", "/n", "-1e3", "-p"], ["increment", "f", "/n", "-1e3"], [.parents: ""]),
      (["set", "f", "/n", "-"], ["set", "f", "/n", "-"], [:]),
      (["get", "f", ""], ["get", "f", ""], [:]),
    ] as [([String], [String], [Option: String])])
  func `options stand anywhere, and the rest are operands`(
    words: [String], operands: [String], options: [Option: String]
  ) throws {
    let scanned = try ScannedWords(words)
    #expect(scanned.operands == operands)
    #expect(scanned.options == options)
    #expect(scanned.command == nil)
  }

  @Test func `what follows the first double dash is taken as it stands`() throws {
    let scanned = try ScannedWords(["update", "-q", "f", "--", "jq", "-r", "--", "--help"])
    #expect(scanned.operands == ["update", "f"])
    #expect(scanned.options == [.quiet: ""])
    #expect(scanned.command == ["jq", "-r", "--", "--help"])
  }

  @Test(arguments: [
    (["--compcat"], "unknown option '--compcat'; did you mean '--compact'?"),
    (["--only"], "unknown option '--only'; did you mean '--only-changes'?"),
    (["--external-edit"], "unknown option '--external-edit'; did you mean '--external-edits'?"),
    (["--frobnicate=1"], "unknown option '--frobnicate'; see 'replicate --help'"),
    (["get", "f", "-x"], "unknown option '-x'; see 'replicate get --help'"),
    (["-qx"], "unknown option '-x' in '-qx'; see 'replicate --help'"),
    (["-compact"], "unknown option '-o' in '-compact'; did you mean '--compact'?"),
    (["-p5"], "unknown option '-5' in '-p5'; see 'replicate --help'"),
    (["--quiet=yes"], "option '--quiet' takes no value"),
    (["--timeout"], "option '--timeout' needs a value: SECONDS"),
    (["--color", "--", "f"], "option '--color' needs a value: auto|always|never"),
    (["-qn"], "option '-n' needs a value: N"),
  ])
  func `a word that is no option is told with the nearest one`(words: [String], message: String) {
    #expect(throws: Failure.usage(message)) { try ScannedWords(words) }
  }
}
