import StoreCore
import StoreTesting
import Testing

struct `A selection in time` {
  static let setting: Store<Int, Int>.Reducer = { $0 = $1 }

  let clock = ManualClock()
  let store = Store(0, reducer: setting)
  let heard = Journal<Int>()

  @Test func `debounces: passes on the newest when nothing has come for a while`() async throws {
    let subscription = store.select(\.self).skip().debounce(for: .seconds(3), clock: clock).subscribe(heard.note)
    store.dispatch(1)
    try await clock.advance(by: .seconds(2))
    store.dispatch(2)
    // The time of the first passes: nothing, it is asleep again.
    try await clock.advance(by: .seconds(2))
    try await clock.sleepers(1)
    #expect(heard.entries == [])
    try await clock.advance(by: .seconds(1))
    #expect(await heard.entries(1) == [2])
    store.dispatch(3)
    try await clock.advance(by: .seconds(3))
    #expect(await heard.entries(2) == [2, 3])
    withExtendedLifetime(subscription) {}
  }

  @Test func `throttles: passes on the first at once, then the newest of each interval`() async throws {
    let subscription = store.select(\.self).throttle(for: .seconds(3), clock: clock).subscribe(heard.note)
    #expect(heard.entries == [0])
    for value in 1...3 { store.dispatch(value) }
    #expect(heard.entries == [0])
    try await clock.advance(by: .seconds(3))
    #expect(await heard.entries(2) == [0, 3])
    try await clock.sleepers(1)
    store.dispatch(4)
    try await clock.advance(by: .seconds(3))
    #expect(await heard.entries(3) == [0, 3, 4])
    try await clock.advance(by: .seconds(3))
    withExtendedLifetime(subscription) {}
  }

  @Test func `is paced by the store's clock, also through a view`() async throws {
    let store = withDependencies {
      $0.clock = clock
    } operation: {
      Store(0, reducer: Self.setting)
    }
    let view = store.map(state: { $0 * 10 })
    let subscription = view.select(\.self).skip().debounce(for: .seconds(3)).subscribe(heard.note)
    store.dispatch(1)
    try await clock.advance(by: .seconds(3))
    #expect(await heard.entries(1) == [10])
    withExtendedLifetime(subscription) {}
  }

  @Test(arguments: [false, true])
  func `passes on nothing once cancelled`(throttles: Bool) async throws {
    let selection = store.select(\.self)
    let paced =
      throttles
      ? selection.throttle(for: .seconds(3), clock: clock)
      : selection.skip().debounce(for: .seconds(3), clock: clock)
    let subscription = paced.subscribe(heard.note)
    store.dispatch(1)
    try await clock.sleepers(1)
    subscription.cancel()
    try await clock.advance(by: .seconds(3), sleepers: 0)
    // A debounce that is still on comes later than what was cancelled would have.
    let other = store.select(\.self).debounce(for: .seconds(1), clock: clock).subscribe { value in heard.note(-value) }
    try await clock.advance(by: .seconds(1))
    #expect(await heard.entries(throttles ? 2 : 1) == (throttles ? [0, -1] : [-1]))
    withExtendedLifetime(other) {}
  }

  @Test(arguments: [false, true])
  func `passes on what waits when the store is closed or freed, and ends`(throttles: Bool) async throws {
    for closes in [true, false] {
      let clock = ManualClock()
      var stream: AsyncStream<Int>.Iterator
      do {
        let store = Store(0, reducer: Self.setting)
        let selection = store.select(\.self)
        let paced =
          throttles
          ? selection.throttle(for: .seconds(3), clock: clock) : selection.debounce(for: .seconds(3), clock: clock)
        stream = paced.values.makeAsyncIterator()
        if throttles { #expect(await stream.next() == 0) }
        store.dispatch(1)
        store.dispatch(2)
        // Asleep until a later time than the one that is set now.
        try await clock.sleepers(1)
        if closes { try await store.close() }
      }
      #expect(await stream.next() == 2)
      #expect(await stream.next() == nil)
    }
  }

  @Test func `presents in the background, the newest of those that came meanwhile`() async {
    let gate = AsyncStream.makeStream(of: Void.self)
    let began = Journal<Int>()
    let subscription = store.select(\.self).present(priority: .high) { value in
      began.note(value)
      if value == 0 { for await _ in gate.stream { break } }
      return value * 10
    }.subscribe(heard.note)
    _ = await began.entries(1)
    for value in 1...3 { store.dispatch(value) }
    #expect(heard.entries == [])
    gate.continuation.yield()
    #expect(await heard.entries(2) == [0, 30])
    #expect(began.entries == [0, 3])
    withExtendedLifetime(subscription) {}
  }

  @Test func `cancels a presentation, and delivers it to nobody`() async {
    let began = Journal<Int>()
    let ended = Journal<Bool>()
    let subscription = store.select(\.self).present { value in
      began.note(value)
      // Ends when its task is cancelled.
      for await _ in AsyncStream<Void>.makeStream().stream {}
      ended.note(Task.isCancelled)
      return value
    }.subscribe(heard.note)
    _ = await began.entries(1)
    subscription.cancel()
    #expect(await ended.entries(1) == [true])
    #expect(heard.entries == [])
  }

  @Test func `delivers on an actor, everything and in order`() async {
    let onMain = Journal<Int>()
    let subscription = store.selection.deliver(on: MainActor.shared).subscribe { value in
      MainActor.preconditionIsolated()
      onMain.note(value)
    }
    for value in 1...100 { store.dispatch(value) }
    #expect(await onMain.entries(101) == Array(0...100))
    withExtendedLifetime(subscription) {}
  }

  @Test @MainActor func `delivers nothing after a cancel on the actor`() async {
    let subscription = store.selection.deliver(on: MainActor.shared).subscribe(heard.note)
    store.dispatch(1)
    // Both wait for this actor.
    subscription.cancel()
    let after = Journal<Int>()
    let other = store.selection.deliver(on: MainActor.shared).subscribe(after.note)
    _ = await after.entries(1)
    #expect(heard.entries == [])
    withExtendedLifetime(other) {}
  }

  @Test func `is a sequence that begins with the value there is and ends with the store`() async throws {
    var values = store.select { $0 / 10 }.values.makeAsyncIterator()
    #expect(await values.next() == 0)
    store.dispatch(5)
    store.dispatch(12)
    #expect(await values.next() == 1)
    store.dispatch(25)
    try await store.close()
    #expect(await values.next() == 2)
    #expect(await values.next() == nil)
    var late = store.select(\.self).values.makeAsyncIterator()
    #expect(await late.next() == 25)
    #expect(await late.next() == nil)
  }

  @Test func `is a sequence that doesn't keep the store`() async {
    weak var freed: Store<Int, Int>?
    let values: AsyncStream<Int>
    do {
      let store = Store(0, reducer: Self.setting)
      freed = store
      values = store.select(\.self).values
      store.dispatch(1)
    }
    #expect(freed == nil)
    var last: [Int] = []
    for await value in values { last.append(value) }
    #expect(last == [1])
  }

  @Test func `in real time loses neither the last nor the order, while threads dispatch and it closes`() async throws {
    for _ in 0..<20 {
      let store = Store(0, reducer: { (state: inout Int, step: Int) in state += step })
      let heard = [Journal<Int>(), Journal<Int>(), Journal<Int>()]
      let selection = store.select(\.self)
      let subscriptions = [
        selection.throttle(for: .microseconds(50)).subscribe(heard[0].note),
        selection.debounce(for: .microseconds(50)).subscribe(heard[1].note),
        selection.present { $0 }.deliver(on: MainActor.shared).subscribe(heard[2].note),
      ]
      let values = Task {
        var last = 0
        for await value in selection.throttle(for: .microseconds(50)).debounce(for: .microseconds(50)).values {
          precondition(value >= last)
          last = value
        }
        return last
      }
      await Task.detached {
        onThreads(3) { _ in
          for _ in 0..<200 { store.dispatch(1) }
        }
      }.value
      for journal in heard {
        while journal.entries.last != 600 { await Task.yield() }
        #expect(journal.entries == journal.entries.sorted())
      }
      try await store.close()
      #expect(await values.value == 600)
      withExtendedLifetime(subscriptions) {}
    }
  }
}
