import StateJSON

/// A value in whatever version of a document: what leads to it from the root.
///
/// An element that says who it is stays the same wherever it moves to, so that a cursor and a fold stay with it.
struct Place: Hashable, Sendable {
  enum Step: Hashable, Sendable {
    case member(ScalarString)
    case element(ElementIdentity)
    case index(Int)
  }

  var steps: [Step] = []

  static let root = Place()

  func appending(_ step: Step) -> Place { Place(steps: steps + [step]) }

  /// What the value is in; `nil` for the root.
  var parent: Place? { steps.isEmpty ? nil : Place(steps: Array(steps.dropLast())) }

  /// Whether the value is another one, or in it.
  func isWithin(_ other: Place) -> Bool { steps.starts(with: other.steps) }
}
