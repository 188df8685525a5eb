import StateJSON

/// A document that is looked at as a tree, with what has been found out about where things are in it.
struct TreeDocument: Sendable {
  let document: JSONDocument
  private let index = ItemIndex()

  init(_ document: JSONDocument) { self.document = document }

  /// Lends the text and where its values stand.
  func read<Result>(_ body: (TreeText) throws -> Result) rethrows -> Result {
    try document.read { try body(TreeText(taped: $0, index: index)) }
  }

  /// What stands at a pointer; no value is made of anything else.
  subscript(pointer: JSONPointer) -> JSONValue? {
    read { text in text.node(at: pointer).map { text.value(at: $0) } }
  }

  /// How many items the array or object at a pointer has; `nil` if there is none.
  func count(at pointer: JSONPointer) -> Int? {
    read { text in text.node(at: pointer).flatMap { text.isContainer($0) ? text.count(of: $0) : nil } }
  }
}
