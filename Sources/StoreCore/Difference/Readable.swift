/// Puts any value into words for a person, on one line, however large it is and wherever it came from.
///
/// Unlike `String(describing:)` it stops at a limit, lets no control character through to a terminal, and says the same of
/// equal sets and dictionaries. `Row(id: 7, title: "Fog")`, `.loaded(3)`, `["a", "b"]`.
package struct Readable {
  private var text = ""
  private var left: Int
  private static let deepest = 12

  /// The value in words, and `…` for what is beyond the limit, counted in Unicode scalars.
  package static func text(_ value: Any, limit: Int = 120) -> String {
    var readable = Readable(left: limit)
    readable.add(value, depth: 0)
    return readable.text
  }

  /// A text with its control characters escaped.
  package static func escaped(_ text: String, limit: Int = 120) -> String {
    var readable = Readable(left: limit)
    readable.add(escaping: text, quote: false)
    return readable.text
  }

  private var isFull: Bool { left < 0 }

  private mutating func add(_ part: String) {
    for scalar in part.unicodeScalars { add(scalar) }
  }

  private mutating func add(_ scalar: Unicode.Scalar) {
    if isFull { return }
    left -= 1
    text.unicodeScalars.append(isFull ? "…" : scalar)
  }

  private mutating func add(escaping part: String, quote: Bool) {
    for scalar in part.unicodeScalars {
      if isFull { return }
      switch scalar {
      case "\n": add("\\n")
      case "\t": add("\\t")
      case "\"" where quote: add("\\\"")
      case "\\" where quote: add("\\\\")
      default:
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse:
          add("\\u{" + String(scalar.value, radix: 16) + "}")
        default: add(scalar)
        }
      }
    }
  }

  private mutating func add(_ value: Any, depth: Int) {
    if isFull { return }
    if depth > Self.deepest { return add("…") }
    switch value {
    case let value as String: return addQuoted(value)
    case let value as Substring: return addQuoted(String(value))
    case let value as Character: return addQuoted(String(value))
    default: break
    }
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .optional:
      if let some = mirror.children.first { add(some.value, depth: depth) } else { add("nil") }
    case .collection: addAll(mirror.children, "[", "]") { $0.add($1.value, depth: depth + 1) }
    case .set: addSorted(mirror.children.map { Readable.text($0.value, limit: left) })
    case .dictionary: addDictionary(mirror, depth)
    case .tuple: addMembers(mirror, depth)
    case .struct, .class, .enum:
      if let described = value as? any CustomStringConvertible {
        add(escaping: described.description, quote: false)
      } else if mirror.displayStyle == .enum {
        addCase(value, mirror, depth)
      } else {
        add("\(mirror.subjectType)")
        addMembers(mirror, depth)
      }
    default: add(escaping: String(describing: value), quote: false)
    }
  }

  private mutating func addQuoted(_ string: String) {
    add("\"")
    add(escaping: string, quote: true)
    add("\"")
  }

  private mutating func addCase(_ value: Any, _ mirror: Mirror, _ depth: Int) {
    guard let payload = mirror.children.first, let name = payload.label else {
      return add("." + String(describing: value))
    }
    add("." + name)
    let parts = Mirror(reflecting: payload.value)
    if parts.displayStyle == .tuple { return addMembers(parts, depth) }
    add("(")
    add(payload.value, depth: depth + 1)
    add(")")
  }

  private mutating func addMembers(_ mirror: Mirror, _ depth: Int) {
    addAll(mirror.properties, "(", ")") { readable, child in
      if let label = child.label, !label.hasPrefix(".") { readable.add(label + ": ") }
      readable.add(child.value, depth: depth + 1)
    }
  }

  private mutating func addDictionary(_ mirror: Mirror, _ depth: Int) {
    if mirror.children.isEmpty { return add("[:]") }
    addSorted(
      mirror.children.map { child in
        let pair = Mirror(reflecting: child.value).children.map { Readable.text($0.value, limit: left) }
        return pair.joined(separator: ": ")
      })
  }

  private mutating func addSorted(_ texts: [String]) { addAll(texts.sorted(), "[", "]") { $0.add($1) } }

  /// Adds all parts, with commas between them; nothing more once the limit is reached.
  private mutating func addAll<Parts: Sequence>(
    _ parts: Parts, _ open: String, _ close: String, _ add: (inout Readable, Parts.Element) -> Void
  ) {
    self.add(open)
    for (index, part) in parts.enumerated() {
      if isFull { return }
      if index > 0 { self.add(", ") }
      add(&self, part)
    }
    self.add(close)
  }
}
