import Synchronization

/// The empty places in a store's list of subscribers: one for each that was cancelled.
///
/// A subscriber is taken out in constant time, whatever number of others there is. Once half of the list is empty it is made anew, in the
/// same order.
struct Vacancies<State: Sendable>: Sendable {
  fileprivate var count = 0
  /// The subscriber that stands in each of them, and does nothing.
  fileprivate var nobody: Subscriber<State>?
}

extension Store.Core {
  mutating func add(_ subscriber: Subscriber<State>) {
    subscriber.cancellation.place.store(subscribers.count, ordering: .relaxed)
    subscribers.append(subscriber)
  }

  /// Takes one out of the list, unless it is out already, with all that were cancelled.
  ///
  /// - Returns: What to free after unlocking, as what a handler captured may call the store in its deinit.
  mutating func remove(_ cancellation: Cancellation) -> [Subscriber<State>] {
    let place = cancellation.place.load(ordering: .relaxed)
    guard place < subscribers.count, subscribers[place].cancellation === cancellation else { return [] }
    let nobody = vacancies.nobody ?? Subscriber({ _, _ in })
    vacancies.nobody = nobody
    let subscriber = subscribers[place]
    subscribers[place] = nobody
    vacancies.count += 1
    return vacancies.count * 2 > subscribers.count ? [subscriber] + removeCancelled() : [subscriber]
  }

  /// Takes all out of the list that were cancelled, and the vacancies.
  ///
  /// - Returns: The list as it was, to be freed after unlocking.
  mutating func removeCancelled() -> [Subscriber<State>] {
    let former = subscribers
    subscribers = []
    for subscriber in former where subscriber !== vacancies.nobody && !subscriber.cancellation.isCancelled {
      add(subscriber)
    }
    vacancies.count = 0
    return former
  }
}
