import Testing

@testable import replicate

@Suite struct CommandTableTests {
  @Test func `every verb and every option has one row`() {
    #expect(CommandTable.verbs.compactMap(\.verb) == Verb.allCases)
    #expect(CommandTable.verbs.count == Verb.allCases.count + 1)
    #expect(CommandTable.options.map(\.option) == Option.allCases)
    // A letter means one thing with a verb.
    for row in CommandTable.verbs {
      let letters = (row.options + CommandTable.commonOptions).compactMap { CommandTable.row(for: $0).short }
      #expect(letters.filter { $0 != "V" }.count == Set(letters).subtracting(["V"]).count)
    }
  }

  @Test func `every option belongs to a verb, or to all, or stands alone`() {
    let used = CommandTable.verbs.flatMap(\.options) + CommandTable.commonOptions + [.generate]
    #expect(Set(used) == Set(Option.allCases))
  }

  @Test(arguments: CommandTable.verbs.flatMap { row in row.examples.map { (row.verb, $0.command) } })
  func `examples can be typed as they stand`(verb: Verb?, command: String) throws {
    let script =
      "\(CommandTable.name)() { [ $# -gt 0 ] && printf '%s\\0' \"$@\"; }; ssh() { shift; \"$@\"; }; \(command)"
    let run = try Subprocess(command: ["bash", "-c", script]).run(input: [], output: .collected)
    #expect(run.outcome == .exited(0))
    let words = run.output.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    guard case .run(let request, _) = try CommandLineParser.parse(words) else {
      Issue.record("\(words) is no request")
      return
    }
    #expect(request.file.hasSuffix(verb == .show ? ".recording" : ".json"))
    #expect(words.compactMap(Verb.init).first == verb)
  }
}

@Suite struct HelpTests {
  @Test func `the help of a verb says all about it`() {
    #expect(
      Help.text(for: .get) == """
        Usage: replicate get FILE [POINTER…]

        Print the value, once.

        The order of members and the literals of numbers are those of the file.

        Operands:
          FILE     path of the JSON file; one called like a verb is written `./get`
          POINTER  place in the document: a JSON Pointer (RFC 6901) such as
                   `/episodes/0/title`, where `""` is the root, or a path such as
                   `.episodes[0].title`

        Options:
          -c, --compact          print on one line
          -r, --raw              print a string without quotes, anything else as JSON
              --version VERSION  print what the file held in a recent version

        Options everywhere:
          -q, --quiet                     print no messages; the exit code still tells
              --color auto|always|never   colour the output; `auto`, the default, does
                                          so on a terminal
              --timeout SECONDS           how long to wait for a lock, a held file or a
                                          value, 10 unless given
              --durability process|power  what a change must survive: the end of the
                                          `process`, the default, or a `power` cut
          -h, --help                      print this help, or that of a verb
          -V, --version                   print the version

        Examples:
          replicate get state.json /episodes/0
              print the first episode
          replicate get -r state.json /search/query
              print a string as it is

        """)
  }

  @Test(arguments: [Help.short, Help.text(for: nil)] + Verb.allCases.map { Help.text(for: $0) })
  func `help fits a terminal of eighty columns`(text: String) {
    for line in text.split(separator: "\n") where !line.contains("replicate ") { #expect(line.count <= 80, "\(line)") }
    #expect(text.hasSuffix("\n") && !text.hasSuffix("\n\n"))
  }

  @Test func `the help of a verb has its options, and the global one those without a verb`() {
    let option = """
            --external-edits merge|replace  what a save made from an older version
                                            does to what came since: `merge`, the
                                            default, keeps it, `replace` doesn't

      """
    #expect(Help.text(for: .restore).contains("\nOptions:\n\(option)"))
    #expect(Help.text(for: nil).contains("\nOptions without a verb:\n      --plain "))
    #expect(!Help.text(for: .doctor).contains("--external-edits"))
  }

  @Test func `the global help names every verb, every variable and every exit code`() {
    let text = Help.text(for: nil)
    for verb in Verb.allCases {
      #expect(text.contains("\n  \(verb) \(CommandTable.row(for: verb).required[0].rawValue)"))
    }
    for (name, _) in CommandTable.environment { #expect(text.contains("\n  \(name) ")) }
    for (code, _) in CommandTable.exitCodes { #expect(text.contains("\n  \(code) ")) }
  }
}
