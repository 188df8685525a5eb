import StateJSON

/// A text whose values stand where a tape says, on loan, in which an item of a large array is found without counting up to it.
struct TreeText {
  let taped: TapedText
  let index: ItemIndex

  func kind(of node: Int) -> TapedText.Kind { taped.kind(of: node) }
  func firstByte(of node: Int) -> UInt8 { taped.firstByte(of: node) }
  func isContainer(_ node: Int) -> Bool { taped.isContainer(node) }
  func isObject(_ node: Int) -> Bool { taped.firstByte(of: node) == UInt8(ascii: "{") }
  func count(of container: Int) -> Int { taped.count(of: container) }
  func next(after node: Int) -> Int { taped.next(after: node) }
  func range(of node: Int) -> Range<Int> { taped.range(of: node) }
  func bytes(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> { taped.bytes(range) }
  func content(of string: Int) -> UnsafeBufferPointer<UInt8> { taped.content(of: string) }
  func string(at string: Int) -> String { taped.string(at: string) }
  func isEscaped(_ string: Int) -> Bool { taped.isEscaped(string) }
  func value(at entry: Int) -> JSONValue { taped.value(at: entry) }
  func keys(of object: Int) -> some Sequence<Int> { taped.keys(of: object) }
  func identity(of element: Int, by key: String) -> ElementIdentity? { taped.identity(of: element, by: key) }

  func hasSameText(_ node: Int, as other: Int, in text: TreeText) -> Bool {
    taped.hasSameText(node, as: other, in: text.taped)
  }

  /// The levels of a container's items in a range of indices.
  func items(of container: Int, _ range: Range<Int>) -> [TreePath.Level] {
    let count = count(of: container)
    guard range.lowerBound < count else { return [] }
    let isObject = isObject(container)
    var (item, index) = index.item(atMost: range.lowerBound, of: container, in: taped)
    var levels: [TreePath.Level] = []
    while index < min(range.upperBound, count) {
      if index >= range.lowerBound {
        levels.append(TreePath.Level(container: container, index: index, item: item))
      }
      item = next(after: isObject ? item + 1 : item)
      index += 1
    }
    return levels
  }

  func items(of container: Int) -> [TreePath.Level] { items(of: container, 0..<count(of: container)) }

  /// How many of these elements are the same as others at the start, and of the rest at the end.
  func commonEnds(
    _ items: [TreePath.Level], _ others: [TreePath.Level], in other: TreeText
  ) -> (start: Int, end: Int) {
    func isSame(_ index: Int, _ otherIndex: Int) -> Bool {
      hasSameText(items[index].item, as: others[otherIndex].item, in: other)
    }
    let shared = min(items.count, others.count)
    var (start, end) = (0, 0)
    while start < shared, isSame(start, start) { start += 1 }
    while end < shared - start, isSame(items.count - 1 - end, others.count - 1 - end) { end += 1 }
    return (start, end)
  }

  /// The item of a container in which an entry is, that of its key included.
  func item(of container: Int, around entry: Int) -> TreePath.Level? {
    guard count(of: container) > 0 else { return nil }
    let isObject = isObject(container)
    var (item, index) = index.item(before: entry, of: container, in: taped)
    while index < count(of: container) {
      let next = next(after: isObject ? item + 1 : item)
      if next > entry { return TreePath.Level(container: container, index: index, item: item) }
      (item, index) = (next, index + 1)
    }
    return nil
  }
}
