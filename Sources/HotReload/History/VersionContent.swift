import StateJSON

/// The document of a version: the text that stood in the file, or the value alone where the version is read from the log.
package enum VersionContent: Sendable {
  case text(JSONDocument)
  case parsed(JSONValue)

  package var value: JSONValue {
    switch self {
    case .text(let document): document.value
    case .parsed(let value): value
    }
  }

  /// As text; that of a value alone is laid out anew.
  var document: JSONDocument {
    switch self {
    case .text(let document): document
    case .parsed(let value): JSONDocument(formatting: value)
    }
  }

  /// The patch that turns it into a document.
  func patch(to document: JSONDocument) -> JSONPatch {
    switch self {
    case .text(let text): JSONPatch(from: text, to: document)
    case .parsed(let value): JSONPatch(from: value, to: document.value)
    }
  }
}
