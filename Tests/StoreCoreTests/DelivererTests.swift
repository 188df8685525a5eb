import StoreCore
import Testing

struct `A delivery` {
  @Test func `reaches everybody in order, however often who delivers goes off duty while another comes`() {
    let store = Store(0, reducer: { (count: inout Int, step: Int) in count += step })
    let heard = Shared(0)
    let gaps = Journal<Int>()
    // One at a time, so that who comes to see that nobody delivers does so again and again.
    let subscription = store.subscribe(skipFirst: true) { count in
      heard.value.withLock { heard in
        if count != heard + 1 { gaps.note(count) }
        heard = count
      }
    }
    onThreads(4) { _ in for _ in 0..<20_000 { store.dispatch(1) } }
    #expect(gaps.entries == [])
    #expect(heard.value.withLock { $0 } == 80_000)
    withExtendedLifetime(subscription) {}
  }

  @Test func `comes to who subscribes, also after others have come and gone while many dispatched`() {
    let store = Store(0, reducer: { (count: inout Int, step: Int) in count += step })
    onThreads(4) { thread in
      for _ in 0..<500 {
        let subscription = thread == 0 ? store.subscribe { (_: Int) in } : nil
        store.dispatch(1)
        subscription?.cancel()
      }
    }
    let heard = Journal<Int>()
    let subscription = store.subscribe { count in heard.note(count) }
    store.dispatch(1)
    #expect(heard.entries == [2_000, 2_001])
    withExtendedLifetime(subscription) {}
  }
}
