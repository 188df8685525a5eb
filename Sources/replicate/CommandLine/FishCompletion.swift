/// The completion script for fish, made from ``CommandTable``.
///
///     replicate --generate fish > ~/.config/fish/completions/replicate.fish
enum FishCompletion {
  static var text: String {
    let name = CommandTable.name
    let verbs = Verb.allCases.map(\.rawValue).joined(separator: " ")
    var lines = [
      "# Completion of \(name) for fish: \(name) --generate fish > ~/.config/fish/completions/\(name).fish",
      "",
      "set -l verbs \(verbs)",
      "function __\(name)_file",
      "  set -l words (commandline -opc | string match -v -- '-*')",
      "  contains -- \"$words[2]\" \(verbs); and echo \"$words[3]\"; or echo \"$words[2]\"",
      "end",
      "function __\(name)_has_file",
      "  test (count (commandline -opc | string match -v -- '-*')) -gt 2",
      "end",
      "function __\(name)_pointers",
      "  \(name) --generate pointers (__\(name)_file) (commandline -ct) 2>/dev/null",
      "end",
      "function __\(name)_versions",
      "  \(name) --generate versions (__\(name)_file) 2>/dev/null",
      "end",
      "",
    ]
    for row in CommandTable.verbs {
      guard let verb = row.verb else { continue }
      lines.append(
        "complete -c \(name) -n \"not __fish_seen_subcommand_from $verbs\" -a \(verb) -d \(quoted(row.summary))")
      let condition = "-n \"__fish_seen_subcommand_from \(verb)\""
      lines += row.optionRows.map { option($0, condition) }
      let hasFile = "-n \"__fish_seen_subcommand_from \(verb); and __\(name)_has_file\" -f"
      let kinds = [
        row.operands.contains(.pointer) ? "pointers" : nil, row.operands.contains(.version) ? "versions" : nil,
      ]
      lines += kinds.compactMap(\.self).map { "complete -c \(name) \(hasFile) -a \"(__\(name)_\($0))\"" }
    }
    lines += (CommandTable.commonOptions + [.generate]).map { option(CommandTable.row(for: $0), "") }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func option(_ row: CommandTable.OptionRow, _ condition: String) -> String {
    var words = ["complete -c \(CommandTable.name)", condition]
    if let short = row.short { words.append("-s \(short)") }
    words.append("-l \(row.option.rawValue)")
    switch row.argument {
    case nil: break
    case .choice(let choices): words.append("-x -a \(quoted(choices.joined(separator: " ")))")
    case .placeholder: words.append("-r")
    }
    words.append("-d \(quoted(row.summary))")
    return words.filter { !$0.isEmpty }.joined(separator: " ")
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
  }
}
