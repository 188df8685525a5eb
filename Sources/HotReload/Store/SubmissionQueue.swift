import Synchronization

/// What a store has done to its state by itself, on its way to the driver.
///
/// Filled inside the store's lock, so that it has the store's order. Elements stand in pieces that never grow beyond
/// `pieceLength`: a single array of all that is dispatched while a large state is being written would have to be moved
/// again and again, as a whole, by whoever dispatches.
///
/// What every dispatch goes through is inlinable, so that it is specialised for the app's types.
@usableFromInline
final class SubmissionQueue<State: Sendable, Action: Sendable>: Sendable {
  @usableFromInline typealias Element = Submission<State, Action>

  @usableFromInline
  struct Content: Sendable {
    @usableFromInline var isOpen = false
    /// Full, oldest first.
    @usableFromInline var pieces: [[Element]] = []
    @usableFromInline var newest: [Element] = []
    /// Whether the change that the store is about to tell of is one that came from the file.
    var isPublishing = false
    /// Whether the state has changed in a way that the elements don't tell.
    var isIncomplete = false

    @inlinable
    init() {}
  }

  @inlinable static var pieceLength: Int { 1_024 }

  @usableFromInline let content = Mutex(Content())
  /// How many elements there are; changed together with them. Whoever only asks for that, which is done all the time, need not look up
  /// what the elements of these types are.
  @usableFromInline let length = Atomic<Int>(0)
  @usableFromInline let signal = SubmissionSignal()

  @inlinable
  init() {}

  /// From now on it takes in what comes.
  func open() { content.withLock { $0.isOpen = true } }

  var count: Int { length.load(ordering: .acquiring) }

  /// Takes in an action that was reduced.
  @inlinable
  func submit(_ action: Action) {
    let isTaken = content.withLock { content in
      if content.isOpen { append(.action(action), to: &content) }
      return content.isOpen
    }
    if isTaken { signal.raise() }
  }

  /// Takes in the return to an earlier state.
  func submit(_ restore: StateRestore<State>) {
    let isTaken = content.withLock { content in
      let isTaken = content.takeChange()
      if isTaken { append(.restored(restore), to: &content) }
      return isTaken
    }
    if isTaken { signal.raise() }
  }

  /// Takes in another change that no action made.
  func submitChange() { _ = content.withLock { $0.takeChange() } }

  @inlinable
  func append(_ element: Element, to content: inout Content) {
    content.append(element)
    length.store(length.load(ordering: .relaxed) + 1, ordering: .releasing)
  }

  /// What came since the last time.
  struct Taken {
    fileprivate let pieces: [[Element]]
    fileprivate let newest: [Element]

    /// Oldest first. To put them together takes its time, and is not to be done inside a lock.
    var elements: [Element] { pieces.isEmpty ? newest : joined }
    // Apart, since one piece is all that there is, most often, and needs no looking up of types.
    private var joined: [Element] { @inline(never) get { Array((pieces + [newest]).joined()) } }
  }

  /// Hands over what came since the last time. The caller has the store's lock, and takes the state as well; or the store is
  /// gone.
  func take() -> Taken { content.withLock { take(&$0) } }

  /// The same without the state; nil if that may be another than what came leads to.
  func takeUnlessIncomplete() -> Taken? { content.withLock { $0.isIncomplete ? nil : take(&$0) } }

  private func take(_ content: inout Content) -> Taken {
    length.store(0, ordering: .releasing)
    return content.take()
  }

  /// The elements from a position on, of which there are some; they stay.
  func elements(from start: Int) -> [Element] {
    let pieces = content.withLock { $0.pieces + [$0.newest] }
    return Array(pieces[(start / Self.pieceLength)...].joined().dropFirst(start % Self.pieceLength))
  }

  /// What is handed over next is not to go without the state.
  func requireState() { content.withLock { $0.isIncomplete = true } }

  /// Whether the next change that no action made is one from the file. It is from inside the store's lock until the store has told
  /// of it, be it that nobody heard.
  func expectPublication(_ isExpected: Bool) { content.withLock { $0.isPublishing = isExpected } }
}

extension SubmissionQueue.Content {
  @inlinable
  mutating func append(_ element: SubmissionQueue.Element) {
    newest.append(element)
    if newest.count == SubmissionQueue.pieceLength { beginPiece() }
  }

  /// Notes a change that no action made; whether it is one that is to be taken in.
  fileprivate mutating func takeChange() -> Bool {
    if isPublishing || !isOpen {
      isPublishing = false
      return false
    }
    // What it changed besides what is mirrored can only be seen.
    isIncomplete = true
    return true
  }

  @usableFromInline
  mutating func beginPiece() {
    pieces.append(newest)
    newest = []
    newest.reserveCapacity(SubmissionQueue.pieceLength)
  }

  fileprivate mutating func take() -> SubmissionQueue.Taken {
    defer { (pieces, newest, isIncomplete) = ([], [], false) }
    return SubmissionQueue.Taken(pieces: pieces, newest: newest)
  }
}
