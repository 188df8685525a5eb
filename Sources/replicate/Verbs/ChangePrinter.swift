import StateJSON

/// What `watch` prints of each newest document; a pure function of those before.
struct ChangePrinter {
  private let pointer: JSONPointer
  private let format: WatchFormat
  private let onlyChanges: Bool
  /// How many values are still to be printed; `nil` means any number.
  private var remaining: Int?
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
    remaining = watch.count
  }

  /// Whether nothing is to be printed any more.
  var isDone: Bool { remaining == 0 }

  /// What is printed of a document, with a final newline; nothing if it holds nothing new.
  mutating func text(for document: JSONValue) -> String? {
    let value = document[pointer]
    let isFirst = last == nil
    let before = last?.value
    if !isFirst && value == before { return nil }
    last = Printed(value: value)
    if isFirst && onlyChanges { return nil }
    guard let text = text(from: before, to: value) else { return nil }
    remaining = remaining.map { $0 - 1 }
    return text + "\n"
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
