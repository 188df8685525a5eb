import StateJSON

/// Where the places of one version of a document are in another.
///
/// Members and elements that say who they are stay what they are. Other elements are told by where they stand: those before and those
/// behind what differs keep their neighbours.
struct Relocation {
  private let old: TreeText
  private let new: TreeText
  /// What all is in that differs, as a place of the older version.
  private let affected: Place?
  /// Of arrays: how many elements are the same at the start, and at the end, in both.
  private var ends: [Int: (start: Int, end: Int)] = [:]

  /// The divergence is where the texts differ; `nil` if they don't.
  init(_ divergence: JSONDivergence?, from old: TreeText, to new: TreeText) {
    self.old = old
    self.new = new
    affected = divergence.map { old.place(of: old.path(along: $0.tokens(in: old.taped)).path) }
  }

  /// The place where a value of the older version is in the newer; where it isn't any more, what is there instead.
  mutating func place(_ place: Place) -> Place {
    guard let affected, place.isWithin(affected), place.steps.contains(where: \.isIndex) else { return place }
    var (oldNode, newNode): (Int?, Int?) = (0, 0)
    var moved = Place.root
    for step in place.steps {
      var movedStep = step
      if case .index(let index) = step, let oldArray = oldNode, let newArray = newNode {
        movedStep = .index(self.index(index, oldArray, newArray))
      }
      moved = moved.appending(movedStep)
      oldNode = oldNode.flatMap { old.child(step, of: $0) }
      newNode = newNode.flatMap { new.child(movedStep, of: $0) }
    }
    return moved
  }

  private mutating func index(_ index: Int, _ oldArray: Int, _ newArray: Int) -> Int {
    guard old.kind(of: oldArray) == .array, new.kind(of: newArray) == .array else { return index }
    let (oldCount, newCount) = (old.count(of: oldArray), new.count(of: newArray))
    if oldCount == newCount { return index }
    let (start, end) = ends[oldArray] ?? old.commonEnds(old.items(of: oldArray), new.items(of: newArray), in: new)
    ends[oldArray] = (start, end)
    if index < start { return index }
    if index >= oldCount - end { return index + newCount - oldCount }
    return min(index, max(0, newCount - 1))
  }
}

extension Place.Step {
  fileprivate var isIndex: Bool { if case .index = self { true } else { false } }
}

extension TreeText {
  /// The value that a step leads to, if it leads to one.
  fileprivate func child(_ step: Place.Step, of node: Int) -> Int? {
    guard isContainer(node) else { return nil }
    var hint = 0
    if case .index(let index) = step { hint = index }
    return level(of: step, in: node, hint: hint).map(value(at:))
  }
}
