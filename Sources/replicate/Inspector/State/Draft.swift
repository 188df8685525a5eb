import StateJSON

/// A text that may replace a value, as somebody left it in the editor.
struct Draft: Equatable, Sendable {
  var target: EditTarget
  /// What it was made from.
  var old: JSONValue
  var text: String
  /// What is wrong with it; `nil` if nobody has looked.
  var complaint: String?

  init(_ value: JSONValue, at target: EditTarget) {
    self.target = target
    old = value
    text = String(decoding: value.bytes(format: .pretty), as: UTF8.self) + "\n"
  }
}
