import StateJSON

extension TreeDocument {
  /// The pointers that one can go on with that is being typed, as far as to the next slash: those of the items of what it leads to.
  func completions(of text: String) -> [String] {
    guard let slash = text.lastIndex(of: "/") else { return text.isEmpty ? ["/"] : [] }
    // What isn't a pointer has no items.
    guard let parent = try? JSONPointer(parsing: String(text[..<slash])) else { return [] }
    let begun = String(text[text.index(after: slash)...])
    return read { taped in
      guard let node = taped.node(at: parent), taped.isContainer(node) else { return [] }
      let tokens =
        taped.isObject(node)
        ? taped.keys(of: node).map { taped.string(at: $0) } : (0..<taped.count(of: node)).map(String.init)
      return tokens.map { String("\(JSONPointer([$0]))".dropFirst()) }.filter { $0.hasPrefix(begun) }
        .map { text[...slash] + $0 }
    }
  }
}
