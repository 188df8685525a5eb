import Synchronization

/// A list that its members leave in constant time, whatever number of others there is.
///
/// Where one has left stands somebody who does nothing. Once half of the list is such, it is made anew, in the same order.
@usableFromInline
struct Roster<Member: Sendable>: Sendable {
  @usableFromInline private(set) var members: [Member] = []
  /// What each is cancelled by, which knows the place.
  private var cancellations: [Cancellation] = []
  private var vacancies = 0

  @usableFromInline
  init() {}

  @inlinable
  var isEmpty: Bool { members.isEmpty }

  @usableFromInline
  mutating func add(_ member: Member, _ cancellation: Cancellation) {
    cancellation.place.store(members.count, ordering: .relaxed)
    members.append(member)
    cancellations.append(cancellation)
  }

  /// Takes one out, unless it isn't in the list, and leaves somebody in its place who does nothing.
  ///
  /// - Returns: What to free after unlocking, as what a handler captured may call the store in its deinit.
  mutating func remove(_ cancellation: Cancellation, leaving nobody: @autoclosure () -> Member) -> [Member] {
    let place = cancellation.place.load(ordering: .relaxed)
    guard place < members.count, cancellations[place] === cancellation else { return [] }
    let member = members[place]
    members[place] = nobody()
    vacancies += 1
    return vacancies * 2 > members.count ? [member] + removeCancelled() : [member]
  }

  /// Takes out all that were cancelled, and the vacancies.
  ///
  /// - Returns: The list as it was, to be freed after unlocking.
  mutating func removeCancelled() -> [Member] {
    let former = self
    self = Roster()
    for (member, cancellation) in zip(former.members, former.cancellations) where !cancellation.isCancelled {
      add(member, cancellation)
    }
    return former.members
  }
}
