import HotReload
import StateJSON

/// Turns the words of a command line into an ``Invocation``, as ``CommandTable`` has it.
///
///     try CommandLineParser.parse(["get", "-c", "state.json", "/route"])
struct CommandLineParser {
  private let words: ScannedWords
  private let verb: Verb?
  private let row: CommandTable.VerbRow
  private let externalEdits: String?
  private var operands: [Operand: String] = [:]
  /// Pointers after the first.
  private var more: [String] = []

  /// Parses the words after the command's own name.
  ///
  /// `externalEdits` is the variable ``CommandTable/externalEditsVariable``, which counts where the option isn't given.
  static func parse(_ arguments: [String], externalEdits: String? = nil) throws(Failure) -> Invocation {
    let words = try ScannedWords(arguments)
    let parser = CommandLineParser(words, externalEdits: externalEdits)
    if words.options[.help] != nil { return .help(parser.verb) }
    if let helped = parser.helped { return .help(helped) }
    if words.options[.version] == "" { return .version }
    if let generated: GeneratedText = try parser.choice(.generate) {
      switch (generated, words.operands.count) {
      case (.pointers, 1...2):
        return .complete(file: words.operands[0], pointer: words.operands.count > 1 ? words.operands[1] : "")
      case (.versions, 1): return .complete(file: words.operands[0], pointer: nil)
      case (.pointers, _), (.versions, _): throw .usage("'--generate \(generated)' needs FILE")
      default: break
      }
      if let operand = words.operands.first { throw .usage("'--generate' takes no operand, not '\(operand)'") }
      return .generate(generated)
    }
    return try parser.request()
  }

  /// What `help VERB` is about: the verb, or with `help` alone nothing; `nil` if that isn't asked for.
  private var helped: Verb?? {
    guard words.operands.first == "help", words.operands.count <= 2, words.command == nil else { return nil }
    guard words.operands.count == 2 else { return .some(nil) }
    return Verb(rawValue: words.operands[1]).map { .some($0) }
  }

  private init(_ words: ScannedWords, externalEdits: String?) {
    self.words = words
    self.externalEdits = externalEdits
    // A verb after `--` can only be one whose words there are operands.
    verb = (words.operands.first ?? words.command?.first).flatMap(Verb.init)
    row = CommandTable.row(for: verb)
  }

  private func request() throws(Failure) -> Invocation {
    var parser = self
    let command = try parser.assignOperands()
    try checkOptions()
    var common = try commonOptions()
    let action = try parser.action(command: command)
    common.dotted = try parser.dotted()
    return .run(Request(file: try parser.file(), action: action), common)
  }

  // MARK: Operands

  /// Gives each operand its name; returns the command to run.
  private mutating func assignOperands() throws(Failure) -> [String] {
    let runsCommand = verb?.takesCommand == true && !words.operands.isEmpty
    var given = words.operands + (runsCommand ? [] : words.command ?? [])
    if verb != nil { given.removeFirst() }
    let expected = row.required + row.optional
    // Two operands that are no file and a pointer: most likely the first was meant as a verb.
    if verb == nil, given.count > 1, let first = given[1].first, !["/", ".", "["].contains(first) {
      throw .usage(surplus(given, 1))
    }
    if row.repeatsLast, given.count > expected.count {
      more = Array(given[expected.count...])
      given = Array(given[..<expected.count])
    }
    if given.count > expected.count { throw .usage(surplus(given, expected.count)) }
    if given.count < row.required.count { throw .usage(missing(row.required[given.count])) }
    operands = Dictionary(uniqueKeysWithValues: zip(expected, given))
    guard verb?.takesCommand == true else { return [] }
    guard runsCommand, let command = words.command, !command.isEmpty else { throw .usage(missing(.command)) }
    return command
  }

  private func missing(_ operand: Operand) -> String {
    guard let verb else { return "FILE is missing; see 'replicate --help'" }
    let isVerbAlone = operand == row.required.first && words.operands.count <= 1
    let file = isVerbAlone ? "; a file called '\(verb)' is './\(verb)'" : ""
    return "'\(verb)' needs \(operand.rawValue): \(row.synopsis)\(file)"
  }

  private func surplus(_ given: [String], _ limit: Int) -> String {
    guard let verb else {
      if let verb = Verb(rawValue: given[1]) {
        return "the verb stands before FILE: replicate \(verb) \(given[0])"
      }
      return "unknown verb '\(given[0])'"
        + (Verb.suggestion(for: given[0]).map { "; did you mean '\($0)'?" } ?? "; 'replicate --help' lists the verbs")
    }
    return "unexpected operand '\(given[limit])': \(CommandTable.row(for: verb).synopsis)"
  }

  private func file() throws(Failure) -> String {
    if verb == .show { return try recording() }
    let file = operands[.file, default: ""]
    if file == "-" { throw .usage("FILE can't be '-': a stream has no path that others could change") }
    if file.isEmpty { throw .usage("FILE is empty; give the path of a JSON file") }
    return file
  }

  private func recording() throws(Failure) -> String {
    let file = operands[.recording, default: ""]
    guard file.isEmpty || file == "-" else { return file }
    throw .usage("OUT \(file.isEmpty ? "is empty" : "can't be '-'"); give the path of a recording")
  }

  /// Another file than `FILE`.
  private func other(_ file: String) throws(Failure) -> String {
    guard file.isEmpty || file == "-" else { return file }
    throw .usage("OTHER is the path of a JSON file, not '\(file)'")
  }

  private func pointer() throws(Failure) -> JSONPointer { try pointer(operands[.pointer, default: ""]) }

  /// A JSON Pointer, or a dotted path.
  private func pointer(_ text: String) throws(Failure) -> JSONPointer {
    do {
      return try JSONPointer(typed: text)
    } catch {
      throw .usage(error.message)
    }
  }

  /// The places that were typed as dotted paths.
  private func dotted() throws(Failure) -> [JSONPointer] {
    let texts = [operands[.pointer]].compactMap(\.self) + more + (words.lists[.except] ?? [])
    return try texts.filter { $0.hasPrefix(".") || $0.hasPrefix("[") }.map(pointer)
  }

  /// A JSON text given in place, or where to read it.
  private func input(_ operand: Operand) throws(Failure) -> Request.Input {
    let isText = words.options[.string] != nil
    guard let text = operands[operand] else { return .absent }
    if text == "-" { return isText ? .standardInputText : .standardInput }
    if isText { return .value(.string(text)) }
    do {
      return .value(try JSONValue(parsing: text))
    } catch {
      let hint = row.options.contains(.string) ? "; '-s' takes it as text" : ""
      throw Failure(
        .usage, error.message + hint,
        place: Failure.Place(source: "<\(operand.rawValue)>", line: error.line, column: error.column))
    }
  }

  private func by() throws(Failure) -> JSONNumber {
    let text = operands[.by, default: "1"]
    guard let number = JSONNumber(text) else { throw .usage("BY is a JSON number, not '\(text)'") }
    return number
  }

  private func version(_ word: String) throws(Failure) -> String {
    let text = word.lowercased()
    guard (1...32).contains(text.utf8.count), text.utf8.allSatisfy("0123456789abcdef".utf8.contains) else {
      throw .usage("VERSION is up to 32 hexadecimal digits, not '\(word)'")
    }
    return text
  }

  // MARK: Options

  private func has(_ option: Option) -> Bool { words.options[option] != nil }

  /// Refuses options that other verbs take.
  private func checkOptions() throws(Failure) {
    let accepted = row.options + CommandTable.commonOptions
    // In the table's order, so that the message is always the same.
    for option in Option.allCases where has(option) && !accepted.contains(option) {
      let verbs = CommandTable.verbs.filter { $0.options.contains(option) }.compactMap(\.verb)
      let others = verbs.map { "'\($0)'" }.joined(separator: ", ")
      throw .usage("option '\(option.spelling)' belongs to \(others)\(verb.map { ", not to '\($0)'" } ?? "")")
    }
  }

  private func choice<Choice: OptionChoice>(_ option: Option) throws(Failure) -> Choice? {
    guard let word = words.options[option] else { return nil }
    return try choice(word, of: "option '\(option.spelling)'")
  }

  private func choice<Choice: OptionChoice>(_ word: String, of subject: String) throws(Failure) -> Choice {
    guard let choice = Choice(rawValue: word) else {
      let near = Suggestion.nearest(to: word, among: Choice.words).map { "; did you mean '\($0)'?" } ?? ""
      throw .usage("\(subject) takes \(Choice.words.joined(separator: ", ")), not '\(word)'\(near)")
    }
    return choice
  }

  /// The option, or else the variable. `doctor` takes no option, but tells whether the instances differ from the variable.
  private func externalEditsChoice() throws(Failure) -> ExternalEditsChoice? {
    if let choice: ExternalEditsChoice = try choice(.externalEdits) { return choice }
    guard row.options.contains(.externalEdits) || verb == .doctor, let externalEdits, !externalEdits.isEmpty else {
      return nil
    }
    return try choice(externalEdits, of: "variable '\(CommandTable.externalEditsVariable)'")
  }

  private func commonOptions() throws(Failure) -> CommonOptions {
    var common = CommonOptions()
    common.isQuiet = has(.quiet)
    common.color = try choice(.color) ?? common.color
    common.durability = try choice(.durability) ?? common.durability
    common.externalEdits = try externalEditsChoice() ?? common.externalEdits
    common.timeout = try value(of: .timeout, "seconds, such as 10 or 0.5") { Duration(seconds: $0) } ?? common.timeout
    return common
  }

  /// What an option's text stands for; `nil` if the option isn't there. The kind is what the message says that it takes.
  private func value<Value>(
    of option: Option, _ kind: String, _ parse: (String) -> Value?
  ) throws(Failure) -> Value? {
    guard let text = words.options[option] else { return nil }
    guard let value = parse(text) else { throw .usage("option '\(option.spelling)' takes \(kind), not '\(text)'") }
    return value
  }

  private func count() throws(Failure) -> Int? {
    try value(of: .count, "a number from 1") { Int($0).flatMap { $0 > 0 ? $0 : nil } }
  }

  private func place(_ option: Option) throws(Failure) -> RecordedPlace? {
    try value(of: option, "the number of a step, such as 12, or seconds, such as 3.5s", RecordedPlace.init)
  }

  private func pace() throws(Failure) -> Request.Replay.Pace {
    if has(.step) {
      if has(.speed) { throw .usage("'--step' goes at the pace of its input, and takes no '--speed'") }
      return .lines
    }
    let speed = try value(of: .speed, "a number greater than 0, such as 10 or 0.5") {
      Double(decimal: $0).flatMap { $0 > 0 ? $0 : nil }
    }
    return .speed(speed ?? 1)
  }

  // MARK: The request

  private func action(command: [String]) throws(Failure) -> Request.Action {
    switch verb {
    case nil: .view(pointer: try pointer(), isPlain: has(.plain))
    case .watch:
      .watch(
        Request.Watch(
          pointer: try pointer(), format: try choice(.format), count: try count(),
          onlyChanges: has(.onlyChanges), also: try (words.lists[.also] ?? []).map(other)))
    case .get:
      .get(
        pointers: try [operands[.pointer, default: ""]].map(pointer) + more.map(pointer),
        version: try words.options[.version].map(version),
        style: Request.GetStyle(isCompact: has(.compact), isRaw: has(.raw)))
    case .set: try write(.set(pointer: try pointer(), value: try input(.value), makingParents: has(.parents)))
    case .remove: try write(.remove(pointer: try removablePointer()))
    case .increment:
      try write(.increment(pointer: try pointer(), by: try by(), makingParents: has(.parents)))
    case .patch: try write(.patch(try input(.patch)))
    case .merge: try write(.merge(try input(.document)))
    case .update: .update(pointer: try pointer(), command: command, creates: has(.create))
    case .exec: .exec(pointer: try pointer(), command: command)
    case .wait:
      .wait(pointer: try pointer(), value: operands[.value] == nil ? nil : try input(.value))
    case .attach: .attach(creates: has(.create))
    case .history:
      .history(
        Request.History(
          pointer: operands[.pointer] == nil ? nil : try pointer(), patch: has(.patch), since: try since(),
          count: try count(), json: has(.json)))
    case .diff: .diff(try diff(), json: has(.json))
    case .blame: .blame(pointer: try pointer(), json: has(.json))
    case .restore: .restore(version: try version(operands[.version, default: ""]))
    case .undo: .undo(isMine: has(.mine))
    case .record: .record(into: try recording())
    case .replay: .replay(try replay())
    case .show: .show(count: try count(), json: has(.json))
    case .share: .share(try share())
    case .devices: .devices(json: has(.json))
    case .verify: .verify(json: has(.json))
    case .doctor: .doctor(json: has(.json))
    }
  }

  private func diff() throws(Failure) -> Request.Difference {
    switch (words.options[.with], operands[.version], operands[.newerVersion]) {
    case (let file?, nil, _): return .otherFile(try other(file))
    case (_?, _?, _): throw .usage("'--with' compares with another file, and takes no VERSION")
    case (nil, nil, _): throw .usage("'diff' needs VERSION, or '--with OTHER': \(row.synopsis)")
    case (nil, let older?, let newer): return .versions(try version(older), newer: try newer.map(version))
    }
  }

  /// Milliseconds since 1970.
  private func since() throws(Failure) -> Int64? {
    try value(of: .since, "a time, such as 10m, 2h, 14:03 or 2026-11-28", WallClock.time(since:))
  }

  private func share() throws(Failure) -> Request.Share {
    let (folder, join): (String?, ShareSession.JoinPolicy?) = (operands[.folder], try choice(.join))
    let name = words.options[.name]
    if let name, !DeviceName.isAllowed(name) {
      throw .usage("NAME is up to 32 letters, digits, '-' and '_', and not a number, not '\(name)'")
    }
    let except = try excepted()
    if has(.stop) {
      guard folder == nil, join == nil, name == nil, except == nil else {
        throw .usage("'--stop' goes with FILE alone")
      }
      return .stop
    }
    guard folder?.isEmpty != true else { throw .usage("FOLDER is empty; give the path of a folder") }
    return .start(folder: folder, name: name, except: except, join: join ?? .merge)
  }

  /// The places that stay here; none if one of them is the root, and `nil` if nothing was said of them.
  private func excepted() throws(Failure) -> [JSONPointer]? {
    try words.lists[.except].map { texts throws(Failure) in try texts.filter { !$0.isEmpty }.map(pointer) }
  }

  private func replay() throws(Failure) -> Request.Replay {
    let (from, until) = (try place(.from), try place(.until))
    if let from, let until, until.isBefore(from) { throw .usage("'--until' comes before '--from'") }
    return Request.Replay(
      recording: try recording(), pace: try pace(), from: from, until: until, creates: has(.create))
  }

  private func write(_ write: Request.Write) throws(Failure) -> Request.Action {
    .write(write, creates: has(.create))
  }

  private func removablePointer() throws(Failure) -> JSONPointer {
    let pointer = try pointer()
    if pointer == .root { throw .usage("the root can't be removed; 'set' replaces it") }
    return pointer
  }
}
