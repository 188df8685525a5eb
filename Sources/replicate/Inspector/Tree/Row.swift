import StateJSON

/// A line of the tree: a value, with what stands before it.
struct Row: Equatable, Sendable {
  var path: TreePath
  var place: Place
  /// How far it is from the value that the screen begins with.
  var depth: Int
  /// The key under which it stands, as it is written between the quotation marks; of an element its index.
  var label: Label
  var value: Value

  enum Label: Equatable, Sendable {
    case none
    case key(String)
    case index(Int)
  }

  enum Value: Equatable, Sendable {
    /// A string, a number, `true`, `false` or `null`, as it is written, as far as a line can hold it.
    case scalar(Scalar, String)
    /// An array or an object: whether it is open, how many items it has, and what the first of them are.
    case container(isObject: Bool, isOpen: Bool, count: Int, preview: String)
  }

  enum Scalar: Equatable, Sendable { case string, number, bool, null }
}

extension TreeText {
  /// More of a text than this no line shows.
  private static let longest = 400

  func row(at path: TreePath, in tree: Tree) -> Row {
    let node = node(at: path)
    let place = place(of: path)
    let label: Row.Label =
      path.levels.last.map { level in
        isObject(level.container) ? .key(shown(content(of: level.item))) : .index(level.index)
      } ?? .none
    let value: Row.Value =
      isContainer(node)
      ? .container(
        isObject: isObject(node), isOpen: tree.isOpen(path, self), count: count(of: node),
        preview: preview(of: node))
      : .scalar(scalar(node), shown(bytes(range(of: node))))
    return Row(path: path, place: place, depth: path.depth - tree.rootDepth, label: label, value: value)
  }

  func scalar(_ node: Int) -> Row.Scalar {
    switch kind(of: node) {
    case .string: .string
    case .bool: .bool
    case .null: .null
    default: .number
    }
  }

  /// The beginning of a text. A character that is cut off isn't shown.
  func shown(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    guard bytes.count > Self.longest else { return String(decoding: bytes, as: UTF8.self) }
    var end = Self.longest
    while bytes[end] & 0xC0 == 0x80 { end -= 1 }
    return String(decoding: bytes[..<end], as: UTF8.self) + "…"
  }

  /// What the first items of a container are, on one line: `title: "a", rows: […]`.
  private func preview(of container: Int) -> String {
    var preview = ""
    for level in items(of: container, 0..<12) {
      let value = value(at: level)
      if !preview.isEmpty { preview += ", " }
      if isObject(container) { preview += shown(content(of: level.item)) + ": " }
      let isEmpty = isContainer(value) && count(of: value) == 0
      preview +=
        !isContainer(value)
        ? shown(bytes(range(of: value))) : isObject(value) ? isEmpty ? "{}" : "{…}" : isEmpty ? "[]" : "[…]"
      if preview.utf8.count > Self.longest { break }
    }
    return count(of: container) > 12 ? preview + ", …" : preview
  }
}
