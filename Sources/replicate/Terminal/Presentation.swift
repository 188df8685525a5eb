import HotReload
import StateJSON

/// How text is shown by one stream: what is safe and useful on a terminal, and as it stands anywhere else.
struct Presentation: Equatable, Sendable {
  /// Whether the stream is a terminal.
  var isTerminal: Bool
  /// Whether colours may be used.
  var isColored: Bool

  /// `noColor` is the variable `NO_COLOR`, which asks for no colours unless it is empty (no-color.org).
  init(isTerminal: Bool, color: ColorChoice, noColor: String?) {
    self.isTerminal = isTerminal
    isColored =
      switch color {
      case .always: true
      case .never: false
      case .auto: isTerminal && (noColor ?? "").isEmpty
      }
  }

  /// A value as `get` and `watch` print it, with a final newline.
  func text(of value: JSONValue, style: Request.GetStyle) -> String {
    if style.isRaw, case .string(let string) = value { return shown(string) + "\n" }
    return json(String(decoding: value.bytes(format: style.isCompact ? .compact : .pretty), as: UTF8.self)) + "\n"
  }

  /// A JSON text, with its syntax in colours where these may be used.
  func json(_ text: String) -> String { isColored ? ColoredJSON.text(shown(text)) : shown(text) }

  /// A text from outside, escaped where it could confuse a terminal.
  func shown(_ text: String) -> String { isTerminal ? text.escapedForTerminal : text }
}
