import StateJSON
import Synchronization

/// Where the items of large containers stand in a tape: found out once for each that somebody looks into.
final class ItemIndex: Sendable {
  /// One in so many items is known.
  private static let stride = 128

  /// The entries of every so manieth item, by container.
  private let known = Mutex<[Int: [UInt32]]>([:])

  /// The item with the largest known index that is no larger than this one.
  func item(atMost index: Int, of container: Int, in text: TapedText) -> (item: Int, index: Int) {
    // Near the start counting is quicker than finding out about all.
    guard index >= 2 * Self.stride else { return (text.firstItem(of: container), 0) }
    let place = index / Self.stride
    return (Int(items(of: container, in: text)[place]), place * Self.stride)
  }

  /// The last known item that begins at an entry or before it.
  func item(before entry: Int, of container: Int, in text: TapedText) -> (item: Int, index: Int) {
    guard text.count(of: container) > 2 * Self.stride else { return (text.firstItem(of: container), 0) }
    let items = items(of: container, in: text)
    var (low, high) = (0, items.count)
    while low + 1 < high {
      let middle = (low + high) / 2
      if Int(items[middle]) <= entry { low = middle } else { high = middle }
    }
    return (Int(items[low]), low * Self.stride)
  }

  private func items(of container: Int, in text: TapedText) -> [UInt32] {
    known.withLock { known in
      if let items = known[container] { return items }
      let isObject = text.firstByte(of: container) == UInt8(ascii: "{")
      var items: [UInt32] = []
      var item = text.firstItem(of: container)
      for index in 0..<text.count(of: container) {
        if index % Self.stride == 0 { items.append(UInt32(item)) }
        item = text.next(after: isObject ? item + 1 : item)
      }
      known[container] = items
      return items
    }
  }
}
