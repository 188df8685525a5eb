import Synchronization

/// Derives a value from the state, and derives it again only when what it is derived from has changed.
///
///     let visible = Selector<App, _>(\.rows, \.filter) { rows, filter in rows.filter(filter.admits) }
///     let count = Selector<App, _>(visible.derive) { rows in rows.count }
///
///     visible(store.state)
///     store.select(count).subscribe { count in print(count) }
///
/// It is called like a function, and is input to another by its ``derive``. The inputs should be quick: they are looked up
/// and compared each time. It remembers the last inputs and value, shared by all copies of it, and so the arrays among them
/// are copied by a reducer that changes them. Threads that ask at the same time may each derive the value; none waits.
public struct Selector<State, Value: Sendable>: Sendable {
  /// The selector as a function.
  public let derive: @Sendable (State) -> Value

  /// Makes a selector.
  ///
  /// - Parameters:
  ///   - input: A part of the state, that is compared: a key path, a closure, or the `derive` of another selector.
  ///   - transform: Derives the value from the input, and from nothing else.
  @inlinable
  public init<A: Equatable & Sendable>(
    _ input: @escaping @Sendable (State) -> A, transform: @escaping @Sendable (A) -> Value
  ) {
    self.init(inputs: input, areEqual: ==, transform: transform)
  }

  /// Makes a selector of two inputs.
  @inlinable
  public init<A: Equatable & Sendable, B: Equatable & Sendable>(
    _ a: @escaping @Sendable (State) -> A, _ b: @escaping @Sendable (State) -> B,
    transform: @escaping @Sendable (A, B) -> Value
  ) {
    self.init(inputs: { (a($0), b($0)) }, areEqual: ==) { transform($0.0, $0.1) }
  }

  /// Makes a selector of three inputs.
  @inlinable
  public init<A: Equatable & Sendable, B: Equatable & Sendable, C: Equatable & Sendable>(
    _ a: @escaping @Sendable (State) -> A, _ b: @escaping @Sendable (State) -> B,
    _ c: @escaping @Sendable (State) -> C, transform: @escaping @Sendable (A, B, C) -> Value
  ) {
    self.init(inputs: { (a($0), b($0), c($0)) }, areEqual: ==) { transform($0.0, $0.1, $0.2) }
  }

  /// Makes a selector of four inputs; for more, compose.
  @inlinable
  public init<A: Equatable & Sendable, B: Equatable & Sendable, C: Equatable & Sendable, D: Equatable & Sendable>(
    _ a: @escaping @Sendable (State) -> A, _ b: @escaping @Sendable (State) -> B,
    _ c: @escaping @Sendable (State) -> C, _ d: @escaping @Sendable (State) -> D,
    transform: @escaping @Sendable (A, B, C, D) -> Value
  ) {
    self.init(inputs: { (a($0), b($0), c($0), d($0)) }, areEqual: ==) { transform($0.0, $0.1, $0.2, $0.3) }
  }

  // A parameter pack would do, if closures in one were taken for sendable.
  @inlinable
  init<Inputs: Sendable>(
    inputs: @escaping @Sendable (State) -> Inputs, areEqual: @escaping @Sendable (Inputs, Inputs) -> Bool,
    transform: @escaping @Sendable (Inputs) -> Value
  ) {
    let last = Told<(inputs: Inputs, value: Value)>()
    derive = { state in
      let found = inputs(state)
      // Not in the lock: the transform may ask other selectors, or this one.
      if let last = last.value.withLock({ $0 }), areEqual(last.inputs, found) { return last.value }
      let value = transform(found)
      last.value.withLock { $0 = (found, value) }
      return value
    }
  }

  /// Derives the value, or remembers it.
  @inlinable
  public func callAsFunction(_ state: State) -> Value {
    derive(state)
  }
}
