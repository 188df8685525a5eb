import StateJSON

/// Where one version of a document differs from another, as somebody sees it who looks at the newer.
struct TreeChanges: Equatable, Sendable {
  struct Change: Equatable, Sendable {
    var place: Place
    var kind: Kind
    /// What stood there, as far as a line can hold it; empty for what is new.
    var old: String

    enum Kind: Equatable, Sendable {
      case added, changed
      /// Something isn't in it any more.
      case shrunken
    }
  }

  /// More of them nobody can look at.
  static let limit = 2_000

  /// In the order of the newer version.
  private(set) var all: [Change] = []
  /// Whether there are more.
  private(set) var isCut = false

  /// Finds them.
  ///
  /// - Complexity: As fast as memory is compared, and beyond that in the size of what differs.
  init(from old: TreeDocument, to new: TreeDocument) {
    self = old.read { old in
      new.read { new in TreeChanges(JSONDivergence(old.taped, new.taped), from: old, to: new) }
    }
  }

  /// Finds them where the texts are known to differ in one place, or not at all.
  init(_ divergence: JSONDivergence?, from old: TreeText, to new: TreeText) {
    guard let divergence else { return }
    let place = new.place(of: new.path(along: divergence.tokens(in: old.taped)).path)
    compare(divergence.old, old, divergence.new, new, at: place)
  }

  private mutating func add(_ place: Place, _ kind: Change.Kind, _ old: String = "") {
    if all.count < Self.limit { all.append(Change(place: place, kind: kind, old: old)) } else { isCut = true }
  }

  private mutating func compare(_ old: Int, _ oldText: TreeText, _ new: Int, _ newText: TreeText, at place: Place) {
    if oldText.hasSameText(old, as: new, in: newText) || isCut { return }
    guard oldText.isContainer(old), oldText.firstByte(of: old) == newText.firstByte(of: new) else {
      return add(place, .changed, oldText.summary(of: old))
    }
    if newText.isObject(new) {
      compareMembers(old, oldText, new, newText, at: place)
    } else {
      compareElements(old, oldText, new, newText, at: place)
    }
  }

  private mutating func compareMembers(
    _ old: Int, _ oldText: TreeText, _ new: Int, _ newText: TreeText, at place: Place
  ) {
    var others: [String: Int]?
    var oldLevel = oldText.items(of: old, 0..<1).first
    var kept = 0
    var level = newText.items(of: new, 0..<1).first
    while let one = level, !isCut {
      let step = Place.Step.member(ScalarString(newText.string(at: one.item)))
      let counterpart: Int?
      // Most often both have the same keys in the same order.
      if let oldLevel, oldText.hasSameText(oldLevel.item, as: one.item, in: newText) {
        counterpart = oldText.value(at: oldLevel)
      } else {
        if others == nil { others = oldText.members(of: old) }
        counterpart = others?[newText.string(at: one.item)]
      }
      if let counterpart {
        kept += 1
        compare(counterpart, oldText, newText.value(at: one), newText, at: place.appending(step))
      } else {
        add(place.appending(step), .added)
      }
      level = newText.item(after: one)
      oldLevel = oldLevel.flatMap { oldText.item(after: $0) }
    }
    if kept < oldText.count(of: old) { add(place, .shrunken) }
  }

  /// Elements that say who they are are compared with themselves; of the others those between the common ends, one by one.
  private mutating func compareElements(
    _ old: Int, _ oldText: TreeText, _ new: Int, _ newText: TreeText, at place: Place
  ) {
    let (oldItems, newItems) = (oldText.items(of: old), newText.items(of: new))
    let (start, end) = oldText.commonEnds(oldItems, newItems, in: newText)
    let oldGap = oldItems[start..<oldItems.count - end]
    let newGap = newItems[start..<newItems.count - end]
    var known: [ElementIdentity: Int] = [:]
    for item in oldGap { oldText.identity(of: item.item).map { known[$0] = item.item } }
    var nameless = oldGap.filter { oldText.identity(of: $0.item) == nil }[...]
    for item in newGap where !isCut {
      let place = place.appending(newText.step(at: item))
      let identity = newText.identity(of: item.item)
      let counterpart = identity.map { known.removeValue(forKey: $0) } ?? nameless.popFirst()?.item
      if let counterpart {
        compare(counterpart, oldText, item.item, newText, at: place)
      } else {
        add(place, .added)
      }
    }
    if !known.isEmpty || !nameless.isEmpty { add(place, .shrunken) }
  }
}

extension TreeText {
  /// A value on one line, as far as that can hold it.
  func summary(of node: Int) -> String {
    guard isContainer(node) else { return shown(bytes(range(of: node))) }
    return (isObject(node) ? "{" : "[") + "\(count(of: node))" + (isObject(node) ? "}" : "]")
  }

  /// The values of an object, by their keys.
  fileprivate func members(of object: Int) -> [String: Int] {
    Dictionary(keys(of: object).map { (string(at: $0), $0 + 1) }) { first, _ in first }
  }
}
