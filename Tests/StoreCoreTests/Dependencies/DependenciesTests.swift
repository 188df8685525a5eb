import StoreCore
import StoreTesting
import Synchronization
import TestThreads
import Testing

/// Counts how often a default was made, in the container of a test.
private final class Workshop: Sendable {
  let made = Journal<String>()
}

private struct WorkshopKey: DependencyKey {
  static func makeDefault(in dependencies: Dependencies) -> Workshop { Workshop() }
}

private struct HostKey: DependencyKey {
  static func makeDefault(in dependencies: Dependencies) -> String {
    dependencies.workshop.made.note("host")
    return "live.example"
  }
}

private struct AddressKey: DependencyKey {
  static func makeDefault(in dependencies: Dependencies) -> String {
    dependencies.workshop.made.note("address")
    return "https://" + dependencies.host
  }
}

private struct FeedKey: DependencyKey {
  static func makeDefault(in dependencies: Dependencies) -> Store<[Int], Int> {
    dependencies.workshop.made.note("feed")
    return Store([], reducer: appending)
  }
}

private struct EggKey: DependencyKey {
  static func makeDefault(in dependencies: Dependencies) -> Int { dependencies.hen + 1 }
}

private struct HenKey: DependencyKey {
  static func makeDefault(in dependencies: Dependencies) -> Int { Dependencies.current.egg + 1 }
}

extension Dependencies {
  fileprivate var workshop: Workshop { self[WorkshopKey.self] }
  fileprivate var host: String {
    get { self[HostKey.self] }
    set { self[HostKey.self] = newValue }
  }
  fileprivate var address: String {
    get { self[AddressKey.self] }
    set { self[AddressKey.self] = newValue }
  }
  fileprivate var feed: Store<[Int], Int> {
    get { self[FeedKey.self] }
    set { self[FeedKey.self] = newValue }
  }
  fileprivate var hen: Int { self[HenKey.self] }
  fileprivate var egg: Int { self[EggKey.self] }
}

@Suite(.ownThreads) struct `The dependencies` {
  private struct Client {
    @Dependency(\.host) var host
  }

  @Test func `have defaults, made once in a container, when they are asked for`() {
    let container = Dependencies()
    #expect(container.workshop.made.entries == [])
    let values = [container.address, container.host, container.address]
    #expect(values == ["https://live.example", "live.example", "https://live.example"])
    #expect(container.workshop.made.entries == ["address", "host"])
    #expect(Dependencies().workshop !== container.workshop)
  }

  @Test func `are set for a scope, and for what it calls and starts`() async {
    let seen = await withDependencies(from: Dependencies()) {
      $0.host = "outer"
    } operation: {
      let inner = withDependencies {
        $0[keyPath: \.host] = "inner"
      } operation: {
        (Client().host, Task { Client().host })
      }
      return [Client().host, inner.0, await inner.1.value, await Task.detached { Client().host }.value]
    }
    #expect(seen == ["outer", "inner", "inner", "live.example"])
  }

  @Test func `keep what they were when they were read`() {
    let client = withDependencies {
      $0.host = "fake"
    } operation: {
      Client()
    }
    #expect(client.host == "fake")
  }

  @Test func `pass on what the operation throws`() async {
    struct Odd: Error, Equatable {}
    #expect(throws: Odd()) {
      try withDependencies {
        $0.host = "x"
      } operation: { () throws(Odd) in
        throw Odd()
      }
    }
    await #expect(throws: Odd()) {
      try await withDependencies {
        $0.host = "x"
      } operation: {
        await Task.yield()
        throw Odd()
      }
    }
  }

  @Test func `are made anew in a scope only if they are made from what it sets`() {
    let container = Dependencies()
    let workshop = container.workshop
    #expect(container.address == "https://live.example")
    withDependencies(from: container) {
      $0.host = "fake"
    } operation: {
      #expect(Dependencies.current.address == "https://fake")
      #expect(Dependencies.current.address == "https://fake")
      #expect(Dependencies.current.workshop === workshop)
    }
    #expect(container.address == "https://live.example")
    #expect(workshop.made.entries == ["address", "host", "address"])
  }

  @Test func `that a scope makes first are shared with those around it, where that makes no difference`() {
    let container = Dependencies()
    withDependencies(from: container) {
      $0.host = "fake"
    } operation: {
      _ = Dependencies.current.address
      _ = Dependencies.current.workshop
    }
    #expect(container.workshop.made.entries == ["address"])
    #expect(container.address == "https://live.example")
    #expect(container.workshop.made.entries == ["address", "address", "host"])
  }

  @Test func `may be stores, of which each test has its own, and none is left over`() {
    let container = Dependencies()
    let app = container.feed
    #expect(container.feed === app)
    weak var freed: Store<[Int], Int>?
    withDependencies(from: container) {
      $0.host = "fake"
    } operation: {
      let feed = Dependencies.current.feed
      freed = feed
      feed.dispatch(1)
      #expect(Dependencies.current.feed === feed)
      #expect(feed.dependencies.host == "fake")
    }
    #expect(freed == nil)
    #expect(app.state == [])
    withDependencies(from: container) {
      $0.feed = app
      $0.host = "fake"
    } operation: {
      #expect(Dependencies.current.feed === app)
    }
  }

  @Test func `of a store are those it was made with, also when their scope has ended`() {
    let store = withDependencies(from: Dependencies()) {
      $0.host = "fake"
    } operation: {
      Store([], reducer: appending)
    }
    #expect(store.dependencies.host == "fake")
    #expect(store.dependencies.address == "https://fake")
    #expect(store.dependencies.workshop === store.dependencies.workshop)
    #expect(store.dependencies.workshop.made.entries == ["address"])
  }

  @Test func `are made once, however many threads ask at a time`() {
    for _ in 0..<20 {
      let container = Dependencies()
      let waiting = Atomic<Int>(4)
      onThreads(4) { thread in
        waiting.subtract(1, ordering: .relaxed)
        while waiting.load(ordering: .relaxed) > 0 {}
        withDependencies(from: container) {
          if thread % 2 == 0 { $0.feed = container.feed }
        } operation: {
          precondition(Dependencies.current.address == "https://live.example")
          precondition(Dependencies.current.feed === container.feed)
        }
      }
      #expect(container.workshop.made.entries.sorted() == ["address", "feed", "host"])
    }
  }

  @Test func `that need themselves trap with their names`() async throws {
    let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Dependencies().egg
    }
    let sentence = "Fatal error: the default of EggKey needs itself: EggKey, which needs HenKey, which needs EggKey\n"
    #expect(String(decoding: result.standardErrorContent, as: UTF8.self).contains(sentence))
  }

  @Test func `include the clock`() async throws {
    #expect(Dependencies().clock is ContinuousClock)
    let clock = ManualClock()
    try await withDependencies {
      $0.clock = clock
    } operation: {
      let sleeper = Task { try await Dependencies.current.clock.sleep(for: .seconds(5)) }
      try await clock.advance(by: .seconds(5))
      try await sleeper.value
    }
  }
}
