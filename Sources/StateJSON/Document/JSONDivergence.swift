/// Where two texts part: between the bytes that both begin with, and those that both end with.
struct ByteDivergence {
  /// How many bytes are the same from the start on.
  let prefix: Int
  /// How many of the others are the same up to the end.
  let suffix: Int

  /// `nil` where the texts are the same.
  init?(_ old: UnsafeBufferPointer<UInt8>, _ new: UnsafeBufferPointer<UInt8>) {
    let shorter = min(old.count, new.count)
    let prefix = old.commonPrefix(with: new, upTo: shorter)
    if prefix == old.count, prefix == new.count { return nil }
    self.prefix = prefix
    suffix = old.commonSuffix(with: new, upTo: shorter - prefix)
  }
}

/// The innermost value that stands at one place of two texts, and outside of which these are the same to the byte.
package struct JSONDivergence {
  /// The value in either text.
  package let old: Int
  package let new: Int
  /// What leads there: the items' indices, and the keys of members in the older text.
  private let path: [(index: Int, key: Int?)]

  /// What leads there, as in a pointer.
  package func tokens(in old: TapedText) -> [String] {
    path.map { $0.key.map(old.string(at:)) ?? String($0.index) }
  }

  /// `nil` where the texts are the same.
  ///
  /// - Complexity: O(*n*) in the lengths of the texts, as fast as memory is read, and in the number of items on the way.
  package init?(_ old: TapedText, _ new: TapedText) {
    guard let bytes = ByteDivergence(old.text, new.text) else { return nil }
    var (oldValue, newValue) = (0, 0)
    var path: [(index: Int, key: Int?)] = []
    // Both come to the same values on the way down, since these begin at one place: up to there the texts are one.
    while let oldItem = old.item(of: oldValue, around: bytes), let newItem = new.item(of: newValue, around: bytes),
      oldItem.index == newItem.index, old.start(of: oldItem.value) == new.start(of: newItem.value),
      old.text.count - old.end(of: oldItem.value) == new.text.count - new.end(of: newItem.value)
    {
      path.append((oldItem.index, oldItem.key))
      (oldValue, newValue) = (oldItem.value, newItem.value)
    }
    (self.old, self.new, self.path) = (oldValue, newValue, path)
  }
}

extension TapedText {
  /// The element, or the value of a member, in which all is that differs from the other text.
  func item(of container: Int, around bytes: ByteDivergence) -> (index: Int, key: Int?, value: Int)? {
    guard isContainer(container) else { return nil }
    let isObject = kind(of: container) == .object
    for (index, value) in values(of: container).enumerated() {
      let end = end(of: value)
      guard end >= bytes.prefix else { continue }
      let isAround = start(of: value) <= bytes.prefix && end >= text.count - bytes.suffix
      if isAround { return (index, isObject ? value - 1 : nil, value) }
      // A value that ends where the texts part may be followed by the one that differs.
      if end > bytes.prefix { return nil }
    }
    return nil
  }
}
