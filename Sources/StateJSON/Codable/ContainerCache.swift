/// The keyed containers that a coder has handed out, by their type of keys, to be handed out again.
///
/// To make one, the standard library looks up two generic types and a conformance in tables of the runtime, and allocates a
/// box. For a small object that takes longer than all its members, and a coder is asked for the same few types of keys all the
/// time. So each container finds its place through an object, which is given the next one once nobody has the container any
/// more.
struct ContainerCache<Place: AnyObject> {
  private struct Entry {
    var keys: ObjectIdentifier?
    var kept: AnyObject?
    /// The reference that the container is.
    var box: UnsafeMutablePointer<ContainerBox>?
    var place: Place?
  }

  private var entries = InlineArray<8, Entry>(repeating: Entry())
  private var isOpen = true

  /// What keeps a container that was handed out before and that nobody has any more, for ``KeptContainer/copy(of:)``: the type of
  /// the keys settles that of the container, and its object has been given the next place.
  @inline(__always)
  mutating func unused(for keys: Any.Type, move: (Place) -> Void) -> AnyObject? {
    let identifier = ObjectIdentifier(keys)
    let index = Self.index(identifier)
    // Whoever has a container, or a copy of one, has a reference to its box. If the only one is that in the entry, nobody sees
    // that the place is another one now.
    guard entries[index].keys == identifier, let box = entries[index].box, isKnownUniquelyReferenced(&box.pointee),
      let place = entries[index].place
    else { return nil }
    move(place)
    return entries[index].kept
  }

  /// Keeps a new container, which has the place that an object tells, for the next time; but not the first for its keys, which
  /// mostly is the only one in a small state.
  mutating func keep<Container>(_ container: Container, for keys: Any.Type, _ place: Place) {
    let identifier = ObjectIdentifier(keys)
    let index = Self.index(identifier)
    guard isOpen, entries[index].keys == identifier, let kept = KeptContainer(container) else {
      entries[index] = Entry(keys: identifier)
      return
    }
    entries[index] = Entry(keys: identifier, kept: kept, box: kept.box, place: place)
  }

  /// Metadata lie at multiples of eight or more.
  @inline(__always)
  private static func index(_ keys: ObjectIdentifier) -> Int { Int(UInt(bitPattern: keys) >> 4 & 7) }

  /// Forgets all containers, and keeps none from now on: each keeps its coder, which keeps this.
  mutating func close() {
    self = Self()
    isOpen = false
  }
}

/// Stands for the class of the boxes of containers, which only the standard library knows.
final class ContainerBox {}

/// A container in memory of its own.
///
/// Generic over the container, and not over its keys: so it needn't look up the container's type to copy it.
final class KeptContainer<Container> {
  private let container: UnsafeMutablePointer<Container>
  let box: UnsafeMutablePointer<ContainerBox>

  /// - Returns: `nil` if a container isn't just one reference, to its box. It is in all releases of the standard library; should it
  ///   be something else in another one, nothing is handed out twice.
  init?(_ value: Container) {
    guard MemoryLayout<Container>.size == MemoryLayout<AnyObject>.size else { return nil }
    container = .allocate(capacity: 1)
    container.initialize(to: value)
    // The same reference. Nothing is asked of it by way of this but whether it is the only one.
    box = UnsafeMutableRawPointer(container).assumingMemoryBound(to: ContainerBox.self)
  }

  deinit {
    container.deinitialize(count: 1)
    container.deallocate()
  }

  /// The container, of which somebody else knows that it is of this type.
  @inline(__always)
  static func copy(of kept: AnyObject) -> Container { unsafeDowncast(kept, to: KeptContainer.self).copy() }

  /// Not inlined: who calls it would have to look up the type in order to copy.
  @inline(never)
  private func copy() -> Container { container.pointee }
}
