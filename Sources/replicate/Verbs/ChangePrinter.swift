import StateJSON

/// What `watch` prints of each newest document; a pure function of those before.
struct ChangePrinter {
  private let pointer: JSONPointer
  private let format: WatchFormat
  private let onlyChanges: Bool
  /// The value that was printed last, or left out as the first one; `nil` before that.
  private var last: Printed?

  private struct Printed {
    /// `nil` where the pointer led nowhere.
    var value: JSONValue?
  }

  init(_ watch: Request.Watch, isTerminal: Bool) {
    pointer = watch.pointer
    format = watch.format ?? (isTerminal ? .pretty : .json)
    onlyChanges = watch.onlyChanges
  }

  /// What is printed of a document, with a final newline; nothing if it holds nothing new.
  mutating func text(for document: JSONValue) -> String? {
    let value = document[pointer]
    let isFirst = last == nil
    let before = last?.value
    if !isFirst && value == before { return nil }
    last = Printed(value: value)
    if isFirst && onlyChanges { return nil }
    return text(from: before, to: value).map { $0 + "\n" }
  }

  /// What was printed of one of several files, with its name: as an object with `file` and `value`, or `patch`, or below a heading.
  func text(_ text: String, of file: String) -> String {
    switch format {
    case .json: #"{"file":\#(JSONValue.string(file)),"value":\#(text.dropLast())}"# + "\n"
    case .patch: #"{"file":\#(JSONValue.string(file)),"patch":\#(text.dropLast())}"# + "\n"
    case .pretty: "==> \(file) <==\n\(text)"
    }
  }

  private func text(from old: JSONValue?, to new: JSONValue?) -> String? {
    switch (format, new) {
    case (.json, let new?): String(decoding: new.bytes(format: .compact), as: UTF8.self)
    case (.pretty, let new?): String(decoding: new.bytes(format: .pretty), as: UTF8.self)
    case (.json, nil), (.pretty, nil): nil
    case (.patch, nil) where old == nil: nil
    case (.patch, _): JSONPatch(from: old, to: new, at: pointer).value.description
    }
  }
}
