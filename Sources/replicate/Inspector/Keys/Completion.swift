import StateJSON

extension Inspector {
  /// What a pointer that is being typed goes on with: as far as all keys agree that begin so; `nil` if there is nothing to add.
  func completion(of text: String) -> String? {
    guard let slash = text.lastIndex(of: "/") else { return text.isEmpty ? "/" : nil }
    // What isn't a pointer has no keys below it.
    guard let parent = try? JSONPointer(parsing: String(text[..<slash])) else { return nil }
    let begun = String(text[text.index(after: slash)...])
    let tokens =
      document?.read { taped -> [String] in
        let (path, isWhole) = taped.path(along: parent.tokens)
        let node = taped.node(at: path)
        guard isWhole, taped.isContainer(node) else { return [] }
        let keys = taped.isObject(node) ? taped.keys(of: node).map { taped.string(at: $0) } : []
        let indices = taped.isObject(node) ? [] : (0..<taped.count(of: node)).map(String.init)
        return (keys + indices).map { String("\(JSONPointer([$0]))".dropFirst()) }.filter { $0.hasPrefix(begun) }
      } ?? []
    guard let first = tokens.first else { return nil }
    let common = tokens.dropFirst().reduce(first) { $0.commonPrefix(with: $1) }
    // Whole, it leads on to what is in it.
    let isWhole = tokens.count == 1 && common == begun
    return text[...slash] + common + (isWhole ? "/" : "")
  }
}

extension String {
  fileprivate func commonPrefix(with other: String) -> String {
    String(zip(self, other).prefix { $0 == $1 }.map(\.0))
  }
}
