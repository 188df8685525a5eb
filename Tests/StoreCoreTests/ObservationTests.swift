import Observation
import StoreCore
import Testing

struct `Observing a store` {
  @Test func `tells once of the change after a tracked read`() {
    let store = Store([], reducer: appending)
    let heard = Journal<[Int]>()
    let read = withObservationTracking {
      store.state.count
    } onChange: { [weak store] in
      if let store { heard.note(store.state) }
    }
    #expect(read == 0)
    #expect(heard.entries == [])
    store.dispatch(1)
    store.dispatch(2)
    // The change is already in: onChange may read the new state.
    #expect(heard.entries == [[1]])
  }

  @Test func `tells of a rebase, and not of what withState read`() {
    let store = Store([], reducer: appending)
    let heard = Journal<String>()
    withObservationTracking {
      _ = store.state
    } onChange: {
      heard.note("state")
    }
    withObservationTracking {
      store.withState { _, _ in }
    } onChange: {
      heard.note("withState")
    }
    store.rebase(cause: .edit) { state, _ in state = [7] }
    #expect(heard.entries == ["state"])
  }

  @Test func `drives Observations`() async {
    let store = Store([], reducer: appending)
    let began = AsyncStream.makeStream(of: Void.self)
    let counts = Task {
      var counts: [Int] = []
      for await count in Observations({ store.state.count }) {
        counts.append(count)
        began.continuation.yield()
        if count == 2 { break }
      }
      return counts
    }
    for await _ in began.stream { break }
    store.dispatch(1)
    store.dispatch(2)
    #expect(await counts.value.last == 2)
  }
}
