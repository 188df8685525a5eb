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
    read { text in
      let (path, isWhole) = text.path(along: pointer.tokens)
      return isWhole ? text.value(at: text.node(at: path)) : nil
    }
  }

  /// How many items the array or object at a pointer has; `nil` if there is none.
  func count(at pointer: JSONPointer) -> Int? {
    read { text in
      let (path, isWhole) = text.path(along: pointer.tokens)
      let node = text.node(at: path)
      return isWhole && text.isContainer(node) ? text.count(of: node) : nil
    }
  }
}
