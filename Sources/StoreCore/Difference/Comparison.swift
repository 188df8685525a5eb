/// Walks through two values side by side and notes where they differ.
struct Comparison {
  typealias Line = StateDifference.Line

  private(set) var lines: [Line] = []
  /// How many lines there are, also beyond the limit.
  private(set) var count = 0
  let limit: Int
  private static let deepest = 60

  mutating func compare(_ old: Any, _ new: Any, at path: String, depth: Int) {
    let isEqual = Comparison.areEqual(old, new)
    if isEqual == true { return }
    let known = count
    let (left, right) = (Mirror(reflecting: old), Mirror(reflecting: new))
    if type(of: old) != type(of: new) || left.displayStyle != right.displayStyle || depth > Self.deepest {
      return note(old, new, at: path)
    }
    if isText(old, new, left.displayStyle, at: path) { return note(old, new, at: path) }
    switch left.displayStyle {
    case .optional: comparePayloads(left, right, old, new, at: path, depth: depth)
    case .enum: compareCases(left, right, old, new, at: path, depth: depth)
    case .class where (old as AnyObject) === (new as AnyObject): break
    case .struct, .class, .tuple: compareMembers(left, right, at: path, depth: depth)
    case .collection: compareElements(left.children.map(\.value), right.children.map(\.value), at: path, depth: depth)
    case .set: compareSets(left.children.map(\.value), right.children.map(\.value), at: path)
    case .dictionary: compareDictionaries(left, right, at: path, depth: depth)
    default: if isEqual == false || Readable.text(old) != Readable.text(new) { note(old, new, at: path) }
    }
    // Nothing to be seen makes the difference.
    if isEqual == false && count == known { note(old, new, at: path) }
  }

  /// Notes one line, or both: what was and what is.
  mutating func note(before old: Any? = nil, after new: Any? = nil, at path: String) {
    if let old { add(.before, path) { Readable.text(old) } }
    if let new { add(.after, path) { Readable.text(new) } }
  }

  private mutating func note(_ old: Any, _ new: Any, at path: String) {
    guard count < limit else {
      count += 2
      return
    }
    var (before, after) = (Readable.text(old), Readable.text(new))
    if let old = old as? String, let new = new as? String { (before, after) = Comparison.texts(of: old, new) }
    if before == after {
      after += before.hasSuffix("…") ? " (differs further on)" : " (reads the same, but isn't equal)"
    }
    add(.before, path) { before }
    add(.after, path) { after }
  }

  mutating func add(_ side: Line.Side, _ path: String, _ text: () -> String) {
    if count < limit { lines.append(Line(side: side, path: path, value: text())) }
    count += 1
  }

  /// Whether the values say themselves what they are, and say different things.
  ///
  /// The whole is looked into all the same: that it describes itself as something short is no help then.
  private func isText(_ old: Any, _ new: Any, _ style: Mirror.DisplayStyle?, at path: String) -> Bool {
    guard style == .struct || style == .class || style == .enum, !path.isEmpty,
      let old = old as? any CustomStringConvertible, let new = new as? any CustomStringConvertible
    else { return false }
    return old.description != new.description
  }

  /// Two long strings from shortly before the place where they part.
  private static func texts(of old: String, _ new: String) -> (String, String) {
    let same = zip(old, new).prefix { $0 == $1 }.count
    guard same > 60 else { return (Readable.text(old), Readable.text(new)) }
    func text(_ string: String) -> String { "…" + Readable.text(string.dropFirst(same - 20)) }
    return (text(old), text(new))
  }

  /// Whether both are of one type that knows, and equal; nil if the type doesn't know.
  static func areEqual(_ old: Any, _ new: Any) -> Bool? {
    func compare<T: Equatable>(_ old: T) -> Bool? { (new as? T).map { old == $0 } }
    // An optional in an `Any` is cast to what it has inside; so nil is told by the mirror.
    guard type(of: old) == type(of: new), let old = old as? any Equatable else { return nil }
    return compare(old)
  }
}
