/// The texts of `--help`, made from ``CommandTable``.
enum Help {
  /// What is printed when nothing is asked for.
  static var short: String {
    """
    \(beginning)

    \(verbs)

    '\(CommandTable.name) --help' tells more, and '\(CommandTable.name) VERB --help' all about a verb.

    """
  }

  /// The help of a verb, or of the whole command.
  static func text(for verb: Verb?) -> String {
    verb.map(help(for:)) ?? global
  }

  private static var beginning: String {
    """
    Usage: \(CommandTable.name) FILE [POINTER]
           \(CommandTable.name) VERB FILE [OPERANDS] [OPTIONS]

    \(CommandTable.summary.asSentence)
    """
  }

  private static var verbs: String { list(CommandTable.verbs.map { ($0.signature, $0.summary) }) }

  private static var global: String {
    """
    \(beginning)

    \(CommandTable.description.paragraphs.map(paragraph).joined(separator: "\n\n"))

    Verbs:
    \(verbs)

    Options without a verb:
    \(list(CommandTable.row(for: nil).optionRows))

    Options everywhere:
    \(list(CommandTable.commonRows))

    Environment:
    \(list(CommandTable.environment.map { ($0.name, $0.meaning) }))

    Exit codes:
    \(list(CommandTable.exitCodes.map { ($0.code, $0.meaning) }))

    '\(CommandTable.name) VERB --help' tells all about a verb, with examples.

    """
  }

  private static func help(for verb: Verb) -> String {
    let row = CommandTable.row(for: verb)
    var sections = ["Usage: \(row.synopsis)", row.summary.asSentence]
    sections += row.details.paragraphs.map(paragraph)
    sections.append("Operands:\n" + list(row.operands.map { ($0.rawValue, CommandTable.summary(of: $0)) }))
    if !row.options.isEmpty { sections.append("Options:\n" + list(row.optionRows)) }
    sections.append("Options everywhere:\n" + list(CommandTable.commonOptions.map(CommandTable.row)))
    let examples = row.examples.map { "  \($0.command)\n      \($0.explanation)" }
    sections.append("Examples:\n" + examples.joined(separator: "\n"))
    return sections.joined(separator: "\n\n") + "\n"
  }

  // MARK: Layout

  private static let width = 80

  private static func paragraph(_ text: String) -> String {
    text.wrapped(to: width).joined(separator: "\n")
  }

  private static func list(_ options: [CommandTable.OptionRow]) -> String {
    list(options.map { ($0.synopsis, $0.summary) })
  }

  /// Rows of a term and what it means, the meanings below one another.
  private static func list(_ rows: [(term: String, meaning: String)]) -> String {
    let column = 4 + (rows.map(\.term.count).max() ?? 0)
    let margin = String(repeating: " ", count: column)
    return rows.map { row in
      let padding = String(repeating: " ", count: column - 2 - row.term.count)
      return "  \(row.term)\(padding)" + row.meaning.wrapped(to: width - column).joined(separator: "\n\(margin)")
    }.joined(separator: "\n")
  }
}
