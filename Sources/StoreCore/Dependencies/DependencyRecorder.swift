import Synchronization

/// What a default was made from, directly or through other defaults.
struct DependencySources: Sendable {
  var keys: Set<ObjectIdentifier> = []
  /// All there are, and will be: somebody kept the dependencies, to ask for more later.
  var isEverything = false

  func meet(_ changed: Set<ObjectIdentifier>) -> Bool {
    isEverything ? !changed.isEmpty : !keys.isDisjoint(with: changed)
  }
}

/// Notes what a default is made from.
final class DependencyRecorder: Sendable {
  private let id: ObjectIdentifier
  private let name: String
  /// The one whose default asked for this one.
  private let outer: DependencyRecorder?
  private let noted = Mutex(DependencySources())

  init(_ id: ObjectIdentifier, name: String, inside outer: DependencyRecorder?) {
    self.id = id
    self.name = name
    self.outer = outer
  }

  var sources: DependencySources { noted.withLock { $0 } }

  func note(_ sources: DependencySources) {
    noted.withLock { noted in
      noted.keys.formUnion(sources.keys)
      noted.isEverything = noted.isEverything || sources.isEverything
    }
  }

  /// The names of those that are being made, from the one asked for to the one that asks; nil if it isn't among them.
  func circle(to id: ObjectIdentifier) -> [String]? {
    if self.id == id { return [name] }
    return outer?.circle(to: id).map { $0 + [name] }
  }
}
