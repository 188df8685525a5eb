/// Something to do, later.
@usableFromInline typealias Work = @Sendable () -> Void

/// Does what is handed to it one after another, not one inside another: no chain of it, however long, takes more of the stack.
///
/// The first call on a thread does it all. Work that is handed over meanwhile, by work that is being done, comes next.
@usableFromInline
final class Trampoline {
  private static let current = ThreadSlot<Trampoline>()
  private static let freeing = Freeing()

  /// Whose work it is. What comes of another's is done at once, inside of this.
  private let owner: AnyObject
  /// The first comes last.
  private var waiting: [Work]
  /// Handed over by what is being done.
  private var fresh: [Work] = []

  private init(_ work: [Work], of owner: AnyObject) {
    waiting = work.reversed()
    self.owner = owner
  }

  /// Does the work, in order; where work of the same owner is being done on this thread, right after that.
  @usableFromInline
  static func perform(_ work: [Work], of owner: AnyObject) {
    let outer = current.value
    if let outer, outer.owner === owner { return outer.fresh.append(contentsOf: work) }
    let trampoline = Trampoline(work, of: owner)
    current.value = trampoline
    trampoline.perform()
    current.value = outer
  }

  /// Frees what has parts that call this in turn, such as a list whose end would else be freed deep inside of its beginning.
  ///
  /// - Parameter object: The last reference to it.
  @usableFromInline
  static func free<T>(_ object: consuming T) {
    nonisolated(unsafe) var last: T? = consume object
    perform([{ _ = last.take() }], of: freeing)
  }

  private func perform() {
    repeat {
      // Freed right after it was done: it may be the last to keep something that hands over more when it is freed.
      if let work = waiting.popLast() { work() }
      waiting.append(contentsOf: fresh.reversed())
      fresh.removeAll(keepingCapacity: true)
    } while !waiting.isEmpty || !fresh.isEmpty
  }
}

/// Owns what is to be freed.
private final class Freeing: Sendable {}
