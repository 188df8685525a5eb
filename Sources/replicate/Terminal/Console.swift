import HotReload
import RemoteControl
import StateJSON
import TerminalScreen

/// Where the command prints: data on standard output, messages on standard error.
struct Console: Sendable {
  let output: Presentation
  private let error: Presentation
  private let isQuiet: Bool

  /// The console of this process, which follows what the command line says about messages and colours.
  init(_ options: CommonOptions = CommonOptions()) {
    output = Self.presentation(of: StandardStream.output, color: options.color)
    error = Self.presentation(of: StandardStream.error, color: options.color)
    isQuiet = options.isQuiet
  }

  /// Prints data, as it stands.
  ///
  /// - Throws: ``BrokenPipeError`` if nobody reads any more.
  func print(_ text: String) throws { try StandardStream.output.write(Array(text.utf8)) }

  /// Prints a value.
  func print(_ value: JSONValue, style: Request.GetStyle = Request.GetStyle()) throws {
    try print(output.text(of: value, style: style))
  }

  /// Prints a line that begins with a version, whatever else is in it.
  func print(line: String) throws {
    let text = line.escapedForTerminalLine
    guard output.isColored else { return try print(text + "\n") }
    let digits = text.prefix { $0.isHexDigit }
    try print((Line(String(digits), .warning) + Line(String(text.dropFirst(digits.count)))).rendition() + "\n")
  }

  /// Prints a change of a value on a line of its own.
  func print(_ change: ValueChange, indentation: Int) throws {
    let text = String(repeating: " ", count: indentation) + change.text.escapedForTerminalLine
    guard output.isColored else { return try print(text + "\n") }
    let style: Style =
      switch change.kind {
      case .added: .good
      case .removed: .bad
      case .changed: .warning
      case .moved: .accent
      }
    try print(Line(text, style).rendition() + "\n")
  }

  /// Says something on standard error, unless messages are not wanted.
  func tell(_ text: String) {
    guard !isQuiet else { return }
    // A message that can't be written has nobody to be told to; the exit code still tells.
    try? StandardStream.error.write(Array(error.shown(text).utf8))
  }

  /// Says what went wrong.
  func tell(_ failure: Failure) { tell(failure.text + "\n") }

  private static func presentation(of stream: ByteStream, color: ColorChoice) -> Presentation {
    Presentation(isTerminal: stream.isTerminal, color: color, noColor: Environment["NO_COLOR"])
  }
}
