/// Writes a changed value into the text of the old one, in one pass over that text.
///
/// A container is taken apart into its items and the white space before and after each of them. What stays is put
/// together again from the very same ranges; what is new is spaced as its neighbours are.
struct JSONSplicer {
  var scanner: JSONScanner
  lazy var style = JSONStyle(of: scanner.text)

  /// The text with the root value changed to `new`.
  static func splice(_ change: JSONChange, to new: JSONValue, into bytes: [UInt8]) -> [UInt8] {
    let root = bytes.withUnsafeBufferPointer { JSONScanner($0).position }
    return splice(change, to: new, at: root, of: root, into: bytes)
  }

  /// The text with one element, or one member's value, changed to `new`; nothing else of the text is looked at. The value, and
  /// the item, which is the element itself or begins with the member's key, are told by where they begin.
  static func splice(
    _ change: JSONChange, to new: JSONValue, at value: Int, of item: Int, into bytes: [UInt8]
  ) -> [UInt8] {
    bytes.withUnsafeBufferPointer { text in
      var splicer = JSONSplicer(scanner: JSONScanner(text, from: value, lineStart: text.lineStart(of: value)))
      var result = JSONPatchwork()
      result.append(source: 0..<value)
      let isOnOwnLine = text[text.lineStart(of: item)..<item].allSatisfy(\.isJSONSpace)
      splicer.write(change, to: new, isOnOwnLine: isOnOwnLine, into: &result)
      result.append(source: splicer.scanner.position..<text.count)
      return result.bytes(from: text)
    }
  }

  private init(scanner: JSONScanner) { self.scanner = scanner }

  /// Moves over the value at the scanner's position and writes what becomes of it.
  private mutating func write(
    _ change: JSONChange, to new: JSONValue, isOnOwnLine: Bool, into result: inout JSONPatchwork
  ) {
    switch change {
    case .items(let slots):
      let container = readContainer(slots, new)
      layOut(slots, new, container, into: &result)
    case .replaced:
      let indentation = scanner.text.indentation(ofLineAt: scanner.lineStart)
      let start = scanner.position
      scanner.skipValue()
      let shape = shapeOfValue(from: start)
      result.append(text(of: new, isBlock: shape.map { $0 == .block } ?? isOnOwnLine, indentation: indentation))
    }
  }

  /// A new value, on one line or on a line for each of its items; those are indented deeper than `indentation`.
  mutating func text(of value: JSONValue, isBlock: Bool, indentation: some Sequence<UInt8>) -> [UInt8] {
    switch value {
    case .array, .object:
      var writer = JSONWriter(format: isBlock ? style.block : style.inline, indentation: indentation)
      writer.write(value)
      return writer.bytes()
    // These are written in one way only: the style need not be found out for them.
    case .null, .bool, .number, .string: return value.bytes()
    }
  }

  // MARK: - Reading

  /// Whether a container is on one line or spans several; an empty one on one line has no shape yet.
  enum Shape { case inline, block }

  /// An element or a member, and the white space around it.
  struct Item {
    /// From the bracket or the comma to the item.
    var before: Range<Int>
    /// The key, in an object.
    var key = 0..<0
    var value = 0..<0
    /// From the item to the comma; empty for the last item.
    var after = 0..<0
    /// Whether it begins a line.
    var isOnOwnLine = false
    var shape: Shape?
    /// The text from the key's start on, if it is to change.
    var changed: JSONPatchwork?

    var start: Int { before.upperBound }
  }

  struct Container {
    /// The bracket.
    let start: Int
    /// Where the line of the bracket begins.
    let lineStart: Int
    var items: [Item] = []
    /// From the last item to the closing bracket.
    var closing = 0..<0
  }

  /// Moves over a container, and writes the items that change.
  private mutating func readContainer(_ slots: [JSONChange.Slot], _ new: JSONValue) -> Container {
    var container = Container(start: scanner.position, lineStart: scanner.lineStart)
    let isObject = scanner.byte == UInt8(ascii: "{")
    var changes: [Int: (change: JSONChange, value: JSONValue)] = [:]
    for (index, slot) in slots.enumerated() {
      if let old = slot.old, let change = slot.change { changes[old] = (change, new.item(at: index)) }
    }

    repeat {
      scanner.skipByte()
      let gapStart = scanner.position
      scanner.skipSpace()
      var item = Item(before: gapStart..<scanner.position)
      item.isOnOwnLine = scanner.lineStart > gapStart
      if isObject {
        scanner.skipString()
        item.key = item.start..<scanner.position
        scanner.skipSpace()
        scanner.skipByte()
        scanner.skipSpace()
      }
      let valueStart = scanner.position
      if let (change, value) = changes[container.items.count] {
        var changed = JSONPatchwork()
        changed.append(source: item.start..<valueStart)
        write(change, to: value, isOnOwnLine: item.isOnOwnLine, into: &changed)
        item.changed = changed
      } else {
        scanner.skipValue()
      }
      item.shape = shapeOfValue(from: valueStart)
      item.value = valueStart..<scanner.position
      scanner.skipSpace()
      item.after = item.value.upperBound..<scanner.position
      container.items.append(item)
    } while scanner.byte == UInt8(ascii: ",")

    let last = container.items.count - 1
    container.closing = container.items[last].after
    container.items[last].after = container.closing.upperBound..<container.closing.upperBound
    scanner.skipByte()
    return container
  }

  /// The shape of the value that begins at `start` and ends here, if it is a container that has one.
  private func shapeOfValue(from start: Int) -> Shape? {
    let first = scanner.text[start]
    guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else { return nil }
    if scanner.lineStart > start { return .block }
    let inside = scanner.text[(start + 1)..<(scanner.position - 1)]
    return inside.allSatisfy(\.isJSONSpace) ? nil : .inline
  }
}

extension JSONValue {
  /// The element or the member's value at a position of a container.
  func item(at index: Int) -> JSONValue {
    switch self {
    case .array(let elements): elements[index]
    case .object(let object): object.values[index]
    default: preconditionFailure("a value that is no container has no items")
    }
  }
}
