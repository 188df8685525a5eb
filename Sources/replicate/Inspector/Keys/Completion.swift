import StateJSON

extension Inspector {
  /// What a pointer that is being typed goes on with: as far as all keys agree that begin so; `nil` if there is nothing to add.
  func completion(of text: String) -> String? {
    guard let pointers = shown?.completions(of: text), let first = pointers.first else { return nil }
    let common = pointers.dropFirst().reduce(first) { $0.commonPrefix(with: $1) }
    // Whole, it leads on to what is in it.
    return pointers == [text] ? text + "/" : common
  }
}

extension String {
  fileprivate func commonPrefix(with other: String) -> String {
    String(zip(self, other).prefix { $0 == $1 }.map(\.0))
  }
}
