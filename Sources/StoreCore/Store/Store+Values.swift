extension Store {
  /// The state as it is now, and then the newest state after changes.
  ///
  ///     for await state in store.states { print(state) }
  ///
  /// Nothing queues up: a slow consumer misses states in between, but never the last, and never holds up the store. The sequence
  /// doesn't keep the store alive, and ends, after the last state, when the store is closed or freed. Any number of loops may run
  /// at a time, each at its own pace.
  public var states: Values<State> {
    Values(store: self, select: { $0 }, isDuplicate: nil)
  }

  /// A part of the state as it is now, and then whenever it is another; otherwise as ``states``.
  ///
  ///     for await counter in store.values(of: \.counter) { print(counter) }
  public func values<Value: Sendable & Equatable>(of select: @escaping @Sendable (State) -> Value) -> Values<Value> {
    values(of: select, removingDuplicates: ==)
  }

  /// A part of the state as it is now, and then whenever it is not a duplicate; otherwise as ``states``.
  ///
  /// - Parameters:
  ///   - select: The part: a key path or a closure, called inside the lock: be quick, and don't call the store.
  ///   - isDuplicate: Compares the part last returned with the part as it is now.
  /// - Returns: a sequence of the part, that may be iterated any number of times.
  public func values<Value: Sendable>(
    of select: @escaping @Sendable (State) -> Value,
    removingDuplicates isDuplicate: @escaping @Sendable (Value, Value) -> Bool
  ) -> Values<Value> {
    Values(store: self, select: select, isDuplicate: isDuplicate)
  }

  /// The sequence of states, or of a part of them, that a store passes through.
  public struct Values<Value: Sendable>: AsyncSequence, Sendable {
    public typealias Element = Value
    public typealias Failure = Never

    weak let store: Store?
    let select: @Sendable (State) -> Value
    let isDuplicate: (@Sendable (Value, Value) -> Bool)?

    public func makeAsyncIterator() -> Iterator {
      Iterator(self)
    }

    /// Where one loop stands in the sequence.
    public struct Iterator: AsyncIteratorProtocol {
      public typealias Failure = Never

      private let values: Values
      private var wakes: AsyncStream<Wake>.Iterator
      private var version: UInt64?
      private var last: Value?

      init(_ values: Values) {
        self.values = values
        wakes = (values.store?.wakes() ?? AsyncStream { $0.finish() }).makeAsyncIterator()
      }

      public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> Value? {
        while let wake = await wakes.next(isolation: actor) {
          guard let (value, version) = read(wake), version != self.version else { continue }
          self.version = version
          guard let isDuplicate = values.isDuplicate else { return value }
          if let last, isDuplicate(last, value) { continue }
          last = value
          return value
        }
        return nil
      }

      private func read(_ wake: Wake) -> (Value, version: UInt64)? {
        switch wake {
        case .changed: values.store?.withState { (values.select(copy $0), $1) }
        case .ended(let state, let version): (values.select(state), version)
        }
      }
    }
  }

  /// A call to a loop, which reads the state when it gets there.
  fileprivate enum Wake: Sendable {
    case changed
    case ended(State, version: UInt64)
  }

  private func wakes() -> AsyncStream<Wake> {
    // One is enough, and the newest, as the end comes last.
    let (wakes, continuation) = AsyncStream.makeStream(of: Wake.self, bufferingPolicy: .bufferingNewest(1))
    continuation.yield(.changed)
    let subscriber = Subscriber<State>({ _, _ in continuation.yield(.changed) }) { state, version in
      continuation.yield(.ended(state, version: version))
      continuation.finish()
    }
    let subscription = attach(subscriber, skipFirst: true)
    continuation.onTermination = { _ in subscription.cancel() }
    return wakes
  }

  /// Tells those who want to know it, after all that was delivered, that this is the last state.
  func end() {
    let endings = core.withLock { core in
      core.isEnded = true
      let version = core.version
      let subscribers = core.subscribers.members.compactMap { $0.ending(version) }
      return core.enqueue(Delivery(state: core.state, cause: .start, subscribers: subscribers), for: deliverer)
    }
    if let endings { deliver(endings) }
  }
}
