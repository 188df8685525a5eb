/// The completion script for zsh, made from ``CommandTable``.
///
///     replicate --generate zsh > "${fpath[1]}/_replicate"
enum ZshCompletion {
  static var text: String {
    let name = CommandTable.name
    return """
      #compdef \(name)
      # Completion of \(name) for zsh: \(name) --generate zsh > "${fpath[1]}/_\(name)"

      _\(name)_pointers() {
        local file=$words[3]
        [[ $words[2] == (\(Verb.allCases.map(\.rawValue).joined(separator: "|"))) ]] || file=$words[2]
        compadd -S '' -- ${(f)"$(\(name) --generate pointers "${(Q)file}" "${(Q)PREFIX}" 2>/dev/null)"}
      }

      _\(name)_versions() {
        compadd -- ${(f)"$(\(name) --generate versions "${(Q)words[3]}" 2>/dev/null)"}
      }

      _\(name)() {
        local -a verbs
        verbs=(
      \(CommandTable.verbs.compactMap(verb).joined(separator: "\n"))
        )
        if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then
          _describe verb verbs
          _files
          return
        fi
        case $words[2] in
      \(CommandTable.verbs.compactMap(arguments).joined(separator: "\n"))
          *) _arguments -s \(specifications(CommandTable.row(for: nil).options + CommandTable.commonOptions + [.generate], of: nil)) \\
            '1:file:_files' '2:pointer:_\(name)_pointers' ;;
        esac
      }

      _\(name) "$@"

      """
  }

  private static func verb(_ row: CommandTable.VerbRow) -> String? {
    row.verb.map { "    '\($0.rawValue):\(quoted(row.summary))'" }
  }

  private static func arguments(_ row: CommandTable.VerbRow) -> String? {
    guard let verb = row.verb else { return nil }
    let operands = row.operands.enumerated().map { index, operand -> String in
      // The verb is the first.
      let number = operand == .command ? "*" : "\(index + 2)"
      return "'\(number):\(operand.rawValue.lowercased()):\(action(operand))'"
    }
    let options = specifications(row.options + CommandTable.commonOptions, of: verb)
    return "    \(verb)) _arguments -s \(options) '1: :' \(operands.joined(separator: " ")) ;;"
  }

  private static func action(_ operand: Operand) -> String {
    switch operand {
    case .pointer: "_\(CommandTable.name)_pointers"
    case .version, .newerVersion: "_\(CommandTable.name)_versions"
    case .command: "_command_names -e"
    case _ where operand.isPath: "_files"
    default: " "
    }
  }

  private static func specifications(_ options: [Option], of verb: Verb?) -> String {
    options.map { CommandTable.row(for: $0).row(for: verb) }.flatMap { row -> [String] in
      let repeats = row.option.isRepeatable ? "*" : ""
      return row.spellings.map { name in
        let argument: String =
          switch row.argument {
          case nil: ""
          case .choice(let words): ":\(row.option.rawValue):(\(words.joined(separator: " ")))"
          case .placeholder(let word): ":\(word.lowercased()):\(word == "OTHER" || word == "FILE" ? "_files" : " ")"
          }
        return "'\(repeats)\(name)[\(quoted(row.summary))]\(argument)'"
      }
    }.joined(separator: " ")
  }

  /// A text as it stands in a specification between single quotes.
  private static func quoted(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("'", with: "'\\''").replacing(":", with: "\\:")
      .replacing("[", with: "\\[").replacing("]", with: "\\]")
  }
}
