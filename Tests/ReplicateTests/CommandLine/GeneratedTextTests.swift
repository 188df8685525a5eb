import Testing

@testable import replicate

@Suite struct GeneratedTextTests {
  private static func isInstalled(_ command: String) -> Bool {
    // Not being able to look means that it isn't there.
    (try? Subprocess(command: ["which", command]).run(input: [], output: .collected).outcome) == .exited(0)
  }

  @Test(.enabled(if: isInstalled("mandoc")))
  func `the man page has no flaw that mandoc could find`() throws {
    let lint = try Subprocess(command: ["mandoc", "-T", "lint"]).run(
      input: Array(ManPage.text.utf8), output: .collected)
    #expect(String(decoding: lint.output, as: UTF8.self) == "")
    #expect(lint.outcome == .exited(0))
  }

  @Test func `the man page names every verb, option, operand, variable and exit code`() {
    for verb in Verb.allCases {
      #expect(ManPage.text.contains("\n.It Cm \(verb) Ar \(CommandTable.row(for: verb).required[0].rawValue)"))
    }
    for option in Option.allCases {
      #expect(ManPage.text.contains("Fl -\(option.rawValue.replacing("-", with: "\\-"))"))
    }
    for (name, _) in CommandTable.environment { #expect(ManPage.text.contains("\n.It Ev \(name)\n")) }
    for (code, _) in CommandTable.exitCodes { #expect(ManPage.text.contains("\n.It \(code)\n")) }
  }

  @Test(arguments: [
    (["g"], ["get"]),
    (["wa"], ["wait", "watch"]),
    (["--ge"], ["--generate"]),
    (["--generate", ""], ["bash", "fish", "man", "pointers", "versions", "zsh"]),
    (["get", "--co"], ["--color", "--compact"]),
    (["set", "--co"], ["--color"]),
    (["--color", "a"], ["always", "auto"]),
    (["--color", "=", "n"], ["never"]),
    (["--color", "="], ["always", "auto", "never"]),
    (["watch", "-f", "p"], ["patch", "pretty"]),
    (["watch", "-n", "3", "--only"], ["--only-changes"]),
    (["watch", "-n", ""], []),
    (["get", "/etc/passw"], ["/etc/passwd", "/etc/passwd-"]),
    (["-q", "get", "/etc/passw"], ["/etc/passwd", "/etc/passwd-"]),
    (["get", "--timeout", "=", "5", "/etc/passw"], ["/etc/passwd", "/etc/passwd-"]),
    (["/etc/passw"], ["/etc/passwd", "/etc/passwd-"]),
    (["increment", "f", "/n", "-5", "--cre"], ["--create"]),
    (["set", "f", "/a"], []),
    (["rep"], ["replay"]),
    (["replay", "f", "/etc/passw"], ["/etc/passwd", "/etc/passwd-"]),
    (["show", "f", "/etc/passw"], []),
    (["replay", "f", "--f"], ["--from"]),
    (["--ex"], ["--external-edits"]),
    (["f", "--external-edits", ""], ["merge", "replace"]),
    (["undo", "f", "--ex"], ["--external-edits"]),
    (["get", "f", "--ex"], []),
    (["update", "f", "--", "printen"], ["printenv"]),
    (["exec", "f", "--", "cat", "/etc/passw"], ["/etc/passwd", "/etc/passwd-"]),
    (["get", "f", "--", "--"], []),
  ])
  func `bash completes what can stand there`(words: [String], expected: [String]) throws {
    // As bash calls it: the words, split at the equals sign too, and the index of the one to complete.
    let script = """
      \(BashCompletion.text)
      COMP_WORDS=(replicate "$@") COMP_CWORD=$#
      _replicate
      ((${#COMPREPLY[@]})) && printf '%s\\n' "${COMPREPLY[@]}" | LC_ALL=C sort -u
      exit 0
      """
    let run = try Subprocess(command: ["bash", "-c", script, "bash"] + words).run(input: [], output: .collected)
    #expect(run.outcome == .exited(0))
    let completions = run.output.split(separator: 0x0a).map { String(decoding: $0, as: UTF8.self) }
    #expect(completions.filter { $0 != "/etc/passwd-" } == expected.filter { $0 != "/etc/passwd-" })
  }
}
