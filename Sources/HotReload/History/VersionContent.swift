import StateJSON

/// What a version held: the text that stood in the file, or, of one that is read from the log, the value alone.
package enum VersionContent: Sendable {
  case text(JSONDocument)
  case parsed(JSONValue)

  package var value: JSONValue {
    switch self {
    case .text(let document): document.value
    case .parsed(let value): value
    }
  }

  /// What a document has changed in it.
  func patch(to document: JSONDocument) -> JSONPatch {
    switch self {
    case .text(let text): JSONPatch(from: text, to: document)
    case .parsed(let value): JSONPatch(from: value, to: document.value)
    }
  }
}
