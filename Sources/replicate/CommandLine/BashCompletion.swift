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
              \(verbs(where: \.takesCommand)))
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
              \(verbNames.joined(separator: "|"))) verb=${COMP_WORDS[index]} ;;
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
        mapfile -t COMPREPLY < <(compgen -W "\(verbNames.joined(separator: " "))" -- "$word"; compgen -f -- "$word")
      elif [[ $verb == @(\(verbs(taking: .version))) ]] && ((operands == 2)); then
        mapfile -t COMPREPLY < <(compgen -W "$(\(CommandTable.name) --generate versions "$file" 2>/dev/null)" -- "$word")
      elif [[ $word != -* ]] && [[ ! $verb && $operands == 1 || $verb == @(\(verbs(taking: .pointer))) && $operands == 2 ]]; then
        compopt -o nospace 2>/dev/null
        mapfile -t COMPREPLY < <(\(CommandTable.name) --generate pointers "$file" "$word" 2>/dev/null)
      elif [[ $verb && ( $operands == 1 || $operands == 2 && $verb == @(\(verbs { $0.required.count(where: \.isPath) == 2 })) ) ]]; then
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
      fi
    }

    complete -F _\(CommandTable.name) \(CommandTable.name)

    """
  }

  private static let verbNames = Verb.allCases.map(\.rawValue)

  private static func verbs(where isOne: (CommandTable.VerbRow) -> Bool) -> String {
    CommandTable.verbs.filter(isOne).compactMap(\.verb?.rawValue).joined(separator: "|")
  }

  private static func verbs(taking operand: Operand) -> String {
    verbs { $0.operands.dropFirst().first == operand }
  }

  private static func spellings(_ options: [Option]) -> String {
    options.map(CommandTable.row).flatMap(\.spellings).joined(separator: " ")
  }

  private static var valueOptions: String {
    CommandTable.options.filter { $0.argument != nil }.flatMap(\.spellings).joined(separator: "|")
  }

  private static var valueCases: String {
    CommandTable.options.compactMap { row -> String? in
      let pattern = row.spellings.joined(separator: "|")
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
