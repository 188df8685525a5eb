import Measuring
import StoreCore

/// A store with so many subscribers, in units of the bare thing with as many listeners.
func subscribers(_ count: Int) -> (baseline: Subject, topic: Topic) {
  let bare = Bare()
  let again = Bare()
  let store = Store(App(), reducer: reduce)
  var subscriptions: [Subscription] = []
  for _ in 0..<count {
    bare.listen { _ in }
    again.listen { _ in }
    subscriptions.append(store.subscribe { (_: App) in })
  }
  let kept = subscriptions
  return (
    Subject("bare") { bare.dispatch(.add(1)) },
    Topic(
      "\(count) \(count == 1 ? "subscriber" : "subscribers")",
      [
        Subject("bare, with \(count) \(count == 1 ? "listener" : "listeners"), again") { again.dispatch(.add(1)) },
        Subject("a store, with \(count) \(count == 1 ? "subscriber" : "subscribers")") {
          withExtendedLifetime(kept) { store.dispatch(.add(1)) }
        },
      ])
  )
}
