import HotReload

extension CommandTable {
  /// Every option, in the order of the help.
  static let options: [OptionRow] = [
    OptionRow(
      option: .plain, summary: "answer each line that is typed in lines, for screen readers and dumb terminals"),
    OptionRow(option: .string, short: "s", summary: "take `VALUE` as text instead of JSON"),
    OptionRow(option: .parents, short: "p", summary: "make the objects, or the number, that are missing on the way"),
    OptionRow(option: .create, summary: "let a missing or empty file count as `{}`; folders are never made"),
    OptionRow(option: .compact, short: "c", summary: "print on one line"),
    OptionRow(option: .raw, short: "r", summary: "print a string without quotes, anything else as JSON"),
    OptionRow(
      option: .format, short: "f", argument: .choice(WatchFormat.words),
      summary: "print a document a line, indented, or as the patch from the last one printed"),
    OptionRow(
      option: .also, argument: .placeholder("OTHER"), summary: "follow another file as well; given again for each"),
    OptionRow(
      option: .count, short: "n", argument: .placeholder("N"),
      summary: "print N values, versions or steps at most; of those that are there already, the newest"),
    OptionRow(option: .onlyChanges, summary: "leave out the value that is there at the start"),
    OptionRow(option: .patch, short: "p", summary: "print what each version changed, with what stood there before"),
    OptionRow(
      option: .since, argument: .placeholder("TIME"),
      summary: """
        print only what was made since then: `30s`, `10m`, `2h` or `3d` ago, or at `14:03`, `2026-11-28` or \
        `2026-11-28T14:03:27`
        """),
    OptionRow(option: .with, argument: .placeholder("OTHER"), summary: "compare with another file"),
    OptionRow(
      option: .mine, summary: "take back the last change that was made from this terminal, although others came after"),
    OptionRow(
      option: .speed, argument: .placeholder("N"),
      summary: "play N times as fast as it was recorded, such as 10 or 0.5; 1 unless given"),
    OptionRow(option: .step, summary: "take a step, and print it, at each line of standard input"),
    OptionRow(
      option: .from, argument: .placeholder("PLACE"),
      summary: "begin with what was reached there: after step `12`, or after `3.5s`"),
    OptionRow(
      option: .until, argument: .placeholder("PLACE"), summary: "end there: after step `12`, or after `3.5s`"),
    OptionRow(option: .stop, summary: "share the file no longer; other devices go on"),
    OptionRow(
      option: .name, argument: .placeholder("NAME"),
      summary: "what this device is called; the name of the machine unless given"),
    OptionRow(
      option: .join, argument: .choice(ShareSession.JoinPolicy.words),
      summary: """
        what the contents of `FILE` mean where the share has some, too: `merge`, the default, adds what only the file \
        has, `adopt` takes the share's, `overwrite` makes the file's the newest change
        """),
    OptionRow(
      option: .except, argument: .placeholder("POINTER"),
      summary: """
        a place that stays on this device, in no journal; given again for each, `""` for none any more
        """),
    OptionRow(
      option: .externalEdits, argument: .choice(ExternalEditsChoice.words),
      summary: """
        what a save made from an older version does to what came since: `merge`, the default, keeps it, `replace` \
        doesn't
        """),
    OptionRow(option: .json, summary: "print the report as JSON"),
    OptionRow(option: .quiet, short: "q", summary: "print no messages; the exit code still tells"),
    OptionRow(
      option: .color, argument: .choice(ColorChoice.words),
      summary: "colour the output; `auto`, the default, does so on a terminal"),
    OptionRow(
      option: .timeout, argument: .placeholder("SECONDS"),
      summary: "how long to wait for a lock, a held file or a value, 10 unless given"),
    OptionRow(
      option: .durability, argument: .choice(DurabilityChoice.words),
      summary: "what a change must survive: the end of the `process`, the default, or a `power` cut"),
    OptionRow(
      option: .generate, argument: .choice(GeneratedText.words),
      summary: """
        print the man page or a completion script; for these, the `pointers` of `FILE` that a text begins, or its `versions`
        """),
    OptionRow(option: .help, short: "h", summary: "print this help, or that of a verb"),
    OptionRow(
      option: .version, short: "V", summary: "print the version",
      meanings: [.get: (.placeholder("VERSION"), "print what the file held in a recent version")]),
  ]
}
