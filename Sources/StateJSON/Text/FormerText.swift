/// An older text, of which another has most likely become: what has the same bytes in both need not be parsed again.
struct FormerText {
  let taped: TapedText
  /// How many bytes the newer text has more.
  private let growth: Int
  /// Where what both end with begins in the newer one.
  private let suffix: Int

  init(_ taped: TapedText, before newer: UnsafeBufferPointer<UInt8>, _ divergence: ByteDivergence) {
    self.taped = taped
    growth = newer.count - taped.text.count
    suffix = newer.count - divergence.suffix
  }

  /// Whether an array or an object stands in a newer text as it stood here. Its brackets tell where it ends.
  @inline(__always)
  func stands(_ value: Int, at position: Int, of newer: UnsafeBufferPointer<UInt8>) -> Bool {
    taped.isContainer(value) && newer.has(taped.bytes(taped.range(of: value)), at: position)
  }

  /// Where something stood here that is where both texts end alike.
  @inline(__always)
  fileprivate func former(_ position: Int) -> Int? { position >= suffix ? position - growth : nil }
}

/// The elements or the keys of a container in an older text, which are come by in order.
struct FormerItems {
  private typealias Item = (entry: Int, rest: Int)

  /// The next one, and how many there are from it on.
  private var next: Item = (0, 0)
  /// The first one that wasn't found since another was: what stands where it stood may have been put before it.
  private var missing: Item?
  private let isObject: Bool

  init(of container: Int?, in older: FormerText?) {
    guard let container, let older, older.taped.isContainer(container) else {
      isObject = false
      return
    }
    isObject = older.taped.kind(of: container) == .object
    next = (older.taped.firstItem(of: container), older.taped.count(of: container))
  }

  /// The element that stood before as what is at a position of the newer text stands there, or else the one that has most likely
  /// become that.
  mutating func element(at position: Int, of newer: UnsafeBufferPointer<UInt8>, in older: FormerText) -> Int? {
    align(to: position, in: older)
    if isThere(next, position, newer, older) {
      missing = nil
    } else if let found = missing, isThere(found, position, newer, older) {
      (next, missing) = (found, nil)
    } else if missing == nil {
      missing = next
    }
    guard next.rest > 0 else { return nil }
    defer { skip(in: older) }
    return next.entry
  }

  /// The value of the member whose key stands at a position of the newer text, if it has the same place here, counted from either end.
  mutating func member(at position: Int, of newer: UnsafeBufferPointer<UInt8>, in older: FormerText) -> Int? {
    align(to: position, in: older)
    guard next.rest > 0 else { return nil }
    defer { skip(in: older) }
    let key = older.taped.bytes(older.taped.range(of: next.entry))
    return newer.has(key, at: position) ? next.entry + 1 : nil
  }

  /// Goes on to the next.
  mutating func skip(in older: FormerText) {
    guard next.rest > 0 else { return }
    next = (older.taped.next(after: next.entry + (isObject ? 1 : 0)), next.rest - 1)
  }

  private mutating func align(to position: Int, in older: FormerText) {
    guard let place = older.former(position) else { return }
    while next.rest > 0, older.taped.start(of: next.entry) < place { skip(in: older) }
  }

  private func isThere(
    _ item: Item, _ position: Int, _ newer: UnsafeBufferPointer<UInt8>, _ older: FormerText
  ) -> Bool {
    item.rest > 0 && older.stands(item.entry, at: position, of: newer)
  }
}
