import HotReload

/// The words of a command line, told apart: options with their values, operands, and the command after `--`.
///
/// Knows how options are written, not what they are for.
struct ScannedWords: Equatable {
  var operands: [String] = []
  /// The value of each option that is there; the last wins. An option without a value has an empty one.
  var options: [Option: String] = [:]
  /// The values of options that may be given more than once, each in its order.
  var lists: [Option: [String]] = [:]
  /// The words after the first `--`; `nil` if there is none. They are operands too, except for verbs that run them.
  var command: [String]?

  init(_ words: [String]) throws(Failure) {
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--" {
        command = Array(rest)
        return
      }
      if word.hasPrefix("--") {
        try scanLong(word.dropFirst(2), &rest)
      } else if word.hasPrefix("-"), let next = word.dropFirst().first, !("0"..."9").contains(next) {
        try scanShort(word.dropFirst(), &rest)
      } else {
        operands.append(word)
      }
    }
  }

  /// `--name`, `--name=value`, or `--name` followed by the value.
  private mutating func scanLong(_ word: Substring, _ rest: inout ArraySlice<String>) throws(Failure) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard let option = Option(rawValue: String(parts[0])) else {
      throw .usage(unknownOption("--\(parts[0])"))
    }
    let attached = parts.count == 2 ? String(parts[1]) : nil
    switch (argument(of: option, rest, isAttached: attached != nil), attached) {
    case (nil, nil): options[option] = ""
    case (nil, _?): throw .usage("option '\(option.spelling)' takes no value")
    case (_?, let attached?): take(attached, for: option)
    case (_?, nil): take(try value(of: option, written: option.spelling, &rest), for: option)
    }
  }

  /// `-abc`: options without a value, of which the last may have one, in this word or the next.
  private mutating func scanShort(_ word: Substring, _ rest: inout ArraySlice<String>) throws(Failure) {
    var letters = word
    while let letter = letters.popFirst() {
      guard let row = CommandTable.option(short: letter, of: verb(rest)) else {
        throw .usage(unknownOption("-\(letter)", in: "-\(word)"))
      }
      guard row.argument != nil else {
        options[row.option] = ""
        continue
      }
      options[row.option] =
        letters.isEmpty ? try value(of: row.option, written: "-\(letter)", &rest) : String(letters)
      return
    }
  }

  /// The verb, if there is one: the first operand, also where it stands behind options.
  private func verb(_ rest: ArraySlice<String>) -> Verb? {
    (operands.first ?? rest.first { !$0.hasPrefix("-") }).flatMap(Verb.init)
  }

  /// What an option takes. Where that hangs on the verb, there must be a file before it: `get --version` takes nothing.
  private func argument(of option: Option, _ rest: ArraySlice<String>, isAttached: Bool) -> Option.Argument? {
    let row = CommandTable.row(for: option)
    let isOfVerb = isAttached || operands.count > 1
    return isOfVerb ? row.row(for: operands.first.flatMap(Verb.init)).argument : row.argument
  }

  private mutating func take(_ value: String, for option: Option) {
    options[option] = value
    if option.isRepeatable { lists[option, default: []].append(value) }
  }

  private func value(
    of option: Option, written: String, _ rest: inout ArraySlice<String>
  ) throws(Failure) -> String {
    guard let next = rest.first, next != "--" else {
      throw .usage("option '\(written)' needs a value: \(CommandTable.row(for: option).argument?.synopsis ?? "")")
    }
    rest.removeFirst()
    return next
  }

  private func unknownOption(_ spelling: String, in word: String? = nil) -> String {
    let place = word.map { $0 == spelling ? "" : " in '\($0)'" } ?? ""
    // A long option typed with one dash is the likeliest slip.
    let typed = word.map { "-\($0)" } ?? spelling
    let candidates = Option.allCases.map(\.spelling)
    let near = typed.count > 3 ? Suggestion.nearest(to: typed, among: candidates) : nil
    return "unknown option '\(spelling)'\(place)" + (near.map { "; did you mean '\($0)'?" } ?? seeHelp)
  }

  private var seeHelp: String {
    let verb = operands.first.flatMap(Verb.init)
    return "; see '\(CommandTable.name)\(verb.map { " \($0.rawValue)" } ?? "") --help'"
  }
}
