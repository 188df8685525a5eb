/// Which arrays and objects are open: those down to a depth, and others that somebody opened or closed.
struct Folds: Equatable, Sendable {
  /// How many levels are open.
  private(set) var depth: Int
  /// Those for which it is the other way round.
  private var exceptions: Set<Place> = []

  init(depth: Int) { self.depth = depth }

  func isOpen(_ place: Place) -> Bool { (place.steps.count < depth) != exceptions.contains(place) }

  mutating func set(_ place: Place, isOpen: Bool) {
    if self.isOpen(place) == isOpen { return }
    exceptions.formSymmetricDifference([place])
  }

  /// Takes them along to where their places are now.
  mutating func relocate(_ relocation: (Place) -> Place) { exceptions = Set(exceptions.map(relocation)) }

  /// What is in a place is open, or closed, down to any depth that is known.
  mutating func forget(within place: Place) {
    exceptions = exceptions.filter { !$0.isWithin(place) || $0 == place }
  }
}
