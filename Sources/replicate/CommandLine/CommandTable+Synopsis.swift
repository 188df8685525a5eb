extension CommandTable.VerbRow {
  /// Operands as they are written, optional ones in brackets: `FILE [POINTER] -- COMMAND…`.
  var operandSynopsis: String {
    var words = required.map(\.rawValue) + optional.map { "[\($0.rawValue)\(repeatsLast ? "…" : "")]" }
    if takesCommand { words += ["--", "\(Operand.command.rawValue)…"] }
    return words.joined(separator: " ")
  }

  /// The verb with its operands, `get FILE [POINTER]`.
  var signature: String { (verb.map { "\($0.rawValue) " } ?? "") + operandSynopsis }

  /// The command with the verb and its operands, `replicate get FILE [POINTER]`.
  var synopsis: String { "\(CommandTable.name) \(signature)" }

  /// All operands, the command included, in the order in which they are written.
  var operands: [Operand] { required + optional + (takesCommand ? [.command] : []) }

  var takesCommand: Bool { verb?.takesCommand == true }

  /// What is said of the options of this verb, as they are with it.
  var optionRows: [CommandTable.OptionRow] { options.map { CommandTable.row(for: $0).row(for: verb) } }
}

extension CommandTable.OptionRow {
  /// How the option can be written: `-f` and `--format`.
  var spellings: [String] { (short.map { ["-\($0)"] } ?? []) + [option.spelling] }

  /// How the option is written, `-f, --format json|pretty|patch`.
  var synopsis: String {
    let names = (short.map { "-\($0), " } ?? "    ") + option.spelling
    return names + (argument.map { " \($0.synopsis)" } ?? "")
  }
}
