import Measuring
import StoreCore

private actor Screen {}

func subscriptions() -> Topic {
  func subject(_ name: String, _ subscribe: (Store<App, Action>) -> [Subscription]) -> Subject {
    let store = Store(App(), reducer: reduce)
    let subscriptions = subscribe(store)
    return Subject(name) { withExtendedLifetime(subscriptions) { store.dispatch(.add(1)) } }
  }
  let selector = Selector<App, Int>(\.title, \.part) { title, part in title.utf8.count + part.count }
  let screen = Screen()
  return Topic(
    "Subscriptions",
    [
      subject("`subscribe`") { [$0.subscribe { (_: App) in }] },
      subject("`subscribe`, ten of them") { store in (0..<10).map { _ in store.subscribe { (_: App) in } } },
      subject("`subscribe(select:)`, another value") { [$0.subscribe(select: \.count) { (_: Int) in }] },
      subject("`select`, another value") { [$0.select(\.count).subscribe { (_: Int) in }] },
      subject("`select`, the same value") { [$0.select(\.title).subscribe { (_: String) in }] },
      subject("`select` with a `Selector` of two inputs, the same") { [$0.select(selector).subscribe { (_: Int) in }] },
      subject("`only`, unwanted") { [$0.select(\.count).only { $0 < 0 }.subscribe { (_: Int) in }] },
      subject("`skip`") { [$0.select(\.count).skip().subscribe { (_: Int) in }] },
      subject("`debounce`") { [$0.select(\.count).debounce(for: .seconds(60)).subscribe { (_: Int) in }] },
      subject("`throttle`") { [$0.select(\.count).throttle(for: .seconds(60)).subscribe { (_: Int) in }] },
      subject("`present`") { [$0.select(\.count).present { $0 }.subscribe { (_: Int) in }] },
      subject("`deliver` on an actor") { [$0.select(\.count).deliver(on: screen).subscribe { (_: Int) in }] },
    ])
}
