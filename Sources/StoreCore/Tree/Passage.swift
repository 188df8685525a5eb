import Synchronization

/// The luggage of an action on its way up: the effect that sent it, and the nodes that it came through, each of which reduces it once
/// the stores above have. Sendable, as `above` is given up before anybody else can know of it, and `below` by `deinit` only.
@usableFromInline
final class Passage: @unchecked Sendable {
  @usableFromInline let run: EffectRun?
  /// Brings the action to the store above, which it keeps, and says what of that is still to rise. Given up as it is called.
  private var above: ((Passage) -> Passage?)?
  /// Gives the node the action, with those to whom it goes on.
  private let receive: (_ below: Passage?) -> Void
  /// The node before, further down.
  private var below: Passage?
  private let isTaken = Atomic<Bool>(false)

  @usableFromInline
  init(
    _ run: EffectRun?, below: Passage? = nil, to above: ((Passage) -> Passage?)? = nil,
    _ receive: @escaping (_ below: Passage?) -> Void = { _ in }
  ) {
    self.run = run
    self.below = below
    self.above = above
    self.receive = receive
  }

  /// Goes all the way up: in a loop, as a tree may be as deep as you like.
  @usableFromInline
  func rise() {
    var next: Passage? = self
    while let passage = next { next = passage.above.take()?(passage) }
  }

  /// Whether the caller is the first who goes on with it.
  @usableFromInline
  func take() -> Bool { !isTaken.exchange(true, ordering: .acquiringAndReleasing) }

  /// Lets the node follow in the turn that is on. Called inside the lock.
  @usableFromInline
  func follow() { receive(below) }

  /// Lets the nodes reduce it without the stores above.
  @usableFromInline
  func end(in root: any AnyStore) {
    root.takeTurn(.reducing, .action) { if run?.isRevoked != true { follow() } }
  }

  deinit {
    // In a loop: there are as many as the tree is deep.
    var next = below.take()
    while isKnownUniquelyReferenced(&next) { next = next?.below.take() }
  }
}

extension Store {
  /// Takes in an action of an effect, or of a node below.
  ///
  /// - Returns: What is still to rise; nil if the action was reduced, dropped or put off.
  @inlinable
  func enter(_ action: Action, _ passage: Passage?) -> Passage? {
    if passage == nil {
      dispatch(action)
    } else if let phase = turn.phase {
      turn.postpone(inside: phase) { self.enter(action, passage)?.rise() }
    } else if acting.isEmpty && worker == nil {
      return rise(action, passage)
    } else {
      // The middleware are chained for this action alone: however late one of them passes it on, it is known at the end what it has
      // with it, and other actions cost nothing more.
      let last: @Sendable (Action) -> Void = { [weak self] in self?.arrive($0, passage) }
      let chain = acting.reversed().reduce(last) { next, middleware in { middleware.dispatch($0, next: next) } }
      chain(action)
      // Dropped, or held back: those below reduce it without the stores above.
      if let passage, passage.take() { passage.end(in: root) }
    }
    return nil
  }

  /// Takes in an action that has passed the middleware, and brings it all the way up.
  @inlinable
  func arrive(_ action: Action, _ passage: Passage?) {
    let passage = passage.map { $0.take() ? $0 : Passage($0.run) }
    // What the worker does must not be overtaken by what comes of it, nor that come too late for a commit or a close.
    if let worker, !worker.isCurrent {
      worker.enqueue { self.rise(action, passage)?.rise() }
    } else if let phase = turn.phase {
      turn.postpone(inside: phase) { self.rise(action, passage)?.rise() }
    } else {
      rise(action, passage)?.rise()
    }
  }

  @inlinable
  func rise(_ action: Action, _ passage: Passage?) -> Passage? {
    guard let link else {
      reduce(action, passage)
      return nil
    }
    // A closed node ignores it, also for those above.
    if !isClosed { return link.rise(self, action, passage) }
    passage?.end(in: link.root)
    return nil
  }
}
