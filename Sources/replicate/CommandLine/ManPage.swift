/// The man page, made from ``CommandTable`` in the semantic macros of mdoc(7).
enum ManPage {
  static var text: String {
    lines.joined(separator: "\n") + "\n"
  }

  private static var lines: [String] {
    var lines = [
      ".Dd \(CommandTable.date)", ".Dt \(CommandTable.name.uppercased()) 1", ".Os",
      ".Sh NAME", ".Nm \(CommandTable.name)", ".Nd \(escaped(CommandTable.summary))",
      ".Sh SYNOPSIS",
    ]
    for row in CommandTable.verbs { lines += [".Nm"] + synopsis(row) }
    lines += [".Nm", ".Fl -generate Cm \(choices([.generate]))"]
    lines.append(".Sh DESCRIPTION")
    lines += CommandTable.description.paragraphs.map(prose).joined(separator: [".Pp"])
    lines += [".Ss Operands"] + list(operands.map { [".It Ar \($0.rawValue)"] + prose(CommandTable.summary(of: $0)) })
    lines += [".Ss Verbs"] + list(CommandTable.verbs.map(entry))
    lines += [".Ss Options everywhere"] + list(CommandTable.commonRows.map(entry))
    lines.append(".Sh ENVIRONMENT")
    lines += list(
      CommandTable.environment.map { [".It Ev \($0.name)"] + prose($0.meaning) }, width: "REPLICATE_EXTERNAL_EDITS")
    lines.append(".Sh EXIT STATUS")
    lines += list(CommandTable.exitCodes.map { [".It \($0.code)"] + prose($0.meaning) }, width: "128+n")
    lines.append(".Sh EXAMPLES")
    for example in CommandTable.verbs.flatMap(\.examples) {
      lines += prose(example.explanation.capitalizedFirst + ":")
      lines += [".Pp", ".Dl \(escaped(example.command))", ".Pp"]
    }
    lines.removeLast()
    lines += [".Sh STANDARDS"]
    lines += prose(
      """
      JSON is that of RFC 8259, without duplicate keys (RFC 7493). Pointers are RFC 6901, patches RFC 6902, merge \
      patches RFC 7386, and `attach` speaks JSON-RPC 2.0.
      """)
    return lines
  }

  private static func list(_ entries: [[String]], width: String = "Ds") -> [String] {
    [".Bl -tag -width \(width)"] + entries.flatMap(\.self) + [".El"]
  }

  /// Every operand once, in the order in which the table first names it.
  private static var operands: [Operand] {
    CommandTable.verbs.flatMap(\.operands).reduce(into: []) { operands, operand in
      if !operands.contains(operand) { operands.append(operand) }
    }
  }

  private static func synopsis(_ row: CommandTable.VerbRow) -> [String] {
    var lines = row.verb.map { [".Cm \($0.rawValue)"] } ?? []
    lines += row.optionRows.map { ".Op \(flag($0))" }
    lines += row.required.map { ".Ar \($0.rawValue)" }
    lines += row.optional.map { ".Op Ar \($0.rawValue)" }
    if row.takesCommand { lines += [".Fl -", ".Ar \(Operand.command.rawValue) ..."] }
    return lines
  }

  private static func entry(_ row: CommandTable.VerbRow) -> [String] {
    let verb = row.verb.map { "Cm \($0.rawValue) " } ?? ""
    let required = row.required.map(\.rawValue).joined(separator: " ")
    let optional = row.optional.map { " Oo Ar \($0.rawValue) Oc" }.joined()
    let command = row.takesCommand ? " Fl - Ar \(Operand.command.rawValue) ..." : ""
    var lines = [".It \(verb)Ar \(required)\(optional)\(command)"]
    lines += prose(row.summary.asSentence)
    for paragraph in row.details.paragraphs { lines += [".Pp"] + prose(paragraph) }
    return row.options.isEmpty ? lines : lines + list(row.optionRows.map(entry))
  }

  private static func entry(_ row: CommandTable.OptionRow) -> [String] {
    let short = row.short.map { "Fl \($0) , " } ?? ""
    return [".It \(short)\(long(row))"] + prose(row.summary.asSentence)
  }

  /// The shortest way to write an option.
  private static func flag(_ row: CommandTable.OptionRow) -> String {
    guard let short = row.short else { return long(row) }
    return "Fl \(short)" + argument(row)
  }

  private static func long(_ row: CommandTable.OptionRow) -> String {
    "Fl -\(row.option.rawValue.replacing("-", with: "\\-"))" + argument(row)
  }

  private static func argument(_ row: CommandTable.OptionRow) -> String {
    switch row.argument {
    case nil: ""
    case .placeholder(let name): " Ar \(name)"
    case .choice: " Cm \(choices([row.option]))"
    }
  }

  private static func choices(_ options: [Option]) -> String {
    options.compactMap { CommandTable.row(for: $0).argument?.synopsis }.joined().split(separator: "|")
      .joined(separator: " | ")
  }

  /// Running text: each sentence on a line of its own, what is typed literally in bold.
  private static func prose(_ text: String) -> [String] {
    var isLiteral = false
    let parts = text.split(separator: "`", omittingEmptySubsequences: false).map { part in
      defer { isLiteral.toggle() }
      return isLiteral ? "\\fB\(escaped(String(part)))\\fP" : escaped(String(part))
    }
    return parts.joined().replacing(". ", with: ".\n").split(separator: "\n")
      .flatMap { String($0).wrapped(to: 78) }
      // A leading dot would be a request to the formatter.
      .map { $0.hasPrefix(".") ? "\\&\($0)" : $0 }
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("…", with: "...")
      .replacing("'", with: "\\(aq").replacing("\"", with: "\\(dq")
  }
}
