import Synchronization

/// One setting, around which others lie; the outermost is the container.
final class DependencyLayer: Sendable {
  private let outer: DependencyLayer?
  /// What is set here; nil in a container, and where a store has captured the layer around.
  private let key: ObjectIdentifier?
  private let value: (any Sendable)?
  /// The defaults made for this layer. Kept by the scope alone, as one of them may well keep the layer.
  private weak let defaults: DependencyDefaults?
  /// For each key, where those stand in line who want to make its default. Only the container's is used.
  private let making = Mutex<[ObjectIdentifier: Making]>([:])

  private final class Making: Sendable {
    let mutex = Mutex(())
  }

  init(
    around outer: DependencyLayer? = nil, key: ObjectIdentifier? = nil, value: (any Sendable)? = nil,
    defaults: DependencyDefaults
  ) {
    self.outer = outer
    self.key = key
    self.value = value
    self.defaults = defaults
  }

  /// This one, those around it, and at last the container.
  private var outwards: some Sequence<DependencyLayer> { sequence(first: self) { $0.outer } }

  /// All that was set, from the outermost scope on.
  var settings: [(key: ObjectIdentifier, value: any Sendable)] {
    outwards.reversed().compactMap { layer in
      if let key = layer.key, let value = layer.value { (key, value) } else { nil }
    }
  }

  /// What was set last for a key.
  func value(of id: ObjectIdentifier) -> (any Sendable)? { outwards.first { $0.key == id }?.value }

  /// The default that was made for a key, here or further out, if it would be made from the same here.
  func made(_ id: ObjectIdentifier) -> DependencyDefaults.Made? {
    var changed: Set<ObjectIdentifier> = []
    for layer in outwards {
      if let made = layer.defaults?.made(id), !made.sources.meet(changed) { return made }
      if let key = layer.key { changed.insert(key) }
    }
    return nil
  }

  /// Makes the default of a key, unless somebody else is doing so, who then is waited for.
  func makingOnce(_ id: ObjectIdentifier, _ make: () -> DependencyDefaults.Made) -> DependencyDefaults.Made {
    var container = self
    while let outer = container.outer { container = outer }
    let making = container.making.withLock { making in
      if making[id] == nil { making[id] = Making() }
      return making[id]!
    }
    return making.mutex.withLock { _ in
      if let made = made(id) { return made }
      let made = make()
      place(for: made.sources)?.keep(made, for: id)
      return made
    }
  }

  /// The outermost scope that is still held, and in which a default would be made from the same as here.
  private func place(for sources: DependencySources) -> DependencyDefaults? {
    var place: DependencyDefaults?
    for layer in outwards {
      place = layer.defaults ?? place
      if let key = layer.key, sources.meet([key]) { break }
    }
    return place
  }
}

/// The defaults that were made for a scope.
final class DependencyDefaults: Sendable {
  struct Made: Sendable {
    let value: any Sendable
    let sources: DependencySources
  }

  private let values = Mutex<[ObjectIdentifier: Made]>([:])

  func made(_ id: ObjectIdentifier) -> Made? { values.withLock { $0[id] } }

  func keep(_ made: Made, for id: ObjectIdentifier) { values.withLock { $0[id] = made } }
}
