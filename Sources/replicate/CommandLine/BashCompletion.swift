/// The completion script for bash, made from ``CommandTable``.
///
///     source <(replicate --generate bash)
enum BashCompletion {
  static var text: String {
    """
    # Completion of \(CommandTable.name) for bash: source <(\(CommandTable.name) --generate bash)

    _\(CommandTable.name)() {
      local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
      local verb= file= operands=0 index
      COMPREPLY=()

      # Bash splits --option=value at the equals sign.
      if [[ $word == "=" ]]; then
        word=
      elif [[ $previous == "=" ]]; then
        previous=${COMP_WORDS[COMP_CWORD-2]}
      fi

      for ((index = 1; index < COMP_CWORD; index++)); do
        case ${COMP_WORDS[index]} in
          --)
            case $verb in
              \(Verb.allCases.filter(\.takesCommand).map(\.rawValue).joined(separator: "|")))
                if ((COMP_CWORD == index + 1)); then
                  mapfile -t COMPREPLY < <(compgen -c -- "$word")
                else
                  compopt -o filenames 2>/dev/null
                  mapfile -t COMPREPLY < <(compgen -f -- "$word")
                fi
                ;;
            esac
            return
            ;;
          =) ((index++)) ;;
          \(valueOptions))
            [[ ${COMP_WORDS[index+1]} == "=" ]] || ((index++))
            ;;
          -[0-9]*|-) ((operands++)) ;;
          -*) ;;
          *)
            ((operands == 0)) && case ${COMP_WORDS[index]} in
              \(verbs("|"))) verb=${COMP_WORDS[index]} ;;
              *) file=${COMP_WORDS[index]} ;;
            esac
            [[ $verb ]] && ((operands == 1)) && file=${COMP_WORDS[index]}
            ((operands++))
            ;;
        esac
      done

      case $previous in
    \(valueCases)
      esac

      if [[ $word == -* ]]; then
        local options="\(spellings(CommandTable.commonOptions))"
        case $verb in
          "") options+=" \(spellings(CommandTable.row(for: nil).options + [.generate]))" ;;
    \(optionCases)
        esac
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
      elif ((operands == 0)); then
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -W "\(verbs(" "))" -- "$word"; compgen -f -- "$word")
      elif [[ $verb == @(\(verbs(taking: .version))) ]] && ((operands == 2)); then
        mapfile -t COMPREPLY < <(compgen -W "$(\(CommandTable.name) --generate versions "$file" 2>/dev/null)" -- "$word")
      elif [[ $word != -* ]] && [[ ! $verb && $operands == 1 || $verb == @(\(verbs(taking: .pointer))) && $operands == 2 ]]; then
        compopt -o nospace 2>/dev/null
        mapfile -t COMPREPLY < <(\(CommandTable.name) --generate pointers "$file" "$word" 2>/dev/null)
      elif [[ $verb && ( $operands == 1 || $operands == 2 && $verb == @(\(verbsOfTwoFiles)) ) ]]; then
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
      fi
    }

    complete -F _\(CommandTable.name) \(CommandTable.name)

    """
  }

  private static func verbs(_ separator: String) -> String {
    Verb.allCases.map(\.rawValue).joined(separator: separator)
  }

  private static func verbs(taking operand: Operand) -> String {
    CommandTable.verbs.filter { $0.operands.dropFirst().first == operand }.compactMap(\.verb?.rawValue)
      .joined(separator: "|")
  }

  private static var verbsOfTwoFiles: String {
    CommandTable.verbs.filter { $0.required.filter(\.isPath).count == 2 }.compactMap(\.verb?.rawValue)
      .joined(separator: "|")
  }

  /// How an option can be written: `-f` and `--format`.
  private static func names(_ row: CommandTable.OptionRow) -> [String] {
    (row.short.map { ["-\($0)"] } ?? []) + [row.option.spelling]
  }

  private static func spellings(_ options: [Option]) -> String {
    options.map(CommandTable.row).flatMap(names).joined(separator: " ")
  }

  private static var valueOptions: String {
    CommandTable.options.filter { $0.argument != nil }.flatMap(names).joined(separator: "|")
  }

  private static var valueCases: String {
    CommandTable.options.compactMap { row -> String? in
      let pattern = names(row).joined(separator: "|")
      switch row.argument {
      case nil: return nil
      case .placeholder: return "    \(pattern)) return ;;"
      case .choice(let words):
        let reply = "mapfile -t COMPREPLY < <(compgen -W \"\(words.joined(separator: " "))\" -- \"$word\")"
        return "    \(pattern)) \(reply); return ;;"
      }
    }.joined(separator: "\n")
  }

  private static var optionCases: String {
    CommandTable.verbs.compactMap { row in
      guard let verb = row.verb, !row.options.isEmpty else { return nil }
      return "      \(verb)) options+=\" \(spellings(row.options))\" ;;"
    }.joined(separator: "\n")
  }
}
