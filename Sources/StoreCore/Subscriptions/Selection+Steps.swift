import Synchronization

extension Selection {
  /// Makes another value of each.
  @inlinable
  public func map<New: Sendable>(_ transform: @escaping @Sendable (Value) -> New) -> Selection<New> {
    Selection<New>(of: store) { [attach] lifetime, sink in
      attach(lifetime, Sink(receive: { value, cause in sink.receive(transform(value), cause) }, end: sink.end))
    }
  }

  /// Leaves out the values for which the answer is false.
  @inlinable
  public func only(where isWanted: @escaping @Sendable (Value) -> Bool) -> Selection {
    Selection(of: store) { [attach] lifetime, sink in
      let receive: @Sendable (Value, Cause) -> Void = { value, cause in
        if isWanted(value) { sink.receive(value, cause) }
      }
      attach(lifetime, Sink(receive: receive, end: sink.end))
    }
  }

  /// Leaves out the first values: with one, what was there already when the subscription began.
  @inlinable
  public func skip(_ count: Int = 1) -> Selection {
    Selection(of: store) { [attach] lifetime, sink in
      let skipped = Told<Int>()
      let receive: @Sendable (Value, Cause) -> Void = { value, cause in
        let before = skipped.value.withLock { skipped in
          defer { skipped = min(count, (skipped ?? 0) + 1) }
          return skipped ?? 0
        }
        if before >= count { sink.receive(value, cause) }
      }
      attach(lifetime, Sink(receive: receive, end: sink.end))
    }
  }

  /// Leaves out a value that is a duplicate of the one last passed on.
  ///
  ///     store.select(\.rows).removingDuplicates(by: { $0.count == $1.count })
  ///
  /// The value last passed on is kept for comparison, so that a reducer which changes an array in it copies the array.
  @inlinable
  public func removingDuplicates(by isDuplicate: @escaping @Sendable (Value, Value) -> Bool) -> Selection {
    Selection(of: store) { [attach] lifetime, sink in
      let told = Told<Value>()
      let receive: @Sendable (Value, Cause) -> Void = { value, cause in
        // Compared outside the lock: whose values these are may do anything in it.
        if let last = told.value.withLock({ $0 }), isDuplicate(last, value) { return }
        told.value.withLock { $0 = value }
        sink.receive(value, cause)
      }
      attach(lifetime, Sink(receive: receive, end: sink.end))
    }
  }

  /// Leaves out a value of which a part is the same as in the one last passed on.
  ///
  ///     store.select(\.document).removingDuplicates(by: \.revision)
  @inlinable
  public func removingDuplicates<Part: Equatable & Sendable>(
    by part: @escaping @Sendable (Value) -> Part
  ) -> Selection {
    Selection(of: store) { [attach] lifetime, sink in
      let told = Told<Part>()
      let receive: @Sendable (Value, Cause) -> Void = { value, cause in
        let part = part(value)
        if let last = told.value.withLock({ $0 }), last == part { return }
        told.value.withLock { $0 = part }
        sink.receive(value, cause)
      }
      attach(lifetime, Sink(receive: receive, end: sink.end))
    }
  }

  /// Leaves out a value that is equal to the one last passed on.
  @inlinable
  public func removingDuplicates() -> Selection where Value: Equatable {
    removingDuplicates(by: ==)
  }
}
